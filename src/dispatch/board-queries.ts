import type { Actor } from '../access/rules/actor.ts'
import {
  activeStates,
  doneStates,
  isActive,
  performers,
  type Service,
  services,
  underWayStates,
} from '../appointments/rules/appointment.ts'
import { lateMinutes } from '../appointments/rules/late.ts'
import type { Db } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { pinAt } from '../projects/rules/pin.ts'
import { currentStaffing, expectedEndsOf, workersBetween, zoneOf } from '../scheduling/roster.ts'
import { type MinuteSpan, managesSchedule, spansWithin, zoneCount } from '../scheduling/rules/roster.ts'
import {
  addDays,
  dayOf,
  daysOn,
  isHoliday,
  type LocalDay,
  localDate,
  toDate,
  toMinutes,
} from '../shared/calendar.ts'
import { shortName, surnameOf } from '../shared/names.ts'
import { refuse } from '../shared/refusal.ts'
import { bySpanish } from '../shared/text.ts'
import {
  type BoardDay,
  type BoardFilter,
  type BoardOffer,
  type BoardPerson,
  type BoardVisit,
  capacityOf,
  dayFigures,
  dayToOpen,
  hoursOf,
  isWanted,
  type NextWork,
  shownRows,
} from './rules/board.ts'

/** The board of a local date (2026-11-24) for the manager: who works, and every appointment but the cancelled ones. */
export async function boardOf(
  db: Db,
  actor: Actor,
  date: string,
  now: Date,
  who = { withInactive: false },
): Promise<BoardDay> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const day = daysOn(date, 1)[0]!
  const [given, visits, offers] = await Promise.all([
    givenFor(db, day),
    visitsBetween(db, day.start, day.end),
    openOffers(db, day, now),
  ])
  return { ...dayFrom(given, day, visits, now, who), offers }
}

/** The boards of some local dates, in their order, without offers. */
export async function boardsOf(
  db: Db,
  actor: Actor,
  dates: readonly string[],
  now: Date,
): Promise<BoardDay[]> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const days = dates.map((date) => daysOn(date, 1)[0]!)
  const first = days[0]
  const last = days.at(-1)
  if (!first || !last) return []
  const [given, visits] = await Promise.all([
    givenFor(db, { start: first.start, end: last.end }),
    visitsBetween(db, first.start, last.end),
  ])
  return days.map((day) => dayFrom(given, day, onDay(visits, day), now))
}

/** The staffing as it is now, and the hours of its people in a stretch of time, past time off included. */
async function givenFor(db: Db, { end, start }: MinuteSpan) {
  const [staffing, workers] = await Promise.all([
    currentStaffing(db),
    workersBetween(db, toDate(start), toDate(end)),
  ])
  return { ...staffing, workers: new Map(workers.map((one) => [one.id, one])) }
}
type Given = Awaited<ReturnType<typeof givenFor>>

const onDay = <One extends MinuteSpan>(all: readonly One[], { start, end }: LocalDay) =>
  all.filter((one) => one.start >= start && one.start < end)

/** How an appointment stands in a week; an offer is another time that its customer was asked about. */
export type WeekMark = 'late' | 'open' | 'offer' | 'active' | 'done' | 'missed'
export type WeekChip = Pick<BoardVisit, 'id' | 'start' | 'end' | 'service' | 'customer' | 'surname'> & {
  mark: WeekMark
}

/** What a person has on a day, and the minutes of their shifts and those taken. */
type WeekCell = ReturnType<typeof capacityOf> & { chips: WeekChip[] }

/** A person's week, by day; last a row of what has nobody. */
export type WeekRow = { id: string | null; name: string; days: WeekCell[] }
export type BoardWeek = {
  /** The hours of each are those of the week. */
  days: (ReturnType<typeof dayFigures> & { date: string; isClosed: boolean; hours: MinuteSpan })[]
  rows: WeekRow[]
}

/** The seven days of a week from its Monday on under a filter: the figures of each day, and who has how much. */
export async function weekOf(
  db: Db,
  actor: Actor,
  monday: string,
  filter: BoardFilter,
  now: Date,
): Promise<BoardWeek> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const days = daysOn(monday, 7)
  const span = { start: days[0]!.start, end: days.at(-1)!.end }
  const [given, visits, offers] = await Promise.all([
    givenFor(db, span),
    visitsBetween(db, span.start, span.end),
    openOffers(db, span, now),
  ])
  const boards = days.map((day) => ({
    ...dayFrom(given, day, onDay(visits, day), now),
    offers: onDay(offers, day),
  }))
  const hours = boards.map((board) => ({ ...hoursOf(board), base: board.day.base }))
  const from = Math.min(...hours.map(({ base, start }) => start - base))
  const to = Math.max(...hours.map(({ base, end }) => end - base))
  return {
    days: boards.map((board) => ({
      ...dayFigures(board, filter),
      date: board.day.date,
      hours: { start: board.day.base + from, end: board.day.base + to },
      isClosed:
        !board.settings.hours[board.day.weekday] || isHoliday(board.day.date, board.settings.holidays),
    })),
    rows: [...weekRowsOf(boards, filter), ...nobodyIn(boards, filter)],
  }
}

function weekRowsOf(boards: readonly BoardDay[], filter: BoardFilter): WeekRow[] {
  const rowsOf = boards.map((board) => new Map(shownRows(board, filter).map((row) => [row.person.id, row])))
  const people = new Map(
    rowsOf.flatMap((rows) => [...rows.values()].map(({ person }) => [person.id, person])),
  )
  return [...people.values()].sort(byKindAndName).map(({ id, name }) => ({
    id,
    name,
    days: boards.map((board, n) => {
      const row = rowsOf[n]!.get(id)
      const offered = board.offers.filter(({ personId }) => personId === id)
      return { chips: chipsOf(board, row?.visits ?? [], offered), ...(row ? capacityOf(row, board) : noTime) }
    }),
  }))
}

function nobodyIn(boards: readonly BoardDay[], filter: BoardFilter): WeekRow[] {
  const days = boards.map((board) => {
    const own = board.visits.filter((visit) => visit.personId === null && isWanted(visit, filter))
    return { chips: chipsOf(board, own, []), ...noTime }
  })
  return days.some(({ chips }) => chips.length > 0) ? [{ id: null, name: 'Sin persona', days }] : []
}

const noTime = { used: 0, total: 0 }

const chipsOf = ({ now }: BoardDay, visits: readonly BoardVisit[], offers: readonly BoardOffer[]) =>
  [
    ...visits.map((visit) => chipOf(visit, lateMinutes(visit, now) > 0 ? 'late' : markOf(visit))),
    ...offers.map((offer) => chipOf(offer, 'offer')),
  ].sort((a, b) => a.start - b.start)

const markOf = ({ state }: BoardVisit): WeekMark =>
  state === 'requested' ? 'open' : state === 'no_show' ? 'missed' : isActive(state) ? 'active' : 'done'

const chipOf = (
  { customer, end, id, service, start, surname }: Omit<WeekChip, 'mark'>,
  mark: WeekMark,
): WeekChip => ({ id, start, end, service, customer, surname, mark })

const byKindAndName = (a: BoardPerson, b: BoardPerson) =>
  performers.indexOf(a.kind) - performers.indexOf(b.kind) || bySpanish(a.name, b.name)

function dayFrom(
  given: Given,
  day: LocalDay,
  visits: readonly StoredVisit[],
  now: Date,
  { withInactive } = { withInactive: false },
): BoardDay {
  const busy = new Set(visits.map(({ personId }) => personId))
  const { hours, stepMinutes, bufferMinutes, services: rules, holidays } = given.settings
  const today = localDate(toMinutes(now))
  return {
    day,
    now: toMinutes(now),
    people: peopleOn(given, day)
      .filter(({ active, id }) => withInactive || active || busy.has(id))
      .sort(byKindAndName),
    visits: withExpectedEnds(given, day, visits, now),
    offers: [],
    settings: { hours, stepMinutes, bufferMinutes, services: rules, holidays },
    travel: [...given.travel],
    beyond: services.filter((service) => day.date > addDays(today, rules[service].horizonDays)),
  }
}

/** The visits of a day; those of today that are expected to end late say so. */
function withExpectedEnds(given: Given, day: LocalDay, visits: readonly StoredVisit[], now: Date) {
  const isToday = day.date === localDate(toMinutes(now))
  const active = visits.flatMap(
    ({ id, end, givenAt, personId, service, setOut, start, started, state, told, zone }) =>
      isToday && personId && isActive(state)
        ? [
            {
              id,
              end,
              personId,
              service,
              start,
              zone,
              progress: { state, setOut, started, lateBy: told ?? null, confirmed: givenAt ?? null },
            },
          ]
        : [],
  )
  const late = expectedEndsOf(given, active, now).filter(([visit, end]) => end > visit.end)
  const ends = new Map(late.map(([{ id }, end]) => [id, end]))
  return visits.map(({ setOut: _, started: __, ...visit }): BoardVisit => {
    const until = ends.get(visit.id)
    return until === undefined ? visit : { ...visit, until }
  })
}

/** The local date that the board opens on. */
export async function openingDate(db: Db, actor: Actor, now: Date): Promise<string> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const today = dayOf(toMinutes(now))
  const minute = toMinutes(now)
  const [staffing, { rows }] = await Promise.all([
    currentStaffing(db),
    db.$client.query<NextWork>({
      name: 'board_next_work',
      text: `select (select (extract(epoch from min(starts_at)) / 60)::int from (${activeFrom('starts_at >= $1')}) a) as first,
          (select (extract(epoch from min(starts_at)) / 60)::int from (${activeFrom(
            `starts_at >= $1 and (upper(during) > $2 or state in (${literals(underWayStates)}))`,
          )}) b) as next`,
      values: [toDate(today.start), now],
    }),
  ])
  const closing = staffing.settings.hours[today.weekday]?.to ?? 0
  return dayToOpen(rows[0]!, today, closing, minute)
}

const activeFrom = (where: string) =>
  `select starts_at from appointments where state in (${literals(activeStates)}) and ${where} order by starts_at limit 1`

type StoredVisit = BoardVisit & { setOut: number | null; started: number | null }
type Row = Omit<StoredVisit, 'end' | 'zone' | 'customer' | 'surname' | 'pin'> & {
  minutes: number
  /** What is compared with the home that has a pin; null where none has. */
  booked: Parameters<typeof pinAt>[0]
  home: Parameters<typeof pinAt>[1]
  municipality: string | null
  name: string | null
  lastname: string | null
}

async function visitsBetween(db: Db, from: number, to: number): Promise<StoredVisit[]> {
  const { rows } = await db.$client.query<Row>({
    name: 'board_of_day',
    // Two halves, for each has an index of its own: those to be done, and those that ended.
    text: `select a.id, a.folio, a.service, a.state, (extract(epoch from a.starts_at) / 60)::int as start, a.minutes, a.municipality,
        a.address->>'postalCode' as "postalCode", customer.name, customer.lastname, a.assignee_id as "personId", assignee.phone as "personPhone",
        a.confirmed_at is not null as confirmed, case when a.confirmed_at > a.starts_at then (extract(epoch from a.confirmed_at) / 60)::int end as "givenAt", a.version,
        case when a.running_late_at >= a.time_set_at then a.running_late_minutes end as told,
        (extract(epoch from a.set_out_at) / 60)::int as "setOut", (extract(epoch from a.started_at) / 60)::int as started,
        row_to_json(home) as home, case when home.latitude is not null then a.address end as booked
      from (
        select * from appointments where starts_at >= $1 and starts_at < $2
          and state in (${literals(activeStates)})
        union all
        select * from appointments where starts_at >= $1 and starts_at < $2
          and state in (${literals(doneStates)}) and state <> 'cancelled'
      ) a join users customer on customer.id = a.customer_id
        left join users assignee on assignee.id = a.assignee_id
        left join lateral (
          select latitude, longitude, street, outer_number as "outerNumber", inner_number as "innerNumber",
            postal_code as "postalCode", municipality
          from addresses where project_id = a.project_id and archived_at is null and latitude is not null
        ) home on true
      order by a.starts_at, a.id`,
    values: [toDate(from), toDate(to)],
  })
  return rows.map(({ booked, home, minutes, municipality, name, lastname, ...row }) => ({
    ...row,
    end: row.start + minutes,
    zone: zoneOf(municipality),
    pin: pinAt(booked, home),
    customer: shortName(name, lastname),
    surname: surnameOf(name, lastname),
  }))
}

type OfferRow = Omit<BoardOffer, 'end' | 'zone' | 'customer' | 'surname'> &
  Pick<Row, 'minutes' | 'municipality' | 'name' | 'lastname'>

/** The open offers that are about a day or days, or would be on them. */
async function openOffers(db: Db, { start, end }: MinuteSpan, now: Date): Promise<BoardOffer[]> {
  const { rows } = await db.$client.query<OfferRow>({
    name: 'board_offers',
    text: `select o.id, o.appointment_id as "appointmentId", o.assignee_id as "personId", o.absent_id as "absentId",
        (extract(epoch from o.from_starts_at) / 60)::int as "from", (extract(epoch from o.to_starts_at) / 60)::int as start,
        (extract(epoch from o.expires_at) / 60)::int as "expiresAt", a.service, a.minutes, a.municipality,
        customer.name, customer.lastname
      from move_offers o join appointments a on a.id = o.appointment_id join users customer on customer.id = a.customer_id
      where o.answer is null and o.expires_at > $3 and a.state = 'requested' and a.starts_at = o.from_starts_at
        and ((o.to_starts_at >= $1 and o.to_starts_at < $2) or (o.from_starts_at >= $1 and o.from_starts_at < $2))
      order by o.to_starts_at, o.id`,
    values: [toDate(start), toDate(end), now],
  })
  return rows.map(({ minutes, municipality, name, lastname, ...row }) => ({
    ...row,
    end: row.start + minutes,
    zone: zoneOf(municipality),
    customer: shortName(name, lastname),
    surname: surnameOf(name, lastname),
  }))
}

/** Someone added after the hours were read. */
const noHours = { shifts: [], timeOff: [], since: 0 }

/** The roster's people as rows again, with the shifts of one weekday. */
const peopleOn = ({ people, roster, startOf, workers }: Given, day: LocalDay): BoardPerson[] =>
  people.map(({ id, name }, person) => {
    const { shifts, since, timeOff } = workers.get(id) ?? noHours
    return {
      id,
      name,
      kind: performers[roster.kinds[person]!]!,
      active: roster.active[person] === 1,
      zones: [...Array(zoneCount).keys()].filter((zone) => roster.zones[person]! & (1 << zone)),
      shifts: shifts.filter((shift) => shift.weekday === day.weekday),
      timeOff,
      busy: spansWithin(roster.busy, person, day),
      ...(roster.papers[person]!.length > 0 && { papers: roster.papers[person]! }),
      since,
      ...(startOf.has(id) && { startZone: startOf.get(id)! }),
    }
  })

type Narrowed = { zones: readonly string[]; service: Service | undefined }
export type BoardCounts = { waiting: number; withoutPerson: number }

/** The appointments that wait for the manager in some zones (none is all) and of a service, on any day. */
export async function boardCounts(db: Db, actor: Actor, { zones, service }: Narrowed): Promise<BoardCounts> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const { rows } = await db.$client.query<BoardCounts>({
    // A text for each way of narrowing, since a plan that serves them all would use no index.
    text: `select count(*)::int as waiting, (count(*) filter (where assignee_id is null))::int as "withoutPerson"
      from appointments where state = 'requested' and service in (${literals(service ? [service] : services)})
        ${zones.length > 0 ? 'and municipality = any($1)' : ''}`,
    values: zones.length > 0 ? [[...zones]] : [],
  })
  return rows[0]!
}
