import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type AppointmentState, activeStates, type Service } from '../../domain/appointments/appointment.ts'
import { disruptionCost, moveOfferEndsAt } from '../../domain/scheduling/absence.ts'
import { isMovable, shortName } from '../../domain/scheduling/board.ts'
import { reasonWords } from '../../domain/scheduling/eligibility.ts'
import type { MinuteSpan } from '../../domain/scheduling/roster.ts'
import { type AbsenceWish, decisionsOf } from '../../domain/scheduling/schema.ts'
import { daysOn, outsideQuietHours, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { notifyUnassigned, replaceProvisional } from '../appointments/assign.ts'
import { placementAt } from '../appointments/reschedule.ts'
import { type AppointmentRow, lockAppointment, transition } from '../appointments/transition.ts'
import type { Db, Queryable, Tx } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { timeOff } from '../platform/database/schema/accounts.ts'
import { moveOffers } from '../platform/database/schema/appointments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { duringOf } from '../users/own-time-off.ts'
import { changeSchedule } from '../users/schedule-changes.ts'
import { checkLocked } from './choose.ts'
import { currentStaffing, type Staffing, staffingInside } from './roster.ts'

type Absence = { actor: Actor; personId: string; now: Date }
type Offer = { id: string; personId: string; start: number }

/**
 * Somebody can't come: the absence, what is given to others at its own time and what is offered at another one are one
 * transaction. Refused whole, with what to decide anew, when any of it is no longer so.
 */
export async function confirmAbsence(
  db: Db,
  actor: Actor,
  personId: string,
  date: string,
  wish: AbsenceWish,
  now: Date,
): Promise<{ offered: number; given: number }> {
  const known = await currentStaffing(db)
  const offers = Object.entries(wish.choices).flatMap(([id, choice]) =>
    choice.kind === 'offer' ? [{ id, personId: choice.personId, start: choice.start }] : [],
  )
  const customers: string[] = []
  const seen = { version: wish.version, decisions: decisionsOf(wish) }
  await changeSchedule(db, actor, personId, seen, now, async (tx) => {
    customers.length = 0
    const span = (await awayOn(tx, personId, date, now)) ?? refuse('failed-precondition', 'Ese día ya pasó.')
    await writeAway(tx, actor, personId, duringOf(span, now), wish.reason ?? 'No puede venir', now)
    const staffing = await staffingInside(tx, known)
    for (const offer of offers.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const held = await heldFor(tx, actor, offer, wish.seen[offer.id], personId)
      await check(tx, staffing, held, offer, now)
      await holdOut(tx, { actor, personId, now }, held, offer)
      customers.push(held.customerId)
    }
    return { name: 'add_time_off', data: { from: toDate(span.start), to: toDate(span.end) } }
  })
  if (customers.length > 0) announce(db, { people: customers })
  return { offered: offers.length, given: Object.keys(wish.choices).length - offers.length }
}

/** What the histories of the appointments say: why somebody is away may be a private matter. */
const because = 'No puede venir ese día'

async function writeAway(tx: Tx, actor: Actor, personId: string, during: string, reason: string, now: Date) {
  const [known] = await tx
    .select({ id: timeOff.id })
    .from(timeOff)
    .where(
      and(
        eq(timeOff.personId, personId),
        sql`${timeOff.approvedAt} is not null and ${timeOff.during} && ${during}::tstzrange`,
      ),
    )
    .limit(1)
  if (known) refuse('already-exists', 'Ya tiene un permiso en esas fechas. Quítalo primero.')
  await tx.insert(timeOff).values({ personId, during, reason, approvedAt: now, approvedBy: actor.id })
}

const changed = (id: string, words: string) =>
  refuse('aborted', 'Algo cambió mientras decidías. Revisa lo marcado y vuelve a confirmar.', {
    errors: { [`choice.${id}`]: words },
  })

async function heldFor(tx: Tx, actor: Actor, { id }: Offer, version: number | undefined, personId: string) {
  const held = await lockAppointment(tx, actor, id)
  if (held.version !== version || held.assigneeId !== personId)
    changed(id, 'Esta cita cambió mientras decidías. Revísala otra vez.')
  return held
}

/** Whoever it is offered with has to be able to then. No booking is between its check and its commit meanwhile. */
async function check(
  tx: Tx,
  staffing: Staffing,
  held: AppointmentRow,
  { id, personId, start }: Offer,
  now: Date,
) {
  const placement = placementAt(held, { start, promised: true })
  const against = await checkLocked(tx, staffing, placement, personId, now)
  if (start <= toMinutes(now)) changed(id, 'Esa hora ya pasó.')
  if (!against || against.length > 0)
    changed(id, `Ese horario ya no se puede: ${(against ?? []).map(reasonWords).join('; ')}.`)
}

/** Takes the absent person off without a word to the customer, whose letter is the offer. */
async function holdOut(tx: Tx, { actor, now, personId }: Absence, held: AppointmentRow, offer: Offer) {
  await stepOff(tx, actor, held, now)
  await tx
    .update(moveOffers)
    .set({ answer: 'withdrawn', answeredAt: now })
    .where(and(eq(moveOffers.appointmentId, held.id), isNull(moveOffers.answer)))
  const from = toMinutes(held.startsAt)
  const harm = disruptionCost(
    { start: from, personId },
    { start: offer.start, personId: offer.personId },
    held.movedByCustomer + held.movedByUs,
  )
  const expiresAt = toDate(moveOfferEndsAt(toMinutes(now), from, offer.start))
  const [made] = await tx
    .insert(moveOffers)
    .values({
      ...{ appointmentId: held.id, absentId: personId, assigneeId: offer.personId, madeBy: actor.id },
      ...{ fromStartsAt: held.startsAt, toStartsAt: toDate(offer.start), harm: harm.total },
      expiresAt,
    })
    .returning({ id: moveOffers.id })
  // Nobody is woken by an offer, unless it would be over by the morning.
  const awake = outsideQuietHours(now)
  const sentAt = awake < expiresAt ? awake : now
  await enqueue(tx, 'letter', { letter: 'move_offer', offerId: made!.id, to: 'customer' }, sentAt)
}

async function stepOff(tx: Tx, actor: Actor, held: AppointmentRow, now: Date) {
  if (held.state !== 'assigned') return replaceProvisional(tx, actor, held, null, because)
  const set = { assigneeId: null, confirmedAt: null, overrideReason: null }
  const data = { from: held.assigneeId, assigneeId: null, offered: true }
  const moved = await transition(tx, actor, held, 'release', now, set, { reason: because, data })
  await notifyUnassigned(tx, held, moved)
  return moved
}

/** An appointment of somebody's day, as an absence finds it. Times are epoch minutes. */
export type StrandedVisit = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  start: number
  minutes: number
  municipality: string | null
  customer: string
  version: number
  moved: number
  taken: MinuteSpan[]
}

type Row = Omit<StrandedVisit, 'customer' | 'taken'> & {
  name: string | null
  lastname: string | null
  taken: [start: number, end: number][] | null
}

/** What somebody has to do in a stretch of time, with what else its customers have ahead. */
export async function visitsOf(
  db: Queryable,
  personId: string,
  { start, end }: MinuteSpan,
): Promise<StrandedVisit[]> {
  const { rows } = await (
    db.$client as { query: (text: string, values: unknown[]) => Promise<{ rows: Row[] }> }
  ).query(
    `select a.id, a.folio, a.service, a.state, (extract(epoch from a.starts_at) / 60)::int as start, a.minutes, a.municipality,
        customer.name, customer.lastname, a.version, a.moved_by_customer + a.moved_by_us as moved,
        (select jsonb_agg(jsonb_build_array((extract(epoch from lower(other.during)) / 60)::int, (extract(epoch from upper(other.during)) / 60)::int))
          from appointments other where other.customer_id = a.customer_id and other.id <> a.id
            and other.state in (${literals(activeStates)})) as taken
      from appointments a join users customer on customer.id = a.customer_id
      where a.assignee_id = $1 and a.state in (${literals(activeStates)})
        and upper(a.during) > $2 and a.starts_at < $3
      order by a.starts_at, a.id`,
    [personId, toDate(start), toDate(end)],
  )
  return rows.map(({ name, lastname, taken, ...row }) => ({
    ...row,
    customer: shortName(name, lastname),
    taken: (taken ?? []).map(([from, to]) => ({ start: from, end: to })),
  }))
}

/** What is left of a local date; null when it is over. */
export function restOf(date: string, now: Date): MinuteSpan | null {
  const day = daysOn(date, 1)[0]!
  const start = Math.max(day.start, toMinutes(now))
  return start < day.end ? { start, end: day.end } : null
}

/** From when until when somebody is away who can't come on a date: what is left of it after what is under way. */
async function awayOn(db: Queryable, personId: string, date: string, now: Date): Promise<MinuteSpan | null> {
  const rest = restOf(date, now)
  return rest && afterWork(rest, await visitsOf(db, personId, rest))
}

/** What is under way is finished first. */
export function afterWork({ start, end }: MinuteSpan, visits: readonly StrandedVisit[]): MinuteSpan | null {
  const ends = visits.filter((visit) => !isMovable(visit)).map((visit) => visit.start + visit.minutes)
  const from = Math.max(start, ...ends)
  return from < end ? { start: from, end } : null
}
