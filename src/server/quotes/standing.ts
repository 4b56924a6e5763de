import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { openPaymentStates } from '../../domain/payments/payment.ts'
import type { MoneyFacts, OpenDemand, PartQuote } from '../../domain/projects/next-step.ts'
import { isOpenQuote, quoteStateBy } from '../../domain/quotes/quote.ts'
import { prepared, type Queryable } from '../platform/database/database.ts'
import { listed } from '../platform/database/literals.ts'
import { payments, quotes } from '../platform/database/schema/money-schema.ts'
import { wasAskedAnew } from './renewal.ts'

const ofQuote = {
  ...{ kind: quotes.kind, state: quotes.state, validUntil: quotes.validUntil, sentAt: quotes.sentAt },
  ...{ answeredAt: quotes.answeredAt, endedAt: quotes.endedAt },
}
const ofDemand = { concept: payments.concept, state: payments.state, since: payments.updatedAt }
const isOpenDemand = sql`${payments.state} in (${listed(openPaymentStates)})`

const newestQuotes = prepared((db) =>
  db
    .selectDistinctOn([quotes.kind], ofQuote)
    .from(quotes)
    .where(and(eq(quotes.projectId, sql.placeholder('projectId')), isNotNull(quotes.sentAt)))
    .orderBy(quotes.kind, desc(quotes.sentAt))
    .prepare('newest_quotes'),
)
type Newest = Awaited<ReturnType<ReturnType<typeof newestQuotes>['execute']>>[number]

const openDemands = prepared((db) =>
  db
    .select(ofDemand)
    .from(payments)
    .where(and(eq(payments.projectId, sql.placeholder('projectId')), isOpenDemand))
    .prepare('open_demands'),
)

/** What of its quotes and payments a project's standing follows from. */
export async function moneyOfProject(db: Queryable, projectId: string, now: Date): Promise<MoneyFacts> {
  const [newest, demands] = await Promise.all([
    newestQuotes(db).execute({ projectId }),
    openDemands(db).execute({ projectId }),
  ])
  return factsFrom(newest, demands as OpenDemand[], now)
}

function factsFrom(newest: readonly Newest[], demands: readonly OpenDemand[], now: Date): MoneyFacts {
  const main = newest.find(({ kind }) => kind === 'installation')
  const extra = newest.find(({ kind }) => kind === 'extra_work')
  return {
    quote: main ? partOf(main, now) : null,
    extraWorkSince: extra && isOpenQuote(quoteStateBy(extra, now)) ? extra.sentAt : null,
    demands,
  }
}

/** The same of some projects, by project; those without a quote or a demand are not there. */
export async function moneyOfProjects(
  db: Queryable,
  projectIds: readonly string[],
  now: Date,
): Promise<Map<string, MoneyFacts>> {
  const ids = [...projectIds]
  const newest = await db
    .selectDistinctOn([quotes.projectId, quotes.kind], { projectId: quotes.projectId, ...ofQuote })
    .from(quotes)
    .where(and(inArray(quotes.projectId, ids), isNotNull(quotes.sentAt)))
    .orderBy(quotes.projectId, quotes.kind, desc(quotes.sentAt))
  const demands = await db
    .select({ projectId: payments.projectId, ...ofDemand })
    .from(payments)
    .where(and(inArray(payments.projectId, ids), isOpenDemand))
  const [quotesOf, demandsOf] = [Map.groupBy(newest, projectOf), Map.groupBy(demands, projectOf)]
  const known = new Set([...quotesOf.keys(), ...demandsOf.keys()])
  return new Map(
    [...known].map((id) => [
      id,
      factsFrom(quotesOf.get(id) ?? [], (demandsOf.get(id) ?? []) as OpenDemand[], now),
    ]),
  )
}

const projectOf = ({ projectId }: { projectId: string }) => projectId

function partOf(quote: Newest, now: Date): PartQuote {
  const { answeredAt, endedAt, sentAt, validUntil } = quote
  const state = quoteStateBy(quote, now)
  const askedAnew = wasAskedAnew(quote)
  const ended = state === 'expired' ? validUntil : (endedAt ?? answeredAt)
  const since = askedAnew ? answeredAt : isOpenQuote(state) ? sentAt : ended
  return { state, validUntil, askedAnew, since: since ?? now }
}
