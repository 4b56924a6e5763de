import type { FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { useSite } from '../lib/site.ts'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toaster.tsx'
import { type ShownProvider, signInWithPopup, signInWithRedirect } from './popup.ts'

/** Milliseconds to read why the page goes away. */
const toRead = 1_500

type ProviderFormProps = {
  provider: ShownProvider | null
  next: string | null
  /** Says what a first sign-in accepts, where the page does not say it already. */
  terms?: boolean
}

/** "Continuar con …": a window of its own, or, without JavaScript or where windows are blocked, the whole page. */
export function ProviderForm({ provider, next, terms = false }: ProviderFormProps) {
  const toast = useToast()
  const navigate = useNavigate()
  if (!provider) return null
  const open = async (event: FormEvent) => {
    event.preventDefault()
    const answer = await signInWithPopup(provider)
    if (answer.ok) return navigate(next ?? '/')
    toast({ variant: 'destructive', ...answer.error })
    if (answer.error.code === 'popup-blocked') setTimeout(signInWithRedirect, toRead, next ?? '/')
  }
  return (
    <form method="post" action="/session/provider/start" onSubmit={open} className="grid gap-5">
      <p className="flex items-center gap-3 text-sm text-mute before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        o
      </p>
      {next && <input type="hidden" name="next" value={next} />}
      <Button type="submit" variant="ghost">
        Continuar con {provider.label}
      </Button>
      {terms && <Terms label={provider.label} />}
    </form>
  )
}

function Terms({ label }: { label: string }) {
  const site = useSite()
  return (
    <p className="text-sm text-mute">
      Si es tu primera vez con {label}, aceptas los <a href={site?.termsUrl}>términos y condiciones</a> y el{' '}
      <a href={site?.privacyUrl}>aviso de privacidad</a>.
    </p>
  )
}
