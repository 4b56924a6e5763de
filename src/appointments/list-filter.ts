import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Actor, StaffKind } from '../access/rules/actor.ts'
import { type Db, isId, queryRows } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { dayOf, daysFrom, toDate, toMinutes } from '../shared/calendar.ts'
import { searchWords } from '../shared/search.ts'
import { waitsForOffice } from './report-and-call.ts'
import {
  type AppointmentState,
  activeStates,
  appointmentStates,
  failedStates,
  onSiteServices,
  performers,
  type Service,
  services,
} from './rules/appointment.ts'
import { notBegunStates } from './rules/late.ts'
import {
  type AppointmentFigure,
  type DateSpan,
  filtersFor,
  hasOwnDay,
  type ListConditions,
  type ListFilters,
  type ListName,
  noPerson,
  readsFirstNamesOnly,
  wantedOf,
} from './rules/list.ts'
import { stateIn, visibleTo } from './visibility.ts'

/** The order of a list: soonest or latest first. */
type Order = 'asc' | 'desc'
const orderOf: Record<ListName, Order> = { pending: 'asc', done: 'desc' }
const reverse: Record<Order, Order> = { asc: 'desc', desc: 'asc' }

/** What an address holds, and what only other screens ask for. */
export type ListFilterInput = ListFilters & {
  /** Municipalities; none is all of them. */
  zones?: readonly string[]
  /** Only what no one carries out. */
  nobody?: boolean
  /** Only these. */
  ids?: readonly string[]
}

/** What an actor's filters come to on a list: the sets a row's state, service and start must be in, and the rest as SQL. */
export type ListFilter = {
  list: ListName
  order: Order
  wanted: ListConditions
  within: SQL | undefined
  /** Whether nothing but words narrows it. */
  isWhole: boolean
  sought: SearchTerms | undefined
}

/** The words looked for, and where in a row's words they count. */
export type SearchTerms = { words: readonly string[]; weights: string }

// Selected on their own, both patterns are made once for a query, and not once for each row and week.
export const pattern = ({ words }: SearchTerms) => sql`beginning_with(${sql.param(words)}::text[])`

/** Whether a row holds what begins with each of the words. */
export const matchesSearch = (sought: SearchTerms) =>
  sql`appointments.words @@ (select format(${pattern(sought)}, '', ${sought.weights}::text)::tsquery)`

/** The condition that filters are on a list, for an actor; what is not theirs to narrow by is left out. */
export async function listFilterFor(
  db: Db,
  actor: Actor,
  list: ListName,
  { zones = [], nobody = false, ids, ...asked }: ListFilterInput,
  now: Date,
  years: readonly [first: number, last: number],
): Promise<ListFilter> {
  const ordered = asked.order ? { order: asked.order } : {}
  // Ticked rows are wanted whatever the filters say of them by now.
  const filters = actor.kind ? filtersFor(list, actor.kind, ids ? ordered : asked) : {}
  const wanted = { ...wantedOf(list, filters, now, years), ...(ids && { states: appointmentStates }) }
  const { order, text, ...rest } = filters
  const words = searchWords(text)
  const { counts } = wanted
  const sought = words.length === 0 ? undefined : { words, weights: weightsFor(actor) }
  const visible = findsNothing(actor, words) ? none : visibleTo(actor)
  return {
    list,
    order: order ? reverse[orderOf[list]] : orderOf[list],
    wanted,
    within: and(
      visible,
      narrowedBy(filters),
      zones.length > 0 ? inArray(appointments.municipality, [...zones]) : undefined,
      nobody || wanted.nobody ? isNull(appointments.assigneeId) : undefined,
      wanted.inReview ? inReview : undefined,
      counts && countedAs(counts, (await currentStaffing(db)).settings.arrivalWindowMinutes, now),
      // The rows of a figure are in both lists, each of which has an index of words of its own.
      counts && sought && matchesSearch(sought),
      ids && inArray(appointments.id, ids.filter(isId)),
    ),
    isWhole: visible === undefined && !ids && !nobody && zones.length === 0 && Object.keys(rest).length === 0,
    sought: counts ? undefined : sought,
  }
}

const none = sql`false`

/** The index of words holds folios beside first names: an ally, who reads none, finds no client by anything with a digit in it. */
const findsNothing = (actor: Actor, words: readonly string[]) =>
  readsFirstNamesOnly(actor) && words.some((word) => /\d/.test(word))

const inReview = sql`${appointments.id} in (select appointment_id from sheets where ${waitsForOffice})`

const narrowedBy = ({ zone, person }: ListFilters) =>
  and(
    zone === undefined ? undefined : eq(appointments.municipality, zone),
    person === undefined
      ? undefined
      : person === noPerson
        ? isNull(appointments.assigneeId)
        : isId(person)
          ? eq(appointments.assigneeId, person)
          : sql`false`,
  )

/** The appointments that a figure counts: every sum, list and file of that figure has this condition. */
export function countedAs(figure: AppointmentFigure, arrivalWindowMinutes: number, now: Date): SQL {
  const { assigneeId, service, startedAt, startsAt, state } = appointments
  const latest = sql`${startsAt} + make_interval(mins => ${arrivalWindowMinutes})`
  // What could still begin and did not within its window is late, too.
  const due = sql`${service} in (${listed(onSiteServices)})
    and (${startedAt} is not null or ${state} in (${listed(notBegunStates)}) and ${latest} < ${now})`
  const figures: Record<AppointmentFigure, SQL> = {
    due,
    onTime: sql`${due} and ${startedAt} <= ${latest}`,
    late: sql`${due} and (${startedAt} is null or ${startedAt} > ${latest})`,
    booked: sql`${state} not in (${listed(failedStates)})
      and ${assigneeId} in (select id from users where role = 'staff' and active and kind in (${listed(performers)}))`,
  }
  return sql`(${figures[figure]})`
}

/** Allies read a client's first name only, and find no client by anything else. */
const weights: Record<StaffKind, string> = {
  manager: '',
  analyst: '',
  tecnician: '',
  gester: '',
  alliate: 'a',
}
const weightsFor = ({ kind }: Actor) => (kind ? weights[kind] : 'a')

/** A place in a list: right after this row. */
export type Cursor = { at: Date; id: string }

export function cursorOf(after: string | undefined): Cursor | null {
  const [start = '', id = ''] = after?.split('_') ?? []
  return /^\d{1,14}$/.test(start) && isId(id) ? { at: new Date(Number(start)), id } : null
}

/**
 * The first rows of a list after a place, by id and start. Each combination of state, service and time is one stretch of
 * an index in the order of the list: its head is enough, however rare a row is.
 */
export function headOf({ wanted, within, order }: ListFilter, after: Cursor | null, limit: number): SQL {
  const spans = spansAfter(after, wanted.spans, order)
  const rows = sql.raw(String(limit))
  return sql`select stretch.id, stretch.starts_at from ${combinations({ ...wanted, spans })} cross join lateral (
      select appointments.id, appointments.starts_at from appointments
      where ${inStretch} and ${within ?? sql`true`} and ${behind(after, order)}
      order by ${listOrder(order)} limit ${rows}
    ) stretch order by ${listOrder(order, 'stretch')} limit ${rows}`
}

/** How many rows a list holds, at most `limit`. */
export const countUpTo = (limit: number, { wanted, within }: ListFilter): SQL =>
  sql`select count(*)::int from (select 1 from ${combinations(wanted)} cross join lateral (
      select 1 from appointments where ${inStretch} and ${within ?? sql`true`} limit ${sql.raw(String(limit))}
    ) stretch limit ${sql.raw(String(limit))}) counted`

/** The minutes that the rows of a list take together. */
export const minutesIn = ({ wanted, within }: ListFilter) =>
  sql`select coalesce(sum(appointments.minutes), 0)::int from ${combinations(wanted)} join appointments on ${inStretch}
    where ${within ?? sql`true`}`

const combinations = ({ states, services, spans }: Pick<ListConditions, 'states' | 'services' | 'spans'>) =>
  sql`unnest(${sql.param(states)}::text[]) of_state (state)
    cross join unnest(${sql.param(services)}::text[]) of_service (service) cross join ${timesOf(spans)}`

/** Stretches of time as rows `of_time` with `since` and `until`. */
export const timesOf = (spans: readonly DateSpan[]) =>
  sql`unnest(${sql.param(spans.map(({ from }) => from))}::timestamptz[],
    ${sql.param(spans.map(({ until }) => until))}::timestamptz[]) of_time (since, until)`

const inStretch = sql`appointments.state = of_state.state and appointments.service = of_service.service
  and appointments.starts_at >= of_time.since and appointments.starts_at < of_time.until`

export const listOrder = (order: Order, table = 'appointments') =>
  sql.raw(`${table}.starts_at ${order}, ${table}.id ${order}`)

/** What comes after a place. Among the rows that start with it, the id decides. */
export const behind = (after: Cursor | null, order: Order): SQL =>
  after
    ? sql`(appointments.starts_at, appointments.id) ${sql.raw(order === 'asc' ? '>' : '<')} (${after.at}, ${after.id}::uuid)`
    : sql`true`

/** The parts of stretches that are not before a place: the index is entered there. */
export const spansAfter = (after: Cursor | null, spans: readonly DateSpan[], order: Order) =>
  after ? spans.flatMap((span) => beyond(span, after, order)) : spans

function beyond({ from, until }: DateSpan, { at }: Cursor, order: Order): DateSpan[] {
  const rest =
    order === 'asc'
      ? { from: at > from ? at : from, until }
      : { from, until: at < until ? new Date(at.getTime() + 1) : until }
  return rest.from < rest.until ? [rest] : []
}

/** How many appointments of each service a local day holds; a service without any is left out. */
export type DayLoad = { date: string; services: Partial<Record<Service, number>>; total: number }

/** What the days from today on hold, each as the list of that day counts it: a stretch of an index for each day and service. */
export async function daysAhead(db: Db, actor: Actor, now: Date, count: number): Promise<DayLoad[]> {
  const days = daysFrom(toMinutes(now), count).map(({ date, start, end }) => {
    return { date, from: toDate(start), until: toDate(end) }
  })
  const rows = await queryRows<[since: Date, service: Service, count: number]>(
    db,
    sql`select since, service, counted.total from ${timesOf(days)}
      cross join unnest(${sql.param(services)}::text[]) of_service (service) cross join lateral (
        select count(*)::int as total from appointments where ${and(visibleTo(actor), stateIn(activeStates))}
          and appointments.service = of_service.service
          and appointments.starts_at >= since and appointments.starts_at < until
      ) counted where counted.total > 0`,
  )
  return days.map(({ date, from }) => {
    const own = rows.filter(([since]) => since.getTime() === from.getTime())
    return {
      date,
      services: Object.fromEntries(own.map(([, service, some]) => [service, some])),
      total: own.reduce((sum, [, , some]) => sum + some, 0),
    }
  })
}

/** What a person carries out next. */
export type NextOwn = {
  id: string
  service: Service
  state: AppointmentState
  startsAt: Date
  municipality: string | null
  customer: string
}

/** The first of a person's own that is not over, from today on; null when there is none, or they carry nothing out. */
export async function nextOwn(db: Db, actor: Actor, now: Date): Promise<NextOwn | null> {
  if (!hasOwnDay(actor)) return null
  const today = toDate(dayOf(toMinutes(now)).start)
  const [row] = await queryRows<[string, Service, AppointmentState, Date, string | null, string]>(
    db,
    sql`select appointments.id, service, state, starts_at, municipality, customer.full_name
      from appointments join users customer on customer.id = appointments.customer_id
      where assignee_id = ${actor.id} and confirmed_at is not null and ${stateIn(activeStates)} and starts_at >= ${today}
      order by starts_at, appointments.id limit 1`,
  )
  if (!row) return null
  const [id, service, state, startsAt, municipality, customer] = row
  return { id, service, state, startsAt, municipality, customer }
}
