import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { hourFor } from '../../appointments/rules/promise.ts'
import { letGoAt } from '../../appointments/rules/rules.ts'
import { runningLateOf } from '../../appointments/rules/running-late.ts'
import { nearestFreeSlots } from '../../appointments/transition.ts'
import { arrivalFor } from '../../dispatch/arrival.ts'
import { type ArrivalSpan, notBefore } from '../../dispatch/rules/arrival.ts'
import type { Db } from '../../platform/database/client.ts'
import { visitCards } from '../../platform/database/schema/accounts.ts'
import type { AppointmentEmailJob } from '../../platform/jobs/emails.ts'
import { arrivalHours, longDate, theTime } from '../../shared/format.ts'
import { carWords } from '../../users/rules/user.ts'
import {
  appointmentSnapshot,
  type EmailContext,
  type Fact,
  type Owed,
  openChargesOf,
  proposedRefundOf,
} from '../email.ts'

/** The current data of an appointment for an e-mail; `performer` is null without a confirmed assignee. */
export type AppointmentEmailData = NonNullable<Awaited<ReturnType<typeof appointmentSnapshot>>> & {
  /** Until when it is kept for an unverified mailbox. */
  keptUntil: Date
  refund: Awaited<ReturnType<typeof proposedRefundOf>>
  was: { startsAt: Date | null; municipality: string | null }
  /** Free starts that may be chosen instead. */
  slots?: readonly Date[]
  /** When whoever is on the way arrives, and their portrait as JPEG. */
  arrival?: ArrivalSpan | null
  portrait?: Uint8Array | null
  /** What is to be paid for it, in the same e-mail. */
  owed?: Owed
  runningLate: ReturnType<typeof runningLateOf>
}
/** Loads what the e-mails about an appointment say; null where there is none. */
export async function loadAppointment(
  db: Db,
  { appointmentId, was }: AppointmentEmailJob,
  now: Date,
): Promise<AppointmentEmailData | null> {
  const appointment = await appointmentSnapshot(db, appointmentId)
  if (!appointment) return null
  const { isFeeReturned, projectId } = appointment
  return {
    ...appointment,
    refund: isFeeReturned ? await proposedRefundOf(db, projectId) : null,
    keptUntil: letGoAt(appointment),
    runningLate: runningLateOf(appointment, now),
    was: { startsAt: was?.startsAt ? new Date(was.startsAt) : null, municipality: was?.zone ?? null },
  }
}

/** The same with when they arrive, by the districts' travel times or where their phone is, and their portrait. */
export async function loadOnTheWay(...asked: Parameters<typeof loadAppointment>) {
  const [appointment, [db, , now]] = [await loadAppointment(...asked), asked]
  if (!appointment) return null
  const [arrival, portrait] = await Promise.all([
    arrivalFor(db, null, appointment.customer, appointment.id, now),
    appointment.performer !== null && appointment.assigneeId ? portraitOf(db, appointment.assigneeId) : null,
  ])
  return { ...appointment, arrival: notBefore(arrival, appointment.runningLate?.until ?? null), portrait }
}

/** As JPEG: not every mail program shows what is kept. */
async function portraitOf(db: Db, userId: string): Promise<Uint8Array | null> {
  const [card] = await db
    .select({ photo: visitCards.photo })
    .from(visitCards)
    .where(eq(visitCards.userId, userId))
  if (!card?.photo) return null
  return sharp(card.photo).resize(192, 192, { fit: 'cover' }).jpeg().toBuffer()
}

/** The same with the free times of the moment. */
export async function loadWithSlots(...asked: Parameters<typeof loadAppointment>) {
  const [appointment, [db, , now]] = [await loadAppointment(...asked), asked]
  return appointment && { ...appointment, slots: await nearestFreeSlots(db, appointment, now) }
}

/** The addition for an unverified address: why details are missing, and what happens to the appointment. */
export const withheldBecause = ({ keptUntil }: AppointmentEmailData, asksToVerify: boolean) => [
  'Por tu seguridad, los demás datos solo se ven en tu cuenta.',
  ...(asksToVerify
    ? [
        `Confirma tu correo desde tu cuenta antes del ${longDate(keptUntil)} a ${theTime(keptUntil)} Si sigue sin confirmar, tu cita se libera.`,
      ]
    : []),
]

/** The same with the fee of the visit. */
export async function loadWithFee(...asked: Parameters<typeof loadAppointment>) {
  const [appointment, [db]] = [await loadAppointment(...asked), asked]
  return appointment && { ...appointment, owed: await openChargesOf(db, { appointmentId: appointment.id }) }
}

/** The same with the balance of an installation. */
export async function loadFinished(...asked: Parameters<typeof loadAppointment>) {
  const [appointment, [db]] = [await loadAppointment(...asked), asked]
  if (appointment?.service !== 'installation') return appointment
  const { projectId } = appointment
  return { ...appointment, owed: await openChargesOf(db, { projectId, concept: 'balance' }) }
}

/** The car of who comes, for the customer's letter. */
export const carFact = ({ car, performer }: AppointmentEmailData): Fact | null => {
  const words = performer && car && carWords(car)
  return words ? ['Vehículo', words] : null
}

export function timeFact(
  of: Pick<AppointmentEmailData, 'service' | 'startsAt'>,
  { settings }: { settings: Pick<EmailContext['settings'], 'arrivalWindowMinutes'> },
): Fact {
  return ['Hora', hourFor(of, settings.arrivalWindowMinutes)]
}

export const arrivalFact = ({ arrival }: AppointmentEmailData): Fact | null =>
  arrival
    ? ['Llega', arrivalHours(arrival.from, (arrival.to.getTime() - arrival.from.getTime()) / 60_000)]
    : null
