import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import {
  type AppointmentState,
  activeStates,
  isPerformer,
  type Service,
} from '../../domain/appointments/appointment.ts'
import {
  type Away,
  type Disruption,
  disruptionCost,
  moveOfferEndsAt,
  offersFrom,
  type PlacementProposal,
  placementProposals,
  withOneMore,
} from '../../domain/scheduling/absence.ts'
import { isMovable, shortName } from '../../domain/scheduling/board.ts'
import { reasonWords } from '../../domain/scheduling/eligibility.ts'
import { type Busy, type MinuteSpan, managesSchedule } from '../../domain/scheduling/roster.ts'
import { type AbsenceWish, decisionsOf } from '../../domain/scheduling/schema.ts'
import { daysOn, outsideQuietHours, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { notifyUnassigned, replaceProvisional } from '../appointments/assign.ts'
import { placementAt } from '../appointments/reschedule.ts'
import { type AppointmentRow, lockAppointment, transition } from '../appointments/transition.ts'
import { type Db, isId, type Queryable, type Tx } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { timeOff, users } from '../platform/database/schema/accounts.ts'
import { moveOffers } from '../platform/database/schema/appointments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { changeSchedule, insertTimeOff } from '../users/schedule.ts'
import { askOn, checkLocked } from './choose.ts'
import { currentStaffing, loadBusy, type Staffing, staffingAt, staffingInside, zoneOf } from './roster.ts'

type Absence = { actor: Actor; personId: string; now: Date }
type Offer = { id: string; personId: string; start: number }

/**
 * A person is absent: the absence, reassignments at the same time and offers of other times are one transaction.
 * Refused as a whole, with the decisions to repeat, when any part is no longer valid.
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
    await insertTimeOff(tx, actor, personId, { span, reason: wish.reason ?? 'No puede venir' }, now)
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

/** The reason in the appointments' histories: the reason for an absence may be private. */
const because = 'No puede venir ese día'

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

/** The person of each offer must be available then. No booking is between its check and its commit meanwhile. */
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

/** Removes the absent person without a letter to the customer, whose letter is the offer. */
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
      appointmentId: held.id,
      absentId: personId,
      assigneeId: offer.personId,
      madeBy: actor.id,
      fromStartsAt: held.startsAt,
      toStartsAt: toDate(offer.start),
      harm: harm.total,
      expiresAt,
    })
    .returning({ id: moveOffers.id })
  // No offer is sent at night, unless it would expire by the morning.
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

/** An appointment on an absent person's day. Times are epoch minutes. */
type StrandedVisit = {
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

/** A person's appointments in a period, with their customers' other appointments ahead. */
async function visitsOf(
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
function restOf(date: string, now: Date): MinuteSpan | null {
  const day = daysOn(date, 1)[0]!
  const start = Math.max(day.start, toMinutes(now))
  return start < day.end ? { start, end: day.end } : null
}

/** The period of a person's absence on a date: the rest of the day after the work under way. */
async function awayOn(db: Queryable, personId: string, date: string, now: Date): Promise<MinuteSpan | null> {
  const rest = restOf(date, now)
  return rest && afterWork(rest, await visitsOf(db, personId, rest))
}

/** Work under way is finished first. */
function afterWork({ start, end }: MinuteSpan, visits: readonly StrandedVisit[]): MinuteSpan | null {
  const ends = visits.filter((visit) => !isMovable(visit)).map((visit) => visit.start + visit.minutes)
  const from = Math.max(start, ...ends)
  return from < end ? { start: from, end } : null
}

/** One option for an appointment; at its own time it is reassigned at once, at another one it is offered. */
export type AbsenceOption = {
  start: number
  personId: string
  name: string
  harm: Disruption
  isOffer: boolean
  endsAt: Date
}
export type Proposed = Pick<
  StrandedVisit,
  'id' | 'folio' | 'service' | 'state' | 'start' | 'customer' | 'version'
> & {
  options: AbsenceOption[]
}

/** An absent person, and the options for that day. */
export type AbsencePlan = {
  person: { id: string; name: string; version: number }
  date: string
  /** What is left of the day; null when it is over. */
  span: MinuteSpan | null
  /** The recorded absence: by whom and when. */
  recorded: { by: string | null; isOwn: boolean; at: Date; reason: string | null } | null
  visits: Proposed[]
  /** Under way now: an absence does not take these away. */
  underWay: StrandedVisit[]
}

/** How many days ahead another time is searched, and how many options are shown for one appointment. */
const daysAhead = 14
const shown = 3
const aDay = 1440

/** A manager's options for a person's date, the least disruption first; null for a user without appointments. */
export async function absenceOf(
  db: Db,
  actor: Actor,
  personId: string,
  date: string,
  now: Date,
): Promise<AbsencePlan | null> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  if (!isId(personId)) return null
  const rest = restOf(date, now)
  const [person, found] = await Promise.all([
    performerOf(db, personId),
    rest ? visitsOf(db, personId, rest) : [],
  ])
  if (!person) return null
  const span = rest && afterWork(rest, found)
  const waiting = found.filter(isMovable)
  const [recorded, visits] = await Promise.all([
    recordedOn(db, actor, personId, span ?? lastMinuteOf(date)),
    span && waiting.length > 0 ? proposed(db, personId, date, span, waiting, now) : [],
  ])
  return { person, date, span, recorded, visits, underWay: found.filter((visit) => !isMovable(visit)) }
}

async function performerOf(db: Db, id: string) {
  const { fullName: name, kind, version } = users
  const person = { id: users.id, name, version }
  const [row] = await db.select({ kind, person }).from(users).where(eq(users.id, id))
  return row && isPerformer(row.kind) ? row.person : null
}

function lastMinuteOf(date: string): MinuteSpan {
  const { end } = daysOn(date, 1)[0]!
  return { start: end - 1, end }
}

/** Time off that covers the whole period: half a day off is no absence that day. */
async function recordedOn(db: Db, actor: Actor, personId: string, { start, end }: MinuteSpan) {
  const [row] = await db
    .select({
      by: sql<string | null>`nullif(${users.fullName}, '')`,
      isOwn: sql<boolean>`coalesce(${timeOff.approvedBy} = ${actor.id}, false)`,
      at: sql<Date>`${timeOff.approvedAt}`.mapWith(timeOff.approvedAt),
      reason: timeOff.reason,
    })
    .from(timeOff)
    .leftJoin(users, eq(users.id, timeOff.approvedBy))
    .where(
      and(
        eq(timeOff.personId, personId),
        sql`${timeOff.approvedAt} is not null and ${timeOff.during} @> tstzrange(${toDate(start)}, ${toDate(end)})`,
      ),
    )
    .limit(1)
  return row ?? null
}

async function proposed(
  db: Db,
  personId: string,
  date: string,
  span: MinuteSpan,
  visits: readonly StrandedVisit[],
  now: Date,
): Promise<Proposed[]> {
  const days = daysOn(date, daysAhead)
  const loaded = await loadBusy(db.$client, { from: days[0]!.start - aDay, to: days.at(-1)!.end + aDay })
  const staffing = await staffingAt(db, loaded.version)
  const away = { ...span, person: staffing.indexOf.get(personId) ?? -1 }
  let busy = loaded.of(staffing)
  const rows = visits.map((visit) => {
    const places = placesFor(staffing, busy, days, visit, { personId, away, now })
    if (places[0]) busy = withOneMore(busy, staffing.people.length, rowOf(visit, places[0]))
    return { visit, places }
  })
  return rows
    .map(({ visit: { id, folio, service, state, start, customer, version }, places }) => ({
      id,
      folio,
      service,
      state,
      start,
      customer,
      version,
      options: places.map((place) => optionOf(place, start, staffing, now)),
    }))
    .sort((a, b) => harmOfBest(a) - harmOfBest(b) || a.start - b.start)
}

const harmOfBest = ({ options }: Proposed) => options[0]?.harm.total ?? Number.POSITIVE_INFINITY

function placesFor(
  staffing: Staffing,
  busy: Busy,
  days: ReturnType<typeof daysOn>,
  { id, minutes, moved, municipality, service, start, taken }: StrandedVisit,
  { personId, away, now }: { personId: string; away: Away; now: Date },
): PlacementProposal[] {
  const placement = { service, zone: zoneOf(municipality), start, without: id, promised: true, minutes }
  const ask = { ...askOn(days[0]!, staffing, placement, now), days }
  const wish = { start, personId, moved, taken, away, earliest: offersFrom(toMinutes(now)) }
  return placementProposals(staffing.roster, busy, ask, wish, shown)
}

const rowOf = ({ minutes, municipality, service }: StrandedVisit, { person, start }: PlacementProposal) => ({
  person,
  service,
  zone: zoneOf(municipality),
  start,
  end: start + minutes,
})

const optionOf = (
  { harm, person, personId, start }: PlacementProposal,
  own: number,
  { people }: Staffing,
  now: Date,
): AbsenceOption => ({
  start,
  personId,
  harm,
  name: people[person]?.name ?? '',
  isOffer: start !== own,
  endsAt: toDate(moveOfferEndsAt(toMinutes(now), own, start)),
})
