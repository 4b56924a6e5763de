import { type SQL, sql } from 'drizzle-orm'
import { type ListName, statesOf } from '../../domain/appointments/list.ts'
import { behind, type Cursor, inOrder, type Narrowed, type Sought, spansAfter, timesOf } from './narrowed.ts'
import { stateIn } from './visible.ts'

/** A list narrowed by words. */
export type Searched = Narrowed & { sought: Sought }
export const isSearched = (wanted: Narrowed): wanted is Searched => wanted.sought !== undefined

// Selected on their own, both patterns are made once for a query, and not once for each row and week.
const pattern = ({ words }: Sought) => sql`beginning_with(${sql.param(words)}::text[])`

/** Whether a row holds what begins with each of the words. */
export const holds = (sought: Sought) =>
  sql`appointments.words @@ (select format(${pattern(sought)}, '', ${sought.weights}::text)::tsquery)`

const heldInWeek = (sought: Sought) =>
  sql`words_of_week(appointments.words, appointments.starts_at)
    @@ format((select ${pattern(sought)}), weeks.week || ' ', '')::tsquery`

/**
 * The first rows after a place that hold some words, by id and start. The loop goes through the weeks in the order of the
 * list, each of which the index of words knows whole, and stops as soon as there are enough. "Offset 0" leaves the planner
 * no other index.
 */
export function byWeek(
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
      where ${holds(sought)} and appointments.starts_at >= weeks.since and appointments.starts_at < weeks.until
        and appointments.state = any(${sql.param(wanted.states)}) and appointments.service = any(${sql.param(wanted.services)})
        and ${within ?? sql`true`} and ${behind(after, order)}
      order by ${inOrder(order)}
    ) found limit ${sql.raw(String(limit))}`
}

/** From the first start of a list to the last. */
const extentOf = (list: ListName) =>
  sql`(select min(starts_at) as first, max(starts_at) as last from appointments where ${stateIn(statesOf[list])}) extent`
