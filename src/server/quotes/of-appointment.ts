import { and, desc, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { quoteStateBy, writesQuotes } from '../../domain/quotes/quote.ts'
import type { Db } from '../platform/database/client.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { quotesVisibleTo } from './changes.ts'

/** The quotes that were made from a visit or for an installation, the newest first; null for those who don't write any. */
export async function quotesFrom(db: Db, actor: Actor, appointmentId: string, now: Date) {
  if (!writesQuotes(actor)) return null
  const rows = await db
    .select({
      ...{ id: quotes.id, folio: quotes.folio, revision: quotes.revision },
      ...{ state: quotes.state, validUntil: quotes.validUntil },
    })
    .from(quotes)
    .where(and(eq(quotes.appointmentId, appointmentId), quotesVisibleTo(actor)))
    .orderBy(desc(quotes.createdAt))
  return rows.map(({ validUntil, ...row }) => ({
    ...row,
    state: quoteStateBy({ state: row.state, validUntil }, now),
  }))
}

export type QuotesFrom = Awaited<ReturnType<typeof quotesFrom>>
