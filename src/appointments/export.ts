import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { exportsLists } from '../access/rules/actor.ts'
import { type Db, queryRows } from '../platform/database/client.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { homeAmongAll } from '../projects/open-project.ts'
import { timeZone } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import {
  behind,
  type Cursor,
  headOf,
  type ListFilter,
  type ListFilterInput,
  listFilterFor,
  listOrder,
  matchesSearch,
  pattern,
  type SearchTerms,
  spansAfter,
  timesOf,
} from './list-filter.ts'
import {
  type AppointmentState,
  type ClosingReason,
  type Outcome,
  type Service,
  services,
  yearOptions,
} from './rules/appointment.ts'
import { type ListName, statesOf } from './rules/list.ts'
import { stateIn, visibleTo } from './visibility.ts'

/** One appointment with the data of its export. */
export type Exported = {
  id: string
  startsAt: Date
  folio: string
  service: Service
  state: AppointmentState
  minutes: number
  customer: string
  phone: string | null
  email: string
  municipality: string | null
  postalCode: string | null
  /** With its number. */
  street: string | null
  /** Where the customer has, or had, several. */
  home: string | null
  assignee: string | null
  confirmed: boolean
  outcome: Outcome | null
  closingReason: ClosingReason | null
  closingNote: string | null
}

/** How many rows are in memory at once. */
const chunk = 1000

/** All rows of a list under some filters, chunk by chunk, for the office only. Each chunk is read when it is asked for. */
export async function exportOf(db: Db, actor: Actor, list: ListName, filters: ListFilterInput, now: Date) {
  if (!exportsLists(actor)) refuse('not-found')
  const { span } = await yearsOf(db, actor, list)
  return chunks(db, await listFilterFor(db, actor, list, filters, now, span))
}

async function* chunks(db: Db, wanted: ListFilter): AsyncGenerator<Exported[]> {
  let after: Cursor | null = null
  do {
    const rows: Exported[] = (await queryRows<Row>(db, rowsOf(wanted, after))).map(exported)
    yield rows
    const last = rows.at(-1)
    after = last && rows.length === chunk ? { at: last.startsAt, id: last.id } : null
  } while (after)
}

const idsOf = (wanted: ListFilter, after: Cursor | null): SQL =>
  isSearched(wanted) ? searchByWeek(wanted, after, chunk) : headOf(wanted, after, chunk)

const rowsOf = (wanted: ListFilter, after: Cursor | null) =>
  sql`select appointments.id, appointments.starts_at, appointments.folio, appointments.service, appointments.state,
      appointments.minutes, customer.full_name, customer.phone, customer.email,
      appointments.municipality, appointments.address ->> 'postalCode',
      nullif(concat_ws(' ', appointments.address ->> 'street', appointments.address ->> 'outerNumber',
        'int. ' || (appointments.address ->> 'innerNumber')), ''),
      ${homeAmongAll(appointments.projectId, appointments.customerId)},
      nullif(assignee.full_name, ''), appointments.confirmed_at is not null,
      appointments.outcome, appointments.closing_reason, appointments.closing_note
    from (${idsOf(wanted, after)}) head join appointments on appointments.id = head.id
      join users customer on customer.id = appointments.customer_id
      left join users assignee on assignee.id = appointments.assignee_id
    order by ${listOrder(wanted.order, 'head')}`

type Row = [
  id: string,
  startsAt: Date,
  folio: string,
  service: Service,
  state: AppointmentState,
  minutes: number,
  customer: string,
  phone: string | null,
  email: string,
  municipality: string | null,
  postalCode: string | null,
  street: string | null,
  home: string | null,
  assignee: string | null,
  confirmed: boolean,
  outcome: Outcome | null,
  closingReason: ClosingReason | null,
  closingNote: string | null,
]

function exported(row: Row): Exported {
  const [id, startsAt, folio, service, state, minutes, customer, phone, email, municipality, ...more] = row
  const [postalCode, street, home, assignee, confirmed, outcome, closingReason, closingNote] = more
  const what = { id, startsAt, folio, service, state, minutes }
  const who = { customer, phone, email, municipality, postalCode, street, home, assignee, confirmed }
  return { ...what, ...who, outcome, closingReason, closingNote }
}

/** The years of a list: from the first to the last, and those with appointments that no filter offers by itself. */
type Years = { span: readonly [first: number, last: number]; others: number[] }

export async function yearsOf(db: Db, actor: Actor, list: ListName): Promise<Years> {
  const [row] = await queryRows<[first: number | null, last: number | null, others: number[]]>(
    db,
    yearsQuery(actor, list),
  )
  const [first, last, others] = row ?? [null, null, []]
  return { span: [first ?? yearOptions[0], last ?? yearOptions[0]], others }
}

const yearsQuery = (actor: Actor, list: ListName) => sql`
  with span as (
    select (select ${localYear(sql`min(starts_at)`)} from ${heads(actor, list, sql`true`, 'asc')}) as first,
      (select ${localYear(sql`max(starts_at)`)} from ${heads(actor, list, sql`true`, 'desc')}) as last
  )
  select first, last, array(
    select year from generate_series(first, last) year
    where year <> all(${sql.param(yearOptions)}::int[]) and exists (select 1 from ${heads(actor, list, ofYear, 'asc')})
    order by year
  ) from span`

const localYear = (at: SQL) => sql`extract(year from ${at} at time zone ${sql.raw(`'${timeZone}'`)})::int`
const newYear = (year: SQL) => sql`make_timestamptz(${year}, 1, 1, 0, 0, 0, ${sql.raw(`'${timeZone}'`)})`
const ofYear = sql`starts_at >= ${newYear(sql`year`)} and starts_at < ${newYear(sql`year + 1`)}`

/** The first start of each state and service of a list: a few entries of an index, however long the list is. */
const heads = (actor: Actor, list: ListName, within: SQL, order: 'asc' | 'desc') =>
  sql`unnest(${sql.param(statesOf[list])}::text[]) of_state (state)
    cross join unnest(${sql.param(services)}::text[]) of_service (service)
    cross join lateral (
      select starts_at from appointments where appointments.state = of_state.state
        and appointments.service = of_service.service and ${within} and ${visibleTo(actor) ?? sql`true`}
      order by starts_at ${sql.raw(order)} limit 1
    ) head`

/** A list narrowed by words. */
export type Searched = ListFilter & { sought: SearchTerms }
export const isSearched = (wanted: ListFilter): wanted is Searched => wanted.sought !== undefined

const heldInWeek = (sought: SearchTerms) =>
  sql`words_of_week(appointments.words, appointments.starts_at)
    @@ format((select ${pattern(sought)}), weeks.week || ' ', '')::tsquery`

/**
 * The first rows after a place that hold some words, by id and start. The loop goes through the weeks in the order of the
 * list, each of which the index of words knows whole, and stops as soon as there are enough. "Offset 0" leaves the planner
 * no other index.
 */
export function searchByWeek(
  { list, order, wanted, within, sought }: Searched,
  after: Cursor | null,
  limit: number,
): SQL {
  const spans = spansAfter(after, wanted.spans, order)
  return sql`select found.id, found.starts_at from (
      select week, since, until from ${extentOf(list)}, ${timesOf(spans)},
        generate_series(week_of(greatest(since, first)), week_of(least(until, last))) week
      where first is not null order by week ${sql.raw(order)}, since ${sql.raw(order)}
    ) weeks cross join lateral (
      select appointments.id, appointments.starts_at from (
        select appointments.* from appointments where ${stateIn(statesOf[list])} and ${heldInWeek(sought)} offset 0
      ) appointments
      where ${matchesSearch(sought)} and appointments.starts_at >= weeks.since and appointments.starts_at < weeks.until
        and appointments.state = any(${sql.param(wanted.states)}) and appointments.service = any(${sql.param(wanted.services)})
        and ${within ?? sql`true`} and ${behind(after, order)}
      order by ${listOrder(order)}
    ) found limit ${sql.raw(String(limit))}`
}

/** From the first start of a list to the last. */
const extentOf = (list: ListName) =>
  sql`(select min(starts_at) as first, max(starts_at) as last from appointments where ${stateIn(statesOf[list])}) extent`
