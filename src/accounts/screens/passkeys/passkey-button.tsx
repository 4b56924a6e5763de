import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { Result } from '../../../shared/refusal.ts'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/toaster.tsx'
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

/** Before the server forgets a challenge, after five minutes. */
const renewedAfter = 4 * 60_000

/** Signs in by a passkey, which the browser also offers where the e-mail is typed. */
export default function PasskeyButton({ next, secondStep }: PasskeyButtonProps) {
  const toast = useToast()
  const navigate = useNavigate()
  const enter = async (mediation?: 'conditional') => {
    const answer = await enterByPasskey(mediation)
    if (answer?.ok) await navigate(next ?? '/')
    else if (answer || !mediation) toast({ variant: 'destructive', ...(answer?.error ?? none) })
    return answer
  }
  const offer = async () => {
    const isOffered = !secondStep && (await PublicKeyCredential.isConditionalMediationAvailable?.())
    if (!isOffered || isChoosing || document.visibilityState !== 'visible') return
    const answer = await enter('conditional')
    if (answer && !answer.ok) await offer()
  }
  const choose = async () => {
    if (isChoosing) return
    isChoosing = true
    const answer = await enter()
    isChoosing = false
    if (!answer?.ok) await offer()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, while the screen is shown.
  useEffect(() => keepOffering(offer), [])
  return (
    <Button variant={secondStep ?? 'ghost'} onClick={choose}>
      {secondStep ? 'Usar mi llave de acceso' : 'Entrar con llave de acceso'}
    </Button>
  )
}

/** Now, before each challenge ends, and when the page is looked at again. */
function keepOffering(offer: () => Promise<void>) {
  void offer()
  const timer = setInterval(offer, renewedAfter)
  document.addEventListener('visibilitychange', offer)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', offer)
    stopAsking()
  }
}

/** The browser's dialog is open, or about to be. */
let isChoosing = false
let waiting: AbortController | undefined

/** A browser asks for one passkey at a time. */
const stopAsking = () => waiting?.abort()

let asked: Promise<unknown> = Promise.resolve()

/** One after another: a cookie names the challenge that was answered last. */
function askInTurn() {
  const answer = asked.then(() => operation('ask-for-passkey')())
  asked = answer
  return answer
}

/** `conditional` offers them where the e-mail is typed. Null where the user chose none. */
async function enterByPasskey(mediation?: 'conditional'): Promise<Result<unknown> | null> {
  stopAsking()
  waiting = new AbortController()
  const { signal } = waiting
  const answer = await askInTurn()
  if (!answer.ok) return mediation ? null : answer
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(answer.value)
  const chosen = await navigator.credentials
    .get({ publicKey, signal, ...(mediation && { mediation }) })
    .catch(() => null)
  return chosen && operation('sign-in-by-passkey')({ credential: JSON.stringify(chosen) })
}
