import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { type Actor, isOffice, isStaff } from '../access/rules/actor.ts'
import { readsCalls } from '../access/rules/routes.ts'
import { type Db, queryRows } from '../platform/database/client.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { addresses, projects } from '../platform/database/schema/projects.ts'
import { homeAmongAll } from '../projects/open-project.ts'
import { pinAt } from '../projects/rules/pin.ts'
import { customerIdFor } from '../projects/rules/pipeline.ts'
import type { SheetState } from '../reports/rules/report.ts'
import { currentStaffing, zoneOf } from '../scheduling/roster.ts'
import { managesSchedule, noZone, travelBetween } from '../scheduling/rules/roster.ts'
import { type LocalDay, localDate, toDate, toMinutes } from '../shared/calendar.ts'
import { type Count, countLimits, countOf, rowsPerPage } from '../shared/count.ts'
import { isSearched, type Searched, searchByWeek, yearsOf } from './export.ts'
import {
  behind,
  type Cursor,
  countUpTo,
  cursorOf,
  headOf,
  type ListFilter,
  type ListFilterInput,
  listFilterFor,
  listOrder,
  matchesSearch,
  minutesIn,
} from './list-filter.ts'
import { type AppointmentState, isActive, type Service } from './rules/appointment.ts'
import {
  addressOf,
  figuresFor,
  hasOwnDay,
  type ListFilters,
  type ListName,
  readsFirstNamesOnly,
  statesOf,
} from './rules/list.ts'
import { runningLateOf } from './rules/running-late.ts'
import { appointmentFacts, customer, presentHome, stateIn, visibleTo } from './visibility.ts'

/** One appointment as its list shows it. */
export type ListedAppointment = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  startsAt: Date
  minutes: number
  municipality: string | null
  customer: string
  /** For who may open the customer's page. */
  customerId: string | null
  /** Which one it is about, where the customer has, or had, several; for the office. */
  home: string | null
  /** The customer's, for the office. */
  phone: string | null
  assignee: string | null
  /** To call them when they are late, for the office. */
  assigneePhone: string | null
  confirmed: boolean
  /** For those who assign, while it waits for that: the version shown, and to whom it is proposed. */
  proposal: { version: number; assigneeId: string | null } | null
  /** Since when the customer of a call is in its room, for those who may go there. */
  waitingSince: Date | null
  /** Whether it answers a fault of an installation under warranty. */
  isWarranty: boolean
  /** How far its sheet is, for those who may read it. */
  sheetState: SheetState | null
}

/** What narrows a list, and where a page of it stands. */
type Filters = ListFilterInput & { after?: string }

/** `years` are those of the whole list that are not among the filter's own. */
export type AppointmentPage = Count & {
  rows: ListedAppointment[]
  /** Of all rows, where the list is asked for the hours that they take. */
  minutes: number | null
  years: number[]
  next: string | null
}

/** What is to be done, soonest first. */
export const listPending = (db: Db, actor: Actor, filters: Filters, now: Date) =>
  listPage(db, actor, 'pending', filters, now)

/** What was done or ended otherwise, newest first. */
export const listDone = (db: Db, actor: Actor, filters: Filters, now: Date) =>
  listPage(db, actor, 'done', filters, now)

/** What waits for the manager: booked, its person not confirmed. */
export const listToAssign = (db: Db, actor: Actor, filters: Filters) =>
  listPage(db, actor, 'pending', { ...filters, state: 'requested' }, new Date())

/** How many rows a list shows this actor under these filters, counted as the list does. */
async function countListed(db: Db, actor: Actor, list: ListName, filters: ListFilters, now: Date) {
  const wanted = await listFilterFor(db, actor, list, filters, now, noYears)
  const [row] = await queryRows<[counted: number]>(db, countUpTo(countLimits.rows + 1, wanted))
  return countOf(row?.[0] ?? 0)
}

/** Only a month without a year asks for years. */
const noYears = [0, 0] as const

async function listPage(
  db: Db,
  actor: Actor,
  list: ListName,
  { after, ...filters }: Filters,
  now: Date,
): Promise<AppointmentPage> {
  const asksYears = filters.month !== undefined && filters.year === undefined
  const known = yearsOf(db, actor, list)
  const wanted = await listFilterFor(db, actor, list, filters, now, asksYears ? (await known).span : noYears)
  const place = cursorOf(after)
  const read = isSearched(wanted) ? searchPage(db, wanted, place) : readPage(db, wanted, place)
  const hours = wanted.wanted.counts === 'booked' ? queryRows<[minutes: number]>(db, minutesIn(wanted)) : []
  const [{ count, listed }, { others }, sums] = await Promise.all([read, known, hours])
  const rows = listed.slice(0, rowsPerPage).map((row) => asSeenBy(actor, row))
  const last = listed.length > rowsPerPage ? rows.at(-1) : undefined
  return {
    ...count,
    rows,
    minutes: sums[0]?.[0] ?? null,
    years: others,
    next: last ? `${last.startsAt.getTime()}_${last.id}` : null,
  }
}

/** One question for the page and the count: a page costs the server more in questions than in rows. */
async function readPage(db: Db, wanted: ListFilter, after: Cursor | null): Promise<Found> {
  const ids = headOf(wanted, after, rowsPerPage + 1)
  const { beside, listed } = parted<number>(
    await queryRows(db, pageAndCount(countUpTo(countLimits.rows + 1, wanted), ids, wanted)),
  )
  return { count: countOf(beside ?? 0), listed }
}

/** An ally learns first name, car, state, type and date, and no folio to speak for a client with; a customer not who is only provisionally chosen. */
function asSeenBy(actor: Actor, row: Listed): ListedAppointment {
  const [id, folio, service, state, startsAt, municipality, customer, firstName, assignee, ...more] = row
  const [confirmed, waiting, isWarranty, sheetState, customerId, customerPhone, assigneePhone, ...held] = more
  const [version, assigneeId, home, minutes] = held
  const waitingSince = actor.kind && readsCalls(actor.kind) && isActive(state) ? waiting : null
  const phone = isOffice(actor) ? customerPhone : null
  const proposal = managesSchedule(actor) && state === 'requested' ? { version, assigneeId } : null
  const common = { id: id ?? '', folio, service, state, startsAt, confirmed, waitingSince, phone, proposal }
  if (readsFirstNamesOnly(actor))
    return {
      ...common,
      minutes,
      folio: '',
      confirmed: false,
      customer: firstName ?? '',
      customerId: null,
      home: null,
      municipality: null,
      assignee: null,
      assigneePhone: null,
      isWarranty: false,
      sheetState: null,
    }
  const isTold = isStaff(actor) || confirmed
  return {
    ...common,
    minutes,
    customer,
    customerId: customerIdFor(actor, customerId),
    home: isOffice(actor) ? home : null,
    municipality,
    assignee: isTold ? assignee : null,
    assigneePhone: isOffice(actor) ? assigneePhone : null,
    isWarranty,
    sheetState,
  }
}

/** A row of a list as it is stored. */
type Listed = [
  id: string | null,
  folio: string,
  service: Service,
  state: AppointmentState,
  startsAt: Date,
  municipality: string | null,
  customer: string,
  firstName: string | null,
  assignee: string | null,
  confirmed: boolean,
  waitingSince: Date | null,
  isWarranty: boolean,
  sheetState: SheetState | null,
  customerId: string,
  phone: string | null,
  assigneePhone: string | null,
  version: number,
  assigneeId: string | null,
  home: string | null,
  minutes: number,
]

/** One row more than a page holds says that there is another. */
type Found = { count: Count; listed: Listed[] }

/** A count beside the rows of a page, whose ids and starts `ids` finds. */
const pageAndCount = (count: SQL, ids: SQL, { order }: ListFilter) =>
  sql`select (${count}), page.* from (values (1)) one left join (${rowsOf(ids)}) page on true
    order by ${listOrder(order, 'page')}`

const rowsOf = (ids: SQL) =>
  sql`select appointments.id, appointments.folio, appointments.service, appointments.state, appointments.starts_at,
      appointments.municipality, customer.full_name, concat_ws(' · ', customer.name, (select nullif(concat_ws(' ', vehicle ->> 'brand', vehicle ->> 'model'), '')
        from projects where id = appointments.project_id and agency_id = appointments.agency_id)),
      nullif(assignee.full_name, ''), appointments.confirmed_at is not null,
      appointments.customer_waiting_since, exists (select from faults where faults.visit_id = appointments.id), sheets.state,
      appointments.customer_id, customer.phone, assignee.phone, appointments.version, appointments.assignee_id,
      ${homeAmongAll(appointments.projectId, appointments.customerId)}, appointments.minutes
    from (${ids}) head join appointments on appointments.id = head.id
      join users customer on customer.id = appointments.customer_id
      left join users assignee on assignee.id = appointments.assignee_id
      left join sheets on sheets.appointment_id = appointments.id`

/** The answer of `pageAndCount`: what stands beside the rows, and the rows. */
const parted = <Beside>(rows: readonly [beside: Beside, ...listed: Listed][]) => ({
  beside: rows[0]?.[0],
  listed: rows.flatMap(([, ...row]) => (row[0] === null ? [] : [row])),
})

/** How many rows of a list are read in its order in the hope of a page of those that are looked for. */
const nearby = 1000

/**
 * And how many of a narrowed one whose head holds some: the weeks of the index would hold thousands that its filters
 * throw away. Five in a thousand are few enough for the weeks.
 */
const farther = { rows: 5000, from: 5 }

/** How far a search counts where it does not read a list whole. */
const told = 2 * rowsPerPage

/**
 * A page of what holds some words, and its count. Of what is common a page stands near the head of the list; what is
 * rarer is found by the index of words, week by week. So neither takes longer in a long list.
 */
async function searchPage(db: Db, wanted: Searched, after: Cursor | null): Promise<Found> {
  const page = searchAfter(db, wanted, after)
  const [{ listed }, { count }] = await Promise.all([page, after ? searchAfter(db, wanted, null) : page])
  return { count, listed }
}

/** A page of what comes after a place, and how much comes there. */
async function searchAfter(db: Db, wanted: Searched, after: Cursor | null): Promise<Found> {
  const near = await nearAfter(db, wanted, after, nearby)
  if (near.found) return near.found
  const isWorthMore = !wanted.isWhole && near.matching > farther.from
  const more = isWorthMore ? await nearAfter(db, wanted, after, farther.rows) : near
  if (more.found) return more.found
  const { matching, listed } = await read(db, byWeekQuery(wanted, after))
  return { count: matching > told ? atLeast(matching) : countOf(matching), listed }
}

/** A page out of the next rows of a list; none where those behind them could change it. */
async function nearAfter(db: Db, wanted: Searched, after: Cursor | null, limit: number) {
  const { walked, matching, listed } = await read(db, nearQuery(wanted, after, limit))
  if (walked <= limit) return { matching, found: { count: countOf(matching), listed } }
  return { matching, found: listed.length > rowsPerPage ? { count: atLeast(matching), listed } : undefined }
}

/** Beyond what was read there may be none. */
const atLeast = (matching: number) => ({
  total: Math.floor((matching - 1) / rowsPerPage) * rowsPerPage,
  isMore: true,
})

async function read(db: Db, query: SQL) {
  const { beside = [0, 0], listed } = parted<[walked: number, matching: number]>(await queryRows(db, query))
  const [walked, matching] = beside
  return { walked, matching, listed }
}

/** The words are looked for row by row, and no further than they are counted unless this is the whole list. */
const nearQuery = (wanted: Searched, after: Cursor | null, limit: number) => sql`with walked as materialized (
    select id, starts_at from (${walk(wanted, after, limit + 1)}) walk
  ), length as materialized (select count(*)::int as walked from walked), matching as materialized (
    select id, starts_at from (${held(wanted, after, limit + 1)}) held
    limit (select case when walked > ${rows(limit)} then ${rows(told + 1)} end from length)
  ) ${pageOf(wanted, sql`(select walked from length)`)}`

/** Those of the rows walked that hold the words. Row after row of an index costs half of what looking for each id does. */
const held = (wanted: Searched, after: Cursor | null, limit: number) =>
  wanted.isWhole
    ? sql`select id, starts_at from (${wholeWalk(wanted, after, limit)}) appointments where ${matchesSearch(wanted.sought)}`
    : sql`select walked.id, walked.starts_at from walked cross join lateral (
        select from appointments where appointments.id = walked.id and ${matchesSearch(wanted.sought)} offset 0
      ) held`

/** The head of a list before words narrow it. Of a whole list one index holds it in order; else it is put together. */
const walk = (wanted: ListFilter, after: Cursor | null, limit: number): SQL =>
  wanted.isWhole ? wholeWalk(wanted, after, limit) : headOf(wanted, after, limit)

const wholeWalk = ({ list, order }: ListFilter, after: Cursor | null, limit: number) =>
  sql`select appointments.id, appointments.starts_at, appointments.words from appointments
    where ${stateIn(statesOf[list])} and ${behind(after, order)} order by ${listOrder(order)} limit ${rows(limit)}`

const byWeekQuery = (wanted: Searched, after: Cursor | null) =>
  sql`with matching as materialized (${searchByWeek(wanted, after, told + 1)}) ${pageOf(wanted, sql`0`)}`

const pageOf = (wanted: ListFilter, walked: SQL) =>
  pageAndCount(
    sql`select array[${walked}, (select count(*)::int from matching)]`,
    sql`select id, starts_at from matching order by ${listOrder(wanted.order, 'matching')} limit ${rows(rowsPerPage + 1)}`,
    wanted,
  )

const rows = (count: number) => sql.raw(String(count))

export type CountedFigure = Count & { label: string; one: string; many: string; to: string; urgent?: true }

/** The figures of an actor's home, each counted by the condition of the list it leads to. */
export const figuresOf = (db: Db, actor: Actor, now: Date): Promise<CountedFigure[]> =>
  Promise.all(
    figuresFor(actor).map(async (figure) => ({
      label: figure.label,
      one: figure.one,
      many: figure.many,
      to: addressOf(figure),
      ...(await countListed(db, actor, figure.list, figure.filters, now)),
    })),
  )

/** The remaining appointments of a user on some days, as `ownDays` has them. */
export const ownStops = async (db: Db, actor: Actor, first: LocalDay, last: LocalDay) =>
  (await ownDays(db, actor, first, last)).filter(({ state }) => isActive(state))

/**
 * The appointments of a user on some days but the cancelled ones, in order, each with the travel minutes from the previous
 * one, the first of a day from where they said that their days begin.
 */
export async function ownDays(db: Db, actor: Actor, first: LocalDay, last: LocalDay) {
  if (!hasOwnDay(actor)) return []
  const [rows, { startOf, travel }] = await Promise.all([
    stopsBetween(db, actor, toDate(first.start), toDate(last.end)),
    currentStaffing(db),
  ])
  return rows.map(({ delay, home, ...row }, at) => {
    const before = rows[at - 1]
    const isSameDay = before && dateOf(before) === dateOf(row)
    const from = isSameDay ? zoneOf(before.municipality) : (startOf.get(actor.id) ?? noZone)
    const minutes = travelBetween(travel, from, zoneOf(row.municipality))
    const runningLate = runningLateOf({ ...row, ...delay }, new Date())
    return { ...row, runningLate, pin: pinAt(row.address, home), date: dateOf(row), travel: minutes }
  })
}

export type OwnStop = Awaited<ReturnType<typeof ownStops>>[number]

const dateOf = ({ startsAt }: { startsAt: Date }) => localDate(toMinutes(startsAt))

const stopsBetween = (db: Db, actor: Actor, from: Date, to: Date) =>
  db
    .select({
      ...appointmentFacts,
      customer: customer.fullName,
      phone: customer.phone,
      notes: appointments.notes,
      startedAt: appointments.startedAt,
      delay: {
        timeSetAt: appointments.timeSetAt,
        runningLateMinutes: appointments.runningLateMinutes,
        runningLateAt: appointments.runningLateAt,
      },
      waitingSince: appointments.customerWaitingSince,
      home: addresses,
    })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(addresses, presentHome)
    .where(
      and(
        visibleTo(actor),
        eq(appointments.assigneeId, actor.id),
        sql`${appointments.confirmedAt} is not null and ${appointments.state} <> 'cancelled'`,
        sql`${appointments.startsAt} >= ${from} and ${appointments.startsAt} < ${to}`,
      ),
    )
    .orderBy(asc(appointments.startsAt), asc(appointments.id))
