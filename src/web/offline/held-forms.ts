import { isEnd } from '../../domain/appointments/field-steps.ts'
import type { OfflineStore } from '../reports/offline-store.ts'
import type { useToast } from '../ui/toaster.tsx'
import { addMove, type WorkRef } from './local-changes.ts'
import type { DraftMove } from './rows.ts'

const kept = {
  setOut: 'Vas en camino',
  start: 'Cita iniciada',
  pause: 'Cita en pausa',
  resume: 'Continúas con la cita',
}
const keptWords = 'Se guardó aquí y se envía con la hora en que lo hiciste.'
const noRoom = {
  title: 'No se pudo guardar en tu teléfono',
  description: 'Libera espacio y hazlo otra vez.',
}
const isKept = (move: string): move is keyof typeof kept => Object.hasOwn(kept, move)

/**
 * Keeps the steps and ends of an appointment on the phone with their moment, from where they are sent, so that the screen
 * continues at once whatever the network does. Other forms wait in their place (unsent.ts). Returns the function that
 * stops it.
 */
export function holdForms(phone: OfflineStore, toast: ReturnType<typeof useToast>): () => void {
  const say = (title: string) => toast({ title, description: keptWords })
  const full = () => toast({ variant: 'destructive', ...noRoom })
  const hold = (event: SubmitEvent) => {
    const sent = moveIn(event)
    if (!sent || misses(event)) return
    const { appointmentId, folio, form, move, ...more } = sent
    if (form.dataset.plain || !(isKept(move) || isEnd(move))) return
    event.preventDefault()
    event.stopPropagation()
    const place = { appointmentId, folio }
    if (isKept(move)) return void addMove(phone, place, { move, ...more }).then(() => say(kept[move]), full)
    // The code that reads an end comes with the first one; where it can't, the form waits in its place.
    import('./press-end.ts')
      .then(({ pressEnd }) =>
        pressEnd(phone, { form, move, place }).then((title) => title && say(title), full),
      )
      .catch(() => {
        form.dataset.plain = 'yes'
        form.requestSubmit(event.submitter)
      })
  }
  // Before the screen's own listeners.
  window.addEventListener('submit', hold, true)
  return () => window.removeEventListener('submit', hold, true)
}

/** The folio of the appointment that a form is about: around it, or else of its screen. */
const folioAt = (form: HTMLFormElement) =>
  (form.closest<HTMLElement>('[data-folio]') ?? document.querySelector<HTMLElement>('[data-folio]'))?.dataset
    .folio ?? ''

/** The form itself says what has to be ticked first. */
const misses = ({ target }: SubmitEvent) =>
  target instanceof HTMLFormElement && target.querySelector('input[type=checkbox]:required:not(:checked)')

/** The move that a form sends to an appointment's screen, from there or from home. */
function moveIn({ target, submitter }: SubmitEvent) {
  if (!(target instanceof HTMLFormElement)) return null
  // A field may be called `action`, which hides the property.
  const { pathname } = new URL(target.getAttribute('action') ?? '', location.href)
  const appointmentId = /^\/admin\/appointments-pending\/([^/]+)$/.exec(pathname)?.[1]
  if (!appointmentId) return null
  const fields = new FormData(target, submitter)
  const move = fields.get('move')
  if (typeof move !== 'string') return null
  const reason = fields.get('reason')
  const checklist = [...target.querySelectorAll<HTMLInputElement>('input[type=checkbox]:checked')].map(
    ({ name }) => name,
  )
  return {
    appointmentId,
    form: target,
    folio: folioAt(target),
    move,
    ...(typeof reason === 'string' && reason !== '' && { reason }),
    ...(checklist.length > 0 && { checklist }),
  } satisfies Omit<DraftMove, 'move'> & WorkRef & { form: HTMLFormElement; move: string }
}
