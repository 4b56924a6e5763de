import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { Result } from '../../../domain/shared/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toaster.tsx'
import { operation } from '../operations.ts'

type PasskeyButtonProps = {
  next: string | null
  /** After the password: the main way, or one of two. */
  secondStep?: 'primary' | 'ghost'
}

const none = {
  title: 'No usaste ninguna llave',
  description: 'Vuelve a intentarlo, o entra de otra forma.',
}

/** Signs in by a passkey, which the browser also offers where the e-mail is typed. */
export default function PasskeyButton({ next, secondStep }: PasskeyButtonProps) {
  const toast = useToast()
  const navigate = useNavigate()
  const enter = async (mediation?: 'conditional') => {
    const answer = await enterByPasskey(mediation)
    if (answer?.ok) return navigate(next ?? '/')
    if (mediation && !answer) return
    toast({ variant: 'destructive', ...(answer?.error ?? none) })
    await offer()
  }
  const offer = async () => {
    if (!secondStep && (await PublicKeyCredential.isConditionalMediationAvailable?.()))
      await enter('conditional')
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, while the screen is shown.
  useEffect(() => {
    if (readsJson()) void offer()
    return stopAsking
  }, [])
  if (!readsJson()) return null
  return (
    <Button variant={secondStep ?? 'ghost'} onClick={() => enter()}>
      {secondStep ? 'Usar mi llave de acceso' : 'Entrar con llave de acceso'}
    </Button>
  )
}

const readsJson = () =>
  'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential

let waiting: AbortController | undefined

/** A browser asks for one passkey at a time. */
const stopAsking = () => waiting?.abort()

/** `conditional` offers them where the e-mail is typed. Null where the user chose none. */
async function enterByPasskey(mediation?: 'conditional'): Promise<Result<unknown> | null> {
  stopAsking()
  waiting = new AbortController()
  const { signal } = waiting
  const asked = await operation('ask-for-passkey')()
  if (!asked.ok) return mediation ? null : asked
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked.value)
  const chosen = await navigator.credentials
    .get({ publicKey, signal, ...(mediation && { mediation }) })
    .catch(() => null)
  return chosen && operation('sign-in-by-passkey')({ credential: JSON.stringify(chosen) })
}
