import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Queryable } from '../platform/database/database.ts'
import { quotes } from '../platform/database/schema/money-schema.ts'

/** Where the office sees a project's money: at its newest quote, or by itself before there is one. */
export async function accountPath(db: Queryable, projectId: string): Promise<string> {
  const [quote] = await db
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), ne(quotes.state, 'draft'), eq(quotes.kind, 'installation')))
    .orderBy(desc(quotes.createdAt))
    .limit(1)
  return pathOf(projectId, quote?.id ?? null)
}

/** The same for a query that names its projects. */
export const newestQuoteOf = (projectId: unknown) => sql<string | null>`
  (select newest.id from quotes newest where newest.project_id = ${projectId}
    and newest.state <> 'draft' and newest.kind = 'installation' order by newest.created_at desc limit 1)`

/** The screen that shows it, given the quote that stands for it. */
export const pathOf = (projectId: string, quoteId: string | null) =>
  quoteId ? `/admin/cotizations/detail-quote/${quoteId}` : `/admin/cotizations/cobros/${projectId}`
