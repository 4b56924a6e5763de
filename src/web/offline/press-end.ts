import { endInput } from '../../domain/appointments/ends-schema.ts'
import type { End } from '../../domain/appointments/field-steps.ts'
import type { FormEnd } from '../../domain/appointments/transitions.ts'
import { noShowSlot } from '../../domain/reports/photos.ts'
import type { OfflineStore } from '../reports/offline-store.ts'
import type { FormResult } from '../ui/form.tsx'
import { addMove, addPicture, type WorkRef } from './local-changes.ts'
import { isUnsent } from './send-order.ts'
import { noteDone } from './unsent.ts'

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
  const errors = { ...errorsOf(move, values), ...(await photoErrors(phone, place, form, photo)) }
  if (Object.keys(errors).length > 0) {
    const detail: FormResult = { errors, values, refusal: null }
    form.dispatchEvent(new CustomEvent('refused', { detail }))
    return null
  }
  const { formKey: _key, move: _move, ...typed } = values
  if (photo && 'picture' in photo) await addPicture(phone, place, noShowSlot, photo.picture, null, [])
  await addMove(phone, place, { move, startsAt, form: typed })
  noteDone(form)
  return kept[move]
}

const kept: Record<FormEnd, string> = {
  finish: 'Cita terminada',
  callOff: 'Cita cancelada',
  noShow: 'Registramos que no se presentó',
}

const isText = (value: FormDataEntryValue): value is string => typeof value === 'string'

/** The first message of each field, as the server says them. */
function errorsOf(move: FormEnd, values: Record<string, string>): Record<string, string> {
  const { error } = endInput[move].safeParse(values)
  return Object.fromEntries((error?.issues ?? []).toReversed().map(({ message, path }) => [path[0], message]))
}

type Photo = { picture: Blob } | { problem: string } | null

/** The photo chosen in a form, as small as the server takes it; null where none was. */
async function photoIn(fields: FormData): Promise<Photo> {
  const photo = fields.get('photo')
  if (!(photo instanceof File) || photo.size === 0) return null
  const { inspectPhoto } = await import('../photos/look-at.ts')
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
