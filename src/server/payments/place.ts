import { and, desc, eq, ne } from 'drizzle-orm'
import { isActive } from '../../domain/appointment.ts'
import { appointmentPath } from '../../domain/appointment-path.ts'
import type { Queryable } from '../database/database.ts'
import { quotes } from '../database/money-schema.ts'
import { appointments } from '../database/schema.ts'

/** Where the office sees a project's money: at its newest quote, or, before there is one, at its newest visit. */
export async function accountPath(db: Queryable, projectId: string): Promise<string> {
  const [quote] = await db
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), ne(quotes.state, 'draft'), eq(quotes.kind, 'installation')))
    .orderBy(desc(quotes.createdAt))
    .limit(1)
  if (quote) return `/admin/cotizations/detail-quote/${quote.id}`
  const [visit] = await db
    .select({ id: appointments.id, service: appointments.service, state: appointments.state })
    .from(appointments)
    .where(and(eq(appointments.projectId, projectId), eq(appointments.service, 'technical_visit')))
    .orderBy(desc(appointments.createdAt))
    .limit(1)
  return visit ? appointmentPath(isActive(visit.state) ? 'pending' : 'done', visit) : '/admin/cotizations'
}
