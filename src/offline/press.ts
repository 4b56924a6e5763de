import { endInput } from '../appointments/rules/ends-schema.ts'
import type { End } from '../appointments/rules/field-steps.ts'
import type { FormEnd } from '../appointments/rules/transitions.ts'
import type { FormResult } from '../kit/form/form.tsx'
import { noteDone } from '../kit/form/unsent.ts'
import { noShowSlot } from '../reports/rules/photos.ts'
import { toDate, toMinutes } from '../shared/calendar.ts'
import { dateSpan } from '../shared/format.ts'
import { ownTimeOffInput } from '../users/rules/schema.ts'
import { addMove, addPicture, ofNone, type WorkRef } from './outbox/local-changes.ts'
import type { OfflineStore } from './outbox/offline-store.ts'
import { isUnsent } from './outbox/send-order.ts'

type Pressed = { place: WorkRef; move: End; form: HTMLFormElement; startsAt: string | undefined }

/**
 * Keeps an end on the phone, with its photo before it, so that they are sent in this order, and answers what to say;
 * null where its form lacks something, which is said at the fields, by the schema that the server reads it with.
 */
export async function pressEnd(
  phone: OfflineStore,
  { form, move, place, startsAt }: Pressed,
): Promise<string | null> {
  if (move === 'submit') return null
  const fields = new FormData(form)
  const values = Object.fromEntries(
    [...fields].filter((field): field is [string, string] => isText(field[1])),
  )
  const photo = await photoIn(fields)
  const { error } = endInput[move].safeParse(values)
  const errors = { ...errorsOf(error), ...(await photoErrors(phone, place, form, photo)) }
  if (Object.keys(errors).length > 0) return refuse(form, errors, values)
  const { formKey: _key, move: _move, ...typed } = values
  if (photo && 'picture' in photo)
    await addPicture(phone, place, noShowSlot, photo.picture, null, [], {
      takenAt: values.takenAt,
    })
  // While the form is on the page, which the end takes off.
  noteDone(form)
  await addMove(phone, place, { move, startsAt, form: typed })
  return kept[move]
}

const kept: Record<FormEnd, string> = {
  finish: 'Cita terminada',
  callOff: 'Cita cancelada',
  noShow: 'Registramos que no se presentó',
  release: 'Anotamos que no puedes llegar',
}

const isText = (value: FormDataEntryValue): value is string => typeof value === 'string'

type Issues = { issues: readonly { message: string; path: readonly PropertyKey[] }[] } | undefined

/** The first message of each field, as the server says them. */
const errorsOf = (error: Issues): Record<string, string> =>
  Object.fromEntries((error?.issues ?? []).toReversed().map(({ message, path }) => [path[0], message]))

function refuse(form: HTMLFormElement, errors: FormResult['errors'], values: Record<string, string>) {
  const detail: FormResult = { errors, values, refusal: null }
  form.dispatchEvent(new CustomEvent('refused', { detail }))
  return null
}

type Photo = { picture: Blob } | { problem: string } | null

/** The photo chosen in a form, as small as the server takes it; null where none was. */
async function photoIn(fields: FormData): Promise<Photo> {
  const photo = fields.get('photo')
  if (!(photo instanceof File) || photo.size === 0) return null
  const { inspectPhoto } = await import('../kit/look-at.ts')
  return inspectPhoto(photo)
}

async function photoErrors(
  phone: OfflineStore,
  { appointmentId }: WorkRef,
  form: HTMLFormElement,
  photo: Photo,
): Promise<Record<string, string>> {
  if (photo) return 'problem' in photo ? { photo: photo.problem } : {}
  const isAsked = form.querySelector('input[name=photo]:required') !== null
  const isHere = phone.state
    .get()
    .rows.files.some(
      (file) =>
        file.appointmentId === appointmentId &&
        file.slot === noShowSlot &&
        file.state !== 'refused' &&
        isUnsent(file),
    )
  return isAsked && !isHere ? { photo: 'Toma una foto de la fachada.' } : {}
}

/**
 * Keeps on the phone what its person asks for themselves, and answers what to say; null where the form lacks something,
 * which is said at the fields, by the schema that the server reads it with.
 */
export async function pressTimeOff(
  phone: OfflineStore,
  form: HTMLFormElement,
  intent: keyof typeof ownTimeOffInput,
): Promise<string | null> {
  const fields = new FormData(form)
  const read = (name: string) => String(fields.get(name) ?? '')
  if (intent === 'time-off-withdraw') {
    await addMove(phone, ofNone, {
      move: 'withdrawTimeOff',
      form: { timeOffId: read('timeOffId'), dates: read('dates') },
    })
    return 'Retiraste tu solicitud'
  }
  const names = ['from', 'fromTime', 'to', 'toTime', 'reason'] as const
  const typed = Object.fromEntries(names.map((name) => [name, read(name)]))
  const { data, error } = ownTimeOffInput[intent].safeParse(typed)
  const errors = errorsOf(error)
  if (data && data.span.end <= toMinutes(new Date())) errors.to = 'Esas fechas ya pasaron.'
  if (!data || errors.to) return refuse(form, errors, typed)
  const dates = dateSpan(toDate(data.span.start), toDate(data.span.end))
  await addMove(phone, ofNone, { move: 'askTimeOff', form: { ...typed, dates } })
  noteDone(form)
  form.reset()
  return 'Guardamos tu solicitud'
}
