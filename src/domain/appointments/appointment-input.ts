import { z } from 'zod'
import { tellsSomething } from '../projects/equipment.ts'
import { equipmentInput, equipmentOf } from '../projects/equipment-input.ts'
import { toDate } from '../shared/calendar.ts'
import { seenVersion, staleForm } from '../shared/seen-version.ts'
import { choice, optionalText } from '../shared/text.ts'
import { tidy } from '../shared/tidy.ts'
import type { Booking } from './appointment.ts'
import { type Interest, interests } from './options.ts'
import type { Service } from './services.ts'

const isEpochMinutes = /^\d{7,9}$/
const chooseSlot = 'Elige un horario.'

/** A start as a form sends it: ISO with its offset, or whole epoch minutes as the engine counts them. */
export const start = z.preprocess(
  (sent) => (typeof sent === 'number' ? String(sent) : tidy(sent)),
  z.union(
    [
      z
        .string()
        .regex(isEpochMinutes)
        .transform((minutes) => toDate(Number(minutes))),
      z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
    ],
    chooseSlot,
  ),
)

const interestLabels = Object.fromEntries(interests.map(({ value, label }) => [value, label])) as Record<
  Interest,
  string
>

/** Centavos, as the form showed them. */
const fee = z.coerce.number<string>(staleForm).int(staleForm).min(0, staleForm).optional()
const topic = choice(interestLabels, 'Elige de qué quieres hablar.')
const noTopic = z.preprocess(() => null, z.null())

/** A booking; the form generates the key, so that sending it twice makes one appointment. */
export const bookingInput = z.object({
  startsAt: start,
  requestKey: z.uuid(staleForm),
  notes: optionalText(500),
}) satisfies z.ZodType<Booking, Record<string, unknown>>

const formOf = (service: Service, now: Date) =>
  bookingInput
    .extend({ interest: service === 'videocall' ? topic : noTopic })
    .extend(equipmentInput(now).shape)
    .extend({ fee })
    .transform(({ fee, startsAt, requestKey, notes, interest, ...told }): Booking => {
      const equipment = equipmentOf(told)
      return {
        startsAt,
        requestKey,
        notes,
        interest,
        equipment: tellsSomething(equipment) ? equipment : null,
        fee,
      }
    })

const forms = new Map<string, ReturnType<typeof formOf>>()

/**
 * The form that books a service: a call says what it is about, and the first one of a project may tell of car and charger.
 * Kept for as long as it says the same, which is a year: making it takes longer than reading what was sent.
 */
export function bookingInputFor(service: Service, now: Date) {
  const key = `${service} ${now.getUTCFullYear()}`
  const form = forms.get(key) ?? formOf(service, now)
  forms.set(key, form)
  return form
}

/** Who carries an appointment out; the reason is asked where a soft rule is set aside. */
export const assigningInput = z.object({
  assigneeId: z.uuid('Elige a una persona.'),
  overrideReason: optionalText(300),
})
export type Assigning = z.output<typeof assigningInput>

/** Assigns an appointment to a person, at its own time unless another is given; the version is the one seen. */
export const givingInput = assigningInput.extend({
  version: seenVersion,
  startsAt: start.optional(),
})
/** The same, from a screen that shows many. */
export const movingInput = givingInput.extend({ appointmentId: z.uuid(staleForm) })
