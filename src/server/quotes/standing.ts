import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { MoneyFacts, OpenDemand, PartQuote } from '../../domain/money-standing.ts'
import { isOpenQuote, quoteStateBy } from '../../domain/quote.ts'
import { prepared, type Queryable } from '../database/database.ts'
import { payments, quotes } from '../database/money-schema.ts'
import { wasAskedAnew } from './renewal.ts'

const newestQuotes = prepared((db) =>
  db
    .selectDistinctOn([quotes.kind], {
      ...{ kind: quotes.kind, state: quotes.state, validUntil: quotes.validUntil, sentAt: quotes.sentAt },
      ...{ answeredAt: quotes.answeredAt, endedAt: quotes.endedAt },
    })
    .from(quotes)
    .where(and(eq(quotes.projectId, sql.placeholder('projectId')), isNotNull(quotes.sentAt)))
    .orderBy(quotes.kind, desc(quotes.sentAt))
    .prepare('newest_quotes'),
)
type Newest = Awaited<ReturnType<ReturnType<typeof newestQuotes>['execute']>>[number]

const openDemands = prepared((db) =>
  db
    .select({ concept: payments.concept, state: payments.state, since: payments.updatedAt })
    .from(payments)
    .where(
      and(
        eq(payments.projectId, sql.placeholder('projectId')),
        sql`${payments.state} in ('pending', 'in_review')`,
      ),
    )
    .prepare('open_demands'),
)

/** What of its quotes and payments a project's standing follows from. */
export async function moneyOfProject(db: Queryable, projectId: string, now: Date): Promise<MoneyFacts> {
  const [newest, demands] = await Promise.all([
    newestQuotes(db).execute({ projectId }),
    openDemands(db).execute({ projectId }),
  ])
  const main = newest.find(({ kind }) => kind === 'installation')
  const extra = newest.find(({ kind }) => kind === 'extra_work')
  return {
    quote: main ? partOf(main, now) : null,
    extraWorkSince: extra && isOpenQuote(quoteStateBy(extra, now)) ? extra.sentAt : null,
    demands: demands as OpenDemand[],
  }
}

function partOf(quote: Newest, now: Date): PartQuote {
  const { answeredAt, endedAt, sentAt, validUntil } = quote
  const state = quoteStateBy(quote, now)
  const askedAnew = wasAskedAnew(quote)
  const ended = state === 'expired' ? validUntil : (endedAt ?? answeredAt)
  const since = askedAnew ? answeredAt : isOpenQuote(state) ? sentAt : ended
  return { state, validUntil, askedAnew, since: since ?? now }
}
