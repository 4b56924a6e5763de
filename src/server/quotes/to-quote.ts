import { sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { writesQuotes } from '../../domain/quotes/quote.ts'
import type { Db } from '../platform/database/database.ts'

/** A visit whose approved report nobody has made a quote of yet. */
export type ToQuote = {
  appointmentId: string
  folio: string
  customer: string
  municipality: string | null
  approvedAt: Date
}

const shown = 8

/**
 * What waits for a quote, the longest first: the last visit of an open project, its report approved and the place viable,
 * and no quote of the project yet. A visit that answers a fault is none of them.
 */
export async function listToQuote(db: Db, actor: Actor): Promise<{ total: number; rows: ToQuote[] }> {
  if (!writesQuotes(actor)) return { total: 0, rows: [] }
  const { rows } = await db.execute<Row>(sql`
    select visit.id, visit.folio, visit.municipality, sheets.reviewed_at,
      customer.full_name as customer, count(*) over ()::int as total
    from sheets join appointments visit on visit.id = sheets.appointment_id
      join projects on projects.id = visit.project_id and projects.closed_at is null
      join users customer on customer.id = visit.customer_id
    where sheets.kind = 'visit' and sheets.state = 'approved'
      and not exists (select from sheet_answers where appointment_id = visit.id and name = 'feasibility' and value = '"not_viable"')
      and not exists (select from faults where faults.visit_id = visit.id)
      and not exists (select from quotes where quotes.project_id = visit.project_id and quotes.kind = 'installation'
        and not (quotes.state = 'withdrawn' and quotes.sent_at is null))
      and not exists (select from appointments later join sheets written on written.appointment_id = later.id
        where later.project_id = visit.project_id and later.service = 'technical_visit' and later.starts_at > visit.starts_at)
    order by sheets.reviewed_at, visit.id limit ${shown}`)
  return { total: rows[0]?.total ?? 0, rows: rows.map(toQuote) }
}

type Row = {
  id: string
  folio: string
  municipality: string | null
  reviewed_at: Date
  customer: string
  total: number
}

const toQuote = ({ id, folio, municipality, reviewed_at, customer }: Row): ToQuote => ({
  ...{ appointmentId: id, folio, municipality, customer, approvedAt: new Date(reviewed_at) },
})
