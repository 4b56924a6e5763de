import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import {
  type AppointmentState,
  activeStates,
  doneStates,
  isPerformer,
  type Service,
  upcomingStates,
} from '../appointments/rules/appointment.ts'
import { type Db, isId, type Queryable } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { timeOff, users } from '../platform/database/schema/accounts.ts'
import { askOn } from '../scheduling/choose.ts'
import { loadBusy, type Staffing, staffingAt, zoneOf } from '../scheduling/roster.ts'
import { isOffShift, reasonWords } from '../scheduling/rules/eligibility.ts'
import { type Busy, type MinuteSpan, managesSchedule } from '../scheduling/rules/roster.ts'
import {
  dayOf,
  daysOn,
  localDate,
  minuteAt,
  outsideQuietHours,
  toDate,
  toMinutes,
} from '../shared/calendar.ts'
import { shortName } from '../shared/names.ts'
import { refuse } from '../shared/refusal.ts'
import { boardsOf } from './board-queries.ts'
import {
  type Away,
  type Disruption,
  daysBetween,
  moveOfferEndsAt,
  offersFrom,
  type PlacementProposal,
  placementProposals,
  withOneMore,
} from './rules/absence.ts'
import { type BoardDay, isMovable } from './rules/board.ts'

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

/** A person's appointments in a period, those of today and those under way; with their customers' other appointments ahead. */
async function visitsOf(
  db: Queryable,
  personId: string,
  { start, end }: MinuteSpan,
  now: Date,
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
        and (upper(a.during) > $2 or a.starts_at >= $4 or a.state not in (${literals(upcomingStates)})) and a.starts_at < $3
      order by a.starts_at, a.id`,
    [personId, toDate(start), toDate(end), toDate(dayOf(toMinutes(now)).start)],
  )
  return rows.map(({ name, lastname, taken, ...row }) => ({
    ...row,
    customer: shortName(name, lastname),
    taken: (taken ?? []).map(([from, to]) => ({ start: from, end: to })),
  }))
}

/** The local dates of an absence, the first and the last; where it takes part of them, from and to which time of day. */
export type AbsentDays = { date: string; until: string; leaves?: string; returns?: string }

function spanOf({ date, leaves, returns, until }: AbsentDays): MinuteSpan {
  const first = daysOn(date, 1)[0]!
  const last = daysOn(until, 1)[0]!
  return {
    start: leaves ? minuteAt(date, leaves) : first.start,
    end: returns ? minuteAt(until, returns) : last.end,
  }
}

/** What is left of an absence; null when it is over. */
function restOf(days: AbsentDays, now: Date): MinuteSpan | null {
  const { end, start } = spanOf(days)
  const rest = { start: Math.max(start, toMinutes(now)), end }
  return rest.start < end ? rest : null
}

/** The period of a person's absence: the rest of its days after the work under way. */
export async function awayOn(
  db: Queryable,
  personId: string,
  days: AbsentDays,
  now: Date,
): Promise<MinuteSpan | null> {
  const rest = restOf(days, now)
  return rest && afterWork(rest, await visitsOf(db, personId, rest, now))
}

const endOf = ({ minutes, start }: StrandedVisit) => start + minutes

/** When a person is free from work under way; before the first minute where nothing is. */
const freeFrom = (visits: readonly StrandedVisit[]) =>
  Math.max(0, ...visits.filter((visit) => !isMovable(visit)).map(endOf))

/** Work under way is finished first. */
function afterWork({ start, end }: MinuteSpan, visits: readonly StrandedVisit[]): MinuteSpan | null {
  const from = Math.max(start, freeFrom(visits))
  return from < end ? { start: from, end } : null
}

/** What an absence takes from its person, by the rule of its settlement: each would begin at its hour, or when they can. */
function strandedBy(span: MinuteSpan, visits: readonly StrandedVisit[], now: Date): StrandedVisit[] {
  const from = Math.max(toMinutes(now), freeFrom(visits))
  return visits.filter((visit) => {
    const begins = Math.max(visit.start, from)
    return isMovable(visit) && begins < span.end && begins + visit.minutes > span.start
  })
}

/** One option for an appointment; at its own time it is reassigned at once, at another one it is offered. */
export type AbsenceOption = {
  start: number
  personId: string
  name: string
  harm: Disruption
  isOffer: boolean
  /** The rules that it sets aside, in words; none unless it is an exception. */
  exception: string | null
  /** They would work outside their hours: no one is proposed it first. */
  isOffShift: boolean
  endsAt: Date
}
export type Proposed = Pick<
  StrandedVisit,
  'id' | 'folio' | 'service' | 'state' | 'start' | 'customer' | 'version'
> & {
  options: AbsenceOption[]
}

/** An absent person, and the options for those days. */
export type AbsencePlan = AbsentDays & {
  person: { id: string; name: string; version: number }
  /** What is left of the days; null when they are over. */
  span: MinuteSpan | null
  /** The recorded absence: by whom and when. */
  recorded: { by: string | null; isOwn: boolean; at: Date; reason: string | null } | null
  visits: Proposed[]
  /** The days with one of them, as they are: of several days, of the people concerned only. */
  boards: BoardDay[]
  /** When an offer that is confirmed now is sent; null is at once. */
  sentAt: Date | null
  /** Under way now: an absence does not take these away. */
  underWay: StrandedVisit[]
}

/** How many days ahead another time is searched, and how many options are shown for one appointment. */
const daysAhead = 14
const shown = 3
const aDay = 1440

/** A manager's options for a person's days, the least disruption first; null for a user without appointments. */
export async function absenceOf(
  db: Db,
  actor: Actor,
  personId: string,
  days: AbsentDays,
  now: Date,
): Promise<AbsencePlan | null> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  if (!isId(personId)) return null
  const rest = restOf(days, now)
  const [person, found] = await Promise.all([
    performerOf(db, personId),
    rest ? visitsOf(db, personId, rest, now) : [],
  ])
  if (!person) return null
  const span = rest && afterWork(rest, found)
  const waiting = span ? strandedBy(span, found, now) : []
  const { date, until } = days
  const [recorded, visits, boards] = await Promise.all([
    recordedOn(db, actor, personId, span ?? lastMinuteOf(days)),
    span && waiting.length > 0 ? proposed(db, personId, days, span, waiting, now) : [],
    boardsOf(db, actor, [...new Set(waiting.map(({ start }) => localDate(start)))], now),
  ])
  const awake = outsideQuietHours(now)
  return {
    ...days,
    person,
    span,
    recorded,
    visits,
    boards: until === date ? boards : boards.map((board) => onlyOf(board, concernedBy(personId, visits))),
    sentAt: awake > now ? awake : null,
    underWay: found.filter((visit) => rest && !isMovable(visit) && endOf(visit) > rest.start),
  }
}

const concernedBy = (personId: string, visits: readonly Proposed[]) =>
  new Set([personId, ...visits.flatMap(({ options }) => options.map((option) => option.personId))])

const onlyOf = (board: BoardDay, ids: ReadonlySet<string>): BoardDay => ({
  ...board,
  people: board.people.filter(({ id }) => ids.has(id)),
  visits: board.visits.filter(({ personId }) => personId !== null && ids.has(personId)),
  offers: [],
})

async function performerOf(db: Db, id: string) {
  const { fullName: name, kind, version } = users
  const person = { id: users.id, name, version }
  const [row] = await db.select({ kind, person }).from(users).where(eq(users.id, id))
  return row && isPerformer(row.kind) ? row.person : null
}

function lastMinuteOf(days: AbsentDays): MinuteSpan {
  const { end } = spanOf(days)
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

/** An appointment that the recording of an absence settled at once: who has it then, or no one. */
export type SettledAtOnce = Pick<StrandedVisit, 'id' | 'folio' | 'service' | 'state' | 'customer'> & {
  startsAt: Date
  assignee: string | null
}

/** What a recorded absence gave to others or left without a person, by hour; what it offered is not among it. */
export async function settledAtOnce(
  db: Db,
  actor: Actor,
  personId: string,
  { date, until }: AbsentDays,
): Promise<SettledAtOnce[]> {
  if (!managesSchedule(actor) || !isId(personId)) return []
  const { rows } = await db.$client.query<Omit<SettledAtOnce, 'customer'> & Pick<Row, 'name' | 'lastname'>>({
    name: 'absence_settled',
    // Events of one transaction have one time.
    text: `select a.id, a.folio, a.service, a.state, a.starts_at as "startsAt", customer.name, customer.lastname,
        (select nullif(taker.full_name, '') from users taker where taker.id = (given.data->>'assigneeId')::uuid) as assignee
      from appointments a join users customer on customer.id = a.customer_id
        join events given on given.entity = 'appointment' and given.entity_id = a.id
        join events absence on absence.entity = 'user' and absence.entity_id = $1 and absence.name = 'add_time_off' and absence.at = given.at
      where a.state in (${literals([...activeStates, ...doneStates])}) and a.starts_at >= $2 and a.starts_at < $3
        and given.data->>'from' = $1::text and given.data->>'assigneeId' is distinct from $1::text
        and not exists (select from move_offers o where o.appointment_id = a.id and o.absent_id = $1)
      order by a.starts_at, a.id`,
    values: [personId, toDate(daysOn(date, 1)[0]!.start), toDate(daysOn(until, 1)[0]!.end)],
  })
  return rows.map(({ lastname, name, ...row }) => ({ ...row, customer: shortName(name, lastname) }))
}

async function proposed(
  db: Db,
  personId: string,
  { date, until }: AbsentDays,
  span: MinuteSpan,
  visits: readonly StrandedVisit[],
  now: Date,
): Promise<Proposed[]> {
  const more = daysBetween(daysOn(date, 1)[0]!.start, daysOn(until, 1)[0]!.start)
  const days = daysOn(date, daysAhead + more)
  const loaded = await loadBusy(db.$client, { from: days[0]!.start - aDay, to: days.at(-1)!.end + aDay, now })
  const staffing = await staffingAt(db, loaded.version)
  const away = { ...span, person: staffing.indexOf.get(personId) ?? -1 }
  let busy = loaded.of(staffing)
  const rows = visits.map((visit) => {
    const places = placesFor(staffing, busy, days, visit, { personId, away, now })
    if (places[0]) busy = withOneMore(busy, staffing.people.length, rowOf(visit, places[0], toMinutes(now)))
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
  const placement = {
    service,
    zone: zoneOf(municipality),
    start,
    without: id,
    promised: true,
    notBefore: toMinutes(now),
    minutes,
  }
  const ask = { ...askOn(days[0]!, staffing, placement, now), days }
  const input = { start, personId, moved, taken, away, earliest: offersFrom(toMinutes(now)) }
  return placementProposals(staffing.roster, busy, ask, input, shown)
}

const rowOf = (
  { minutes, municipality, service }: StrandedVisit,
  { person, start }: PlacementProposal,
  now: number,
) => ({
  person,
  service,
  zone: zoneOf(municipality),
  start,
  end: start + minutes,
  until: Math.max(start, now) + minutes,
})

const optionOf = (
  { against, harm, person, personId, start }: PlacementProposal,
  own: number,
  { people }: Staffing,
  now: Date,
): AbsenceOption => ({
  start,
  personId,
  harm,
  name: people[person]?.name ?? '',
  isOffer: start !== own,
  exception: against.map(reasonWords).join('; ') || null,
  isOffShift: against.some(isOffShift),
  endsAt: toDate(moveOfferEndsAt(toMinutes(now), own, start)),
})
