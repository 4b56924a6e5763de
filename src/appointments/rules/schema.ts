import { z } from 'zod'
import { completionInput, nextPath, personName } from '../../accounts/rules/schema.ts'
import { tellsSomething } from '../../projects/rules/equipment.ts'
import { type Address, addressInputBy, equipmentInput, equipmentOf } from '../../projects/rules/schema.ts'
import { type RiskName, riskNames } from '../../reports/rules/installation-record.ts'
import { toDate } from '../../shared/calendar.ts'
import {
  choice,
  noFields,
  optionalEmail,
  optionalText,
  requiredText,
  seenVersion,
  staleForm,
  theirPhone,
  ticked,
} from '../../shared/schema.ts'
import { lengthOf, tidy } from '../../shared/text.ts'
import {
  type Booking,
  customerReasons,
  type Interest,
  interests,
  type Service,
  services,
} from './appointment.ts'
import { closingInput, endInput, noChoice } from './ends-schema.ts'
import { nobodyCameAnswers } from './nobody-came.ts'
import { lateChoices } from './running-late.ts'
import { MAX_CONFIRMED, undoableThings } from './undo.ts'

const isEpochMinutes = /^\d{7,9}$/
const chooseSlot = 'Elige un horario.'

/** A start as a form sends it: ISO with its offset, or whole epoch minutes as the engine counts them. */
export const startField = z.preprocess(
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
  startsAt: startField,
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
 * The form that books a service: a call has a topic, and the first call of a project may include car and charger.
 * Cached for a year, while its rules stay the same: creating it takes longer than parsing a form.
 */
export function bookingInputFor(service: Service, now: Date) {
  const key = `${service} ${now.getUTCFullYear()}`
  const form = forms.get(key) ?? formOf(service, now)
  forms.set(key, form)
  return form
}

const why = 'Escribe por qué, con al menos 5 caracteres.'

/** The assignee of an appointment; the reason is required where a soft rule is overridden. */
export const assigningInput = z.object({
  assigneeId: z.uuid('Elige a una persona.'),
  overrideReason: optionalText(300).refine((reason) => reason === null || lengthOf(reason) >= 5, why),
})
export type Assigning = z.output<typeof assigningInput>

/** Assigns an appointment to a person, at its own time unless another is given; the version is the one seen. */
export const givingInput = assigningInput.extend({
  version: seenVersion,
  startsAt: startField.optional(),
})

/** The same, from a screen that shows many. */
export const movingInput = givingInput.extend({ appointmentId: z.uuid(staleForm) })

const proposedAssignment = z.object({
  appointmentId: z.uuid(staleForm),
  version: seenVersion,
  assigneeId: z.uuid(staleForm),
})
/** An assignment as a screen proposed it: the appointment in the version shown, and its provisional assignee. */
export type ProposedAssignment = z.output<typeof proposedAssignment>

/** The forms of a home that confirm one proposed assignment, or all that it shows ("id:version:person", by commas). */
export const confirmingInput = {
  confirm: proposedAssignment,
  'confirm-all': z.object({
    proposed: z
      .string(staleForm)
      .transform((list) =>
        list.split(',').map((one) => {
          const [appointmentId, version, assigneeId] = one.split(':')
          return { appointmentId, version, assigneeId }
        }),
      )
      .pipe(z.array(proposedAssignment).max(MAX_CONFIRMED, staleForm)),
  }),
}

type SentChange = Record<'id' | 'version', string | undefined> & { of?: string | undefined }

/** Changes to undo, as their toast carries them (`undoText`), and the page to return to. */
export const undoInput = z.object({
  changes: z
    .string(staleForm)
    .transform((list) =>
      list.split(',').map((one): SentChange => {
        const [version, id, of] = one.split(':').toReversed()
        return { id, version, of }
      }),
    )
    .pipe(
      z
        .array(
          z.object({
            id: z.uuid(staleForm),
            version: seenVersion,
            of: z.enum(undoableThings, staleForm).optional(),
          }),
        )
        .max(MAX_CONFIRMED, staleForm),
    ),
  back: nextPath,
})

/** The new time that a customer chooses for their appointment. */
export const ownTimeInput = z.object({ startsAt: startField, version: seenVersion })

/** A customer cancels an appointment: in time, or confirming that it is late. */
const cancelling = closingInput.safeExtend({
  appointmentId: z.uuid(staleForm),
  version: seenVersion,
  reason: z.enum(customerReasons, 'Elige un motivo.'),
})
const aboutAppointment = z.object({ appointmentId: z.uuid(staleForm) })
const aboutOffer = z.object({ offerId: z.uuid(staleForm) })

/** The forms of a customer's page of one service, by their intent. */
export const ownChangeInput = {
  cancel: cancelling,
  'cancel-late': cancelling,
  'ask-earlier': noFields,
  'stop-waiting': noFields,
  'nobody-came': aboutAppointment,
  'share-visit': aboutAppointment,
  'stop-sharing': aboutAppointment,
  'answer-no-show': z.object({
    ...aboutAppointment.shape,
    words: requiredText('Cuéntanos qué pasó.', 500),
  }),
  'keep-waiting': aboutAppointment,
  'ask-call-back': aboutAppointment,
  claim: aboutOffer,
  decline: aboutOffer,
  'accept-move': aboutOffer,
  'decline-move': aboutOffer,
}

/** A caller who has no account yet; the e-mail is null where they have none. */
export const callerInput = completionInput.extend({
  name: personName('Escribe su nombre.'),
  lastname: personName('Escribe sus apellidos.'),
  phone: theirPhone,
  email: optionalEmail,
  /** Somebody else than the customer who has this phone already. */
  another: ticked,
})
export type Caller = z.output<typeof callerInput>

const noHome = z.object({}).transform(() => ({ home: null }))

/**
 * The form of a new caller: who they are and, unless they only want a call, their home, and whether they want a notice
 * once we serve it.
 */
export const newCallerInput = (
  isCallOnly: boolean,
  placeOfCode: Parameters<typeof addressInputBy>[0],
): z.ZodType<{ caller: Caller; home: (Address & { notice: boolean }) | null }, Record<string, unknown>> => {
  const caller = callerInput.transform((caller) => ({ caller }))
  if (isCallOnly) return z.intersection(caller, noHome)
  const home = z
    .intersection(addressInputBy(placeOfCode), z.object({ notice: ticked }))
    .transform((home) => ({ home }))
  return z.intersection(caller, home)
}

/** The manager's forms for one appointment, by their intent: assign it, take it from its assignee, or cancel it. */
export const assignmentInput = {
  give: givingInput,
  release: z.object({
    version: seenVersion,
    releaseReason: z.preprocess(
      tidy,
      z
        .string(why)
        .refine((reason) => lengthOf(reason) >= 5, why)
        .refine((reason) => lengthOf(reason) <= 300, 'Usa como máximo 300 caracteres.'),
    ),
  }),
  'cancel-by-house': closingInput.safeExtend({ version: seenVersion }),
  'accept-move': aboutOffer,
  'decline-move': aboutOffer,
}

/**
 * Whom the manager chooses for a start in the calendar of slots: a person, or whoever can. The reason counts only where
 * the box is ticked that sets a soft rule aside.
 */
const deskChoice = z
  .object({
    assigneeId: z.preprocess((sent) => tidy(sent) || null, z.uuid('Elige a una persona.').nullable()),
    override: ticked,
    overrideReason: optionalText(300),
  })
  .superRefine(({ override, overrideReason }, ctx) => {
    if (override && lengthOf(overrideReason ?? '') < 5)
      ctx.addIssue({ code: 'custom', path: ['overrideReason'], message: why })
  })
  .transform(({ assigneeId, override, overrideReason }) => ({
    assigneeId,
    overrideReason: override ? overrideReason : null,
  }))
export type DeskChoice = z.output<typeof deskChoice>

/** The form that moves an appointment by the manager's calendar. */
export const deskMoveInput = z.intersection(
  deskChoice,
  z.object({ startsAt: startField, version: seenVersion }),
)

/** The customer who calls, the project that it is about once there is one, and the service. */
export const callerServiceInput = z.object({
  customerId: z.uuid(staleForm),
  projectId: z.uuid(staleForm).optional(),
  service: z.enum(services, staleForm),
})

/** The form of the address of a caller who has none stored. */
export const callerAddressInput = (placeOfCode: Parameters<typeof addressInputBy>[0]) =>
  z.intersection(addressInputBy(placeOfCode), callerServiceInput)

/** The form that books for a customer who calls; `service` is the service in the form. */
export const callerBookingInput = (service: string | undefined, now: Date) =>
  z.intersection(
    z.intersection(
      bookingInputFor(services.find((one) => one === service) ?? 'technical_visit', now),
      callerServiceInput,
    ),
    deskChoice,
  )

/** The risks checked before an installation begins; other appointments have none. */
const risksTicked = Object.fromEntries(riskNames.map((name) => [name, ticked])) as Record<
  RiskName,
  typeof ticked
>

/** The forms of an appointment's work screen, by their transition; a call ends by a form of its own. */
export const fieldInput = {
  setOut: noFields,
  start: z.object(risksTicked),
  undoSetOut: noFields,
  undoStart: noFields,
  undoCallStart: noFields,
  pause: z.object({ reason: optionalText(300) }),
  resume: noFields,
  callOff: endInput.callOff,
  noShow: endInput.noShow,
  release: endInput.release,
  /** Zero takes it back. */
  runLate: z.object({
    minutes: z
      .enum(['0', ...lateChoices.map(String)], 'Elige cuánto te retrasas.')
      .transform((minutes) => lateChoices.find((one) => String(one) === minutes) ?? null),
  }),
  answerNobodyCame: z.object({ answer: z.enum(nobodyCameAnswers, 'Elige qué le respondes.') }),
  takeOver: z.object({
    version: seenVersion,
    // An analyst takes it over; the manager names another analyst.
    assigneeId: z.preprocess(noChoice, z.uuid('Elige a una persona.').nullable()),
  }),
  finish: endInput.finish,
}

/** A date of this century, as an address holds it. */
export const someDate = z.iso.date().startsWith('20')
