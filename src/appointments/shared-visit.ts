import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Actor, isCustomer } from '../access/rules/actor.ts'
import { countTry, newCode } from '../accounts/limits.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { visitCards } from '../platform/database/schema/accounts.ts'
import { appointments, sharedVisits } from '../platform/database/schema/appointments.ts'
import { hashOf } from '../platform/http/sealing.ts'
import { localDay } from '../shared/format.ts'
import { refuse } from '../shared/refusal.ts'
import { carWords } from '../users/rules/user.ts'
import { activeStates } from './rules/appointment.ts'
import { missedStepOf } from './rules/nobody-came.ts'
import { isShared, mayBeShared } from './rules/rules.ts'
import { runningLateOf } from './rules/running-late.ts'
import { lockAppointment } from './transition.ts'
import { assignee, customer, stateIn } from './visibility.ts'

/**
 * Makes the link by which a customer's family sees their visit; an earlier one stops working. Only the return value holds
 * its secret.
 */
export async function shareVisit(db: Db, actor: Actor, id: string, now: Date): Promise<string> {
  if (!isCustomer(actor)) return refuse('permission-denied')
  const { code, hash } = newCode()
  await transaction(db, async (tx) => {
    const visit = await lockAppointment(tx, actor, id)
    if (!mayBeShared({ ...visit, confirmed: visit.confirmedAt !== null }, now))
      refuse('failed-precondition', 'Esta cita no se puede compartir ahora.')
    const made = { secretHash: hash, day: localDay(visit.startsAt), createdAt: now }
    await tx
      .insert(sharedVisits)
      .values({ appointmentId: visit.id, ...made })
      .onConflictDoUpdate({ target: sharedVisits.appointmentId, set: made })
    await record(tx, { ...by(actor), name: 'share_visit' })
  })
  return code
}

/** Ends a customer's link to their visit; without one nothing happens. */
export async function stopSharing(db: Db, actor: Actor, id: string): Promise<void> {
  if (!isCustomer(actor)) return refuse('permission-denied')
  await transaction(db, async (tx) => {
    const visit = await lockAppointment(tx, actor, id)
    const gone = await tx.delete(sharedVisits).where(eq(sharedVisits.appointmentId, visit.id)).returning()
    if (gone.length > 0) await record(tx, { ...by(actor), name: 'stop_sharing_visit' })
  })
}

const by = ({ id }: Actor) => ({ entity: 'user', entityId: id, actorId: id })

/** Ends all links of a customer together with the change that causes it. */
export async function endSharedVisits(tx: Tx, customerId: string): Promise<void> {
  const own = tx
    .select({ id: appointments.id })
    .from(appointments)
    .where(eq(appointments.customerId, customerId))
  await tx.delete(sharedVisits).where(inArray(sharedVisits.appointmentId, own))
}

/** Deletes the links of visits that are over, or were of another day: they show nothing any more. */
export async function clearSharedVisits(db: Db, now: Date): Promise<void> {
  await db.execute(sql`delete from ${sharedVisits} using ${appointments}
    where ${appointments.id} = ${sharedVisits.appointmentId}
      and (not ${stateIn(activeStates)} or ${sharedVisits.day} < ${localDay(now)}::date - 1)`)
}

/** Whether a customer shares a visit of theirs, and since when; null when they don't. */
export async function sharedSince(
  db: Queryable,
  { id: customerId }: Pick<Actor, 'id'>,
  id: string,
): Promise<Date | null> {
  const [row] = await db
    .select({ since: sharedVisits.createdAt, day: sharedVisits.day, startsAt: appointments.startsAt })
    .from(sharedVisits)
    .innerJoin(appointments, eq(appointments.id, sharedVisits.appointmentId))
    .where(and(eq(sharedVisits.appointmentId, id), eq(appointments.customerId, customerId)))
  return row && row.day === localDay(row.startsAt) ? row.since : null
}

/** Who reads a link: with its secret, and from which address. */
type Reader = { secret: string; address: string }

/**
 * What a link's holder, without a session, may know of its visit: neither where it is nor whose, and of the technician what
 * the customer knows (decision 0032). Null for an unknown link and for one that ended, which nothing tells apart.
 */
export async function sharedVisit(db: Db, reader: Reader, now: Date) {
  const row = await rowOf(db, reader, now)
  if (!row) return null
  const { appointment, name, photoTag, car, credential } = row
  const { confirmedAt, id, service, startsAt, state } = appointment
  const isKnown = confirmedAt !== null
  return {
    service,
    state,
    startsAt,
    missed: missedStepOf(appointment),
    runningLate: isKnown ? runningLateOf(appointment, now) : null,
    name: isKnown ? name : null,
    who: isKnown
      ? { car: car && carWords({ ...car, plates: null }), plates: car?.plates ?? null, credential, photoTag }
      : null,
    /** For the server alone: whose arrival is asked. */
    whose: { id, customerId: appointment.customerId },
  }
}

/** The portrait of whoever comes, for the same reader. */
export async function sharedPortrait(db: Db, reader: Reader, now: Date): Promise<Uint8Array | null> {
  const row = await rowOf(db, reader, now)
  const { assigneeId, confirmedAt } = row?.appointment ?? {}
  if (!assigneeId || !confirmedAt) return null
  const [card] = await db
    .select({ photo: visitCards.photo })
    .from(visitCards)
    .where(eq(visitCards.userId, assigneeId))
  return card?.photo ?? null
}

/** The visit of a link that still serves; each read counts, and each failed one against its address. */
async function rowOf(db: Db, { address, secret }: Reader, now: Date) {
  const [row] = await db
    .select({
      day: sharedVisits.day,
      appointment: appointments,
      name: sql<string | null>`nullif(${assignee.name}, '')`,
      car: { vehicle: visitCards.vehicle, colour: visitCards.colour, plates: visitCards.plates },
      credential: visitCards.credential,
      photoTag: visitCards.photoTag,
    })
    .from(sharedVisits)
    .innerJoin(appointments, eq(appointments.id, sharedVisits.appointmentId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .leftJoin(visitCards, eq(visitCards.userId, appointments.assigneeId))
    .where(and(eq(sharedVisits.secretHash, hashOf(secret)), customer.active, isNull(customer.deletedAt)))
  const isOpen = row && isShared({ ...row.appointment, day: row.day }, now)
  if (isOpen) await countTry(db, 'shared visit by link', row.appointment.id, now)
  else await countTry(db, 'unknown visits by address', address, now)
  return isOpen ? row : null
}
