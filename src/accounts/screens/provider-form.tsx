import type { FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { useSite } from '../../kit/site.ts'
import type { Failed, Result } from '../../shared/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toaster.tsx'
import { sessionLimits } from '../rules/sessions.ts'
import { failedHere, keepsCookies } from './operations.ts'

/** Milliseconds for the user to read why the page redirects. */
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
    if (!answer) return
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

/** What a page knows of the provider: its name, and the origins whose pages may ask it. */
export type ShownProvider = { label: string; origins: readonly string[] }

const channelName = 'carga.provider'
const windowName = 'carga-acceso'
const start = '/session/provider/start'

/** How often a window is checked, in milliseconds: browsers fire no event when it closes. */
const look = 250

let underWay: AbortController | undefined

/** Null where nobody waits for the answer any more. */
type Attempt = Promise<Result<null> | null>

/** Signs in at the provider in a window of its own. A newer request cancels the one before. */
async function signInWithPopup(provider: ShownProvider | null): Attempt {
  if (!provider || !('BroadcastChannel' in window))
    return failedHere('operation-not-supported-in-this-environment')
  if (!keepsCookies()) return failedHere('web-storage-unsupported')
  if (!provider.origins.includes(location.origin)) return failedHere('unauthorized-domain')
  if (!navigator.onLine) return failedHere('network-request-failed')
  underWay?.abort()
  const own = new AbortController()
  underWay = own
  const popup = window.open('', windowName, features())
  if (!popup) return failedHere('popup-blocked')
  const attempt = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16)).join('')
  const answer = answerOf(attempt, popup, own.signal)
  send({ attempt }, windowName)
  return answer
}

/** Sends the whole page to the provider, where no window may be opened. */
const signInWithRedirect = (next: string) => send({ next }, '_self')

/** In the window: sends the result of the attempt to the tab that opened it, and closes. */
export function tellOpener(attempt: string, error: Failed | null): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage({ attempt, error })
  channel.close()
  window.close()
}

/** Centred on the window that opens it. */
function features(): string {
  const { width, height } = sessionLimits.popup
  const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2)
  const top = Math.max(0, window.screenY + (window.outerHeight - height) / 2)
  return `popup,width=${width},height=${height},left=${Math.round(left)},top=${Math.round(top)}`
}

/** A form rather than a link: a mere link must not start a sign-in. */
function send(fields: Record<string, string>, target: string) {
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action: start, target, hidden: true })
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { name, value }))
  document.body.append(form)
  form.submit()
  form.remove()
}

/** Whichever comes first: the window's message, a newer request (null if it was closed), or a timeout after it was closed. */
function answerOf(attempt: string, popup: Window, cancelled: AbortSignal): Attempt {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName)
    let closedAt: number | undefined
    const end = (result: Result<null> | null) => {
      clearInterval(watch)
      channel.close()
      resolve(result)
    }
    const watch = setInterval(() => {
      closedAt ??= popup.closed ? Date.now() : undefined
      if (closedAt !== undefined && Date.now() - closedAt >= sessionLimits.popupClosedAfter)
        end(failedHere('popup-closed-by-user'))
    }, look)
    cancelled.addEventListener('abort', () =>
      end(popup.closed ? null : failedHere('cancelled-popup-request')),
    )
    channel.onmessage = ({ data }: MessageEvent<{ attempt: string; error: Failed | null }>) => {
      if (data.attempt !== attempt) return
      end(data.error ? { ok: false, error: data.error } : { ok: true, value: null })
    }
  })
}
