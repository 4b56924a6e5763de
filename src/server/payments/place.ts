import { and, desc, eq, ne } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { quotes } from '../database/money-schema.ts'

/** Where the office sees a project's money: at its newest quote, or by itself before there is one. */
export async function accountPath(db: Queryable, projectId: string): Promise<string> {
  const [quote] = await db
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), ne(quotes.state, 'draft'), eq(quotes.kind, 'installation')))
    .orderBy(desc(quotes.createdAt))
    .limit(1)
  return quote ? `/admin/cotizations/detail-quote/${quote.id}` : `/admin/cotizations/cobros/${projectId}`
}
