import { CloudOff, Hourglass } from 'lucide-react'
import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { noteGone, sendNow, type Unsent, unsentElsewhere, unsentOf, watchUnsent } from './unsent.ts'

const nothing = () => undefined

/** In a form that was sent and has no answer: why, what happens to it, and a tap that sends it now. */
export function UnsentBar({ form }: { form: RefObject<HTMLFormElement | null> }) {
  const unsent = useSyncExternalStore(watchUnsent, () => unsentOf(form.current), nothing)
  useEffect(() => noteGone, [])
  return (
    unsent && (
      <Bar
        unsent={unsent}
        className="sticky bottom-4 z-10 [form:has([data-action-bar])_&]:max-lg:bottom-32"
      />
    )
  )
}

/** The same for a change whose form is not on the page any more. */
export function UnsentStrip() {
  const unsent = useSyncExternalStore(watchUnsent, unsentElsewhere, nothing)
  return unsent && <Bar unsent={unsent} className="fixed inset-x-4 bottom-4 z-40 mx-auto max-w-xl" />
}

function Bar({ unsent, className }: { unsent: Unsent; className: string }) {
  const { state, why } = unsent
  const Icon = why === 'slow' ? Hourglass : CloudOff
  return (
    <div
      role="alert"
      data-unsent={why}
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-line bg-wait-soft p-3 shadow-float text-[0.9375rem] ${className}`}
    >
      <Icon aria-hidden className="size-5 shrink-0 text-wait" />
      <p className="min-w-0 flex-1 basis-48">{wordsOf(unsent)}</p>
      {why !== 'slow' && (
        <Button variant="ghost" pending={state === 'sending'} onClick={() => sendNow(unsent)}>
          {why === 'offline' ? 'Enviar ahora' : 'Reintentar'}
        </Button>
      )}
    </div>
  )
}

/** What is said is true of this form: only words are kept on the device, and only where it has room for them. */
function wordsOf({ form, isKept, state, why }: Unsent): string {
  const controls = [...(form?.elements ?? [])]
  const hasSecret = controls.some(isApart)
  const hasWords = controls.some(isTyped)
  const kept = isKept && hasWords ? 'Guardamos lo que escribiste' : null
  const stay =
    hasSecret || (hasWords && !isKept) ? ` Deja abierta esta página${hasSecret ? `: ${apart}` : ''}.` : ''
  if (why === 'slow') return `Está tardando…${kept ? ` ${kept}.` : ''}${stay}`
  const cause = why === 'offline' ? 'Sin señal.' : 'No pudimos llegar al servidor.'
  const then =
    state === 'asks'
      ? 'envíalo cuando termines.'
      : why === 'offline'
        ? 'lo enviamos cuando vuelva la señal.'
        : 'lo intentamos otra vez en unos segundos.'
  return `${cause} ${kept ? `${kept}; ${then}` : then[0]!.toUpperCase() + then.slice(1)}${stay}`
}

const apart = 'las contraseñas y los archivos no se guardan'
const isApart = (control: Element) =>
  control instanceof HTMLInputElement &&
  ((control.type === 'password' && control.value !== '') || (control.files?.length ?? 0) > 0)
const isTyped = (control: Element) =>
  control.matches('input:not([type=hidden], [type=password], [type=file]), textarea, select')

/** What this device refused of a form before it was sent: the detail of its event "refused" (press.ts). */
export function useRefusedHere<Result>(form: RefObject<HTMLFormElement | null>): Result | undefined {
  const [result, setResult] = useState<Result>()
  useEffect(() => {
    // The form and its listener end together.
    form.current?.addEventListener('refused', (event) => setResult((event as CustomEvent<Result>).detail))
  }, [form])
  return result
}
