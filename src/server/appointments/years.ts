import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { services, yearOptions } from '../../domain/appointments/appointment.ts'
import { type ListName, statesOf } from '../../domain/appointments/list.ts'
import { timeZone } from '../../domain/shared/calendar.ts'
import { type Db, planned } from '../platform/database/database.ts'
import { visibleTo } from './visible.ts'

/** The years of a list: from the first to the last, and those with appointments that no filter offers by itself. */
export type Years = { span: readonly [first: number, last: number]; others: number[] }

export async function yearsOf(db: Db, actor: Actor, list: ListName): Promise<Years> {
  const [row] = await planned<[first: number | null, last: number | null, others: number[]]>(
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
