import { sql } from 'drizzle-orm'
import type { Scope } from '../../domain/reports/report.ts'
import type { Queryable } from '../platform/database/database.ts'

/** What an option has done, without its prices; `accepted` that its customer chose it. */
export type OptionScope = { option: string; accepted: boolean; lines: Scope['lines'] }

// Taken apart in the database: whoever reads a scope is not sent an amount to leave out.
const linesOf = (
  lines: string,
) => `coalesce((select jsonb_agg(jsonb_build_object('description', line ->> 'description',
    'quantity', (line ->> 'quantity')::numeric / 1000, 'unit', line ->> 'unit') order by place)
  from jsonb_array_elements(${lines}) with ordinality as of_it (line, place)
  where line ->> 'kind' <> 'discount'), '[]')`
const chosen = `(select coalesce(jsonb_agg(line), '[]') from jsonb_array_elements(option -> 'addOns') as line
  where quotes.accepted_option = option ->> 'id' and line ->> 'id' = any (quotes.accepted_add_ons))`
const scopes = `select option ->> 'id' as option, coalesce(quotes.accepted_option = option ->> 'id', false) as accepted,
    ${linesOf(`(option -> 'lines') || ${chosen}`)} as lines
  from quotes, jsonb_array_elements(quotes.content -> 'options') with ordinality as of_it (option, place)`

/** What each option of a quote has done; of an accepted one only what was chosen, with its add-ons. */
export async function scopeOfQuote(db: Queryable, id: string): Promise<OptionScope[]> {
  const { rows } = await db.execute<OptionScope>(sql`
    select * from (${sql.raw(scopes)} where quotes.id = ${id} order by place) as scope
    where accepted or not exists (select 1 from quotes where id = ${id} and accepted_option is not null)`)
  return rows.map(({ accepted, lines, option }) => ({ option, accepted, lines }))
}

/** What was agreed to be done in a project, extra work with it; null where nothing is. */
export async function acceptedScope(db: Queryable, projectId: string): Promise<Scope | null> {
  const { rows } = await db.execute<OptionScope>(sql`
    select * from (${sql.raw(scopes)} where quotes.project_id = ${projectId} and quotes.state = 'accepted'
      order by quotes.kind = 'extra_work', quotes.accepted_at) as scope where accepted`)
  return rows.length > 0 ? { lines: rows.flatMap(({ lines }) => lines) } : null
}

/** Metres of cable that the accepted option of a project's installation includes; null where it says none. */
export async function acceptedMetres(db: Queryable, projectId: string): Promise<number | null> {
  const { rows } = await db.execute<{ tenths: number | null }>(sql`
    select (option -> 'metres' ->> 'included')::int as tenths
    from quotes, jsonb_array_elements(quotes.content -> 'options') as option
    where quotes.project_id = ${projectId} and quotes.kind = 'installation' and quotes.state = 'accepted'
      and option ->> 'id' = quotes.accepted_option`)
  const tenths = rows[0]?.tenths
  return tenths == null ? null : tenths / 10
}
