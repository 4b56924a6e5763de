import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toaster.tsx'
import { enterByPasskey, hasPasskeys, stopAsking } from './browser.ts'

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
    if (hasPasskeys()) void offer()
    return stopAsking
  }, [])
  if (!hasPasskeys()) return null
  return (
    <Button variant={secondStep ?? 'ghost'} onClick={() => enter()}>
      {secondStep ? 'Usar mi llave de acceso' : 'Entrar con llave de acceso'}
    </Button>
  )
}
