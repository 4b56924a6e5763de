import { isEnd } from '../appointments/rules/field-steps.ts'
import type { useToast } from '../ui/toaster.tsx'
import { addMove, type WorkRef } from './outbox/local-changes.ts'
import type { OfflineStore } from './outbox/offline-store.ts'

const kept = {
  setOut: 'Vas en camino',
  start: 'Cita iniciada',
  pause: 'Cita en pausa',
  resume: 'Continúas con la cita',
  runLate: 'Anotamos el retraso',
}
const keptWords = 'Se guardó aquí y se envía con la hora en que lo hiciste.'
const noRoom = {
  title: 'No se pudo guardar en tu teléfono',
  description: 'Libera espacio y hazlo otra vez.',
}
const isKept = (move: string): move is keyof typeof kept => Object.hasOwn(kept, move)

/** Keeps a form on the phone, and answers what to say; null where it lacks something. */
type Keep = (phone: OfflineStore) => Promise<string | null>
/** A form that is kept on the phone; `load` fetches the code that reads it, where that is not here. */
type Held = { form: HTMLFormElement; load: () => Promise<Keep> | Keep }

/**
 * Keeps the steps and ends of an appointment, and its person's own time off, on the phone with their moment, from where
 * they are sent, so that the screen continues at once whatever the network does. Other forms wait in their place
 * (unsent.ts). Returns the function that stops it.
 */
export function holdForms(phone: OfflineStore, toast: ReturnType<typeof useToast>): () => void {
  const full = () => void toast({ variant: 'destructive', ...noRoom })
  const hold = (event: SubmitEvent) => {
    const held = misses(event) ? null : heldIn(event)
    if (!held || held.form.dataset.plain) return
    event.preventDefault()
    event.stopPropagation()
    const { form, load } = held
    const keep = (kept: Keep) =>
      kept(phone).then((title) => void (title && toast({ title, description: keptWords })), full)
    const loaded = load()
    if (typeof loaded === 'function') return void keep(loaded)
    // The code that reads a form comes with the first one; where it can't, the form waits in its place.
    loaded.then(keep, () => {
      form.dataset.plain = 'yes'
      form.requestSubmit(event.submitter)
    })
  }
  // Before the screen's own listeners.
  window.addEventListener('submit', hold, true)
  return () => window.removeEventListener('submit', hold, true)
}

/** The form itself says what has to be ticked first. */
const misses = ({ target }: SubmitEvent) =>
  target instanceof HTMLFormElement && target.querySelector('input[type=checkbox]:required:not(:checked)')

function heldIn({ target: form, submitter }: SubmitEvent): Held | null {
  if (!(form instanceof HTMLFormElement)) return null
  // A field may be called `action`, which hides the property.
  const { pathname } = new URL(form.getAttribute('action') ?? '', location.href)
  const fields = new FormData(form, submitter)
  const appointmentId = /^\/admin\/appointments-pending\/([^/]+)$/.exec(pathname)?.[1]
  if (!appointmentId) return timeOffIn(form, fields.get('intent'))
  const { customer = '', folio = '', startsAt } = shownAt(form)
  return moveIn(form, fields, { appointmentId, customer, folio }, startsAt)
}

/** What is shown of the appointment that a form is about: around it, or else on its screen. */
const shownAt = (form: HTMLFormElement): DOMStringMap =>
  (form.closest<HTMLElement>('[data-folio]') ?? document.querySelector<HTMLElement>('[data-folio]'))
    ?.dataset ?? {}

/** The move that a form sends to an appointment's screen, from there or from home. */
function moveIn(
  form: HTMLFormElement,
  fields: FormData,
  place: WorkRef,
  startsAt: string | undefined,
): Held | null {
  const move = fields.get('move')
  const reason = fields.get('reason')
  if (typeof move !== 'string') return null
  if (isKept(move)) {
    const checked = form.querySelectorAll<HTMLInputElement>('input[type=checkbox]:checked')
    const checklist = [...checked].map(({ name }) => name)
    const minutes = fields.get('minutes')
    const draft = {
      move,
      ...(reason && { reason: String(reason) }),
      ...(checklist.length > 0 && { checklist }),
      ...(minutes && { startsAt, form: { minutes: String(minutes) } }),
    }
    return { form, load: () => (phone) => addMove(phone, place, draft).then(() => kept[move]) }
  }
  if (!isEnd(move)) return null
  return {
    form,
    load: () =>
      import('./press.ts').then(
        ({ pressEnd }): Keep =>
          (phone) =>
            pressEnd(phone, { form, move, place, startsAt }),
      ),
  }
}

/** What a person asks for themselves on their account's screen. */
function timeOffIn(form: HTMLFormElement, intent: unknown): Held | null {
  if (intent !== 'time-off-ask' && intent !== 'time-off-withdraw') return null
  return {
    form,
    load: () =>
      import('./press.ts').then(
        ({ pressTimeOff }): Keep =>
          (phone) =>
            pressTimeOff(phone, form, intent),
      ),
  }
}
