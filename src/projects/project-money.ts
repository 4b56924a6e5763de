import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { openPaymentStates } from '../payments/rules/payment.ts'
import { type Db, isId, prepared, type Queryable } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { payments, quotes } from '../platform/database/schema/payments.ts'
import { isOpenQuote, quoteStateBy } from '../quotes/rules/quote.ts'
import type { Scope } from '../reports/rules/report.ts'
import type { MoneyFacts, PartQuote } from './rules/next-step.ts'
import type { OpenCharge } from './rules/stages.ts'

/** Whether a quote's customer asked for another one after it ended. */
export const isRequoteAsked = ({ answeredAt, endedAt }: { answeredAt: Date | null; endedAt: Date | null }) =>
  answeredAt !== null && endedAt !== null && answeredAt > endedAt

const ofQuote = {
  kind: quotes.kind,
  state: quotes.state,
  validUntil: quotes.validUntil,
  sentAt: quotes.sentAt,
  answeredAt: quotes.answeredAt,
  endedAt: quotes.endedAt,
}
const ofCharge = {
  concept: payments.concept,
  state: payments.state,
  since: payments.updatedAt,
  amount: payments.amount,
  dueAt: payments.dueAt,
  isRest: sql<boolean>`${payments.followsId} is not null`,
  refused: payments.rejectedReason,
}
const isOpenCharge = sql`${payments.state} in (${listed(openPaymentStates)})`

const newestQuotes = prepared((db) =>
  db
    .selectDistinctOn([quotes.kind], ofQuote)
    .from(quotes)
    .where(and(eq(quotes.projectId, sql.placeholder('projectId')), isNotNull(quotes.sentAt)))
    .orderBy(quotes.kind, desc(quotes.sentAt))
    .prepare('newest_quotes'),
)
type Newest = Awaited<ReturnType<ReturnType<typeof newestQuotes>['execute']>>[number]

const openCharges = prepared((db) =>
  db
    .select(ofCharge)
    .from(payments)
    .where(and(eq(payments.projectId, sql.placeholder('projectId')), isOpenCharge))
    .prepare('open_demands'),
)

/** The facts of quotes and payments that decide a project's status. */
export async function projectMoney(db: Queryable, projectId: string, now: Date): Promise<MoneyFacts> {
  const [newest, demands] = await Promise.all([
    newestQuotes(db).execute({ projectId }),
    openCharges(db).execute({ projectId }),
  ])
  return factsFrom(newest, demands as OpenCharge[], now)
}

function factsFrom(newest: readonly Newest[], demands: readonly OpenCharge[], now: Date): MoneyFacts {
  const main = newest.find(({ kind }) => kind === 'installation')
  const extra = newest.find(({ kind }) => kind === 'extra_work')
  return {
    quote: main ? partOf(main, now) : null,
    extraWorkSince: extra && isOpenQuote(quoteStateBy(extra, now)) ? extra.sentAt : null,
    demands,
  }
}

/** The same for some projects, by project; those without a quote or a demand are absent. */
export async function projectsMoney(
  db: Queryable,
  projectIds: readonly string[],
  now: Date,
): Promise<Map<string, MoneyFacts>> {
  const ids = [...projectIds]
  const [newest, demands] = await Promise.all([
    db
      .selectDistinctOn([quotes.projectId, quotes.kind], { projectId: quotes.projectId, ...ofQuote })
      .from(quotes)
      .where(and(inArray(quotes.projectId, ids), isNotNull(quotes.sentAt)))
      .orderBy(quotes.projectId, quotes.kind, desc(quotes.sentAt)),
    db
      .select({ projectId: payments.projectId, ...ofCharge })
      .from(payments)
      .where(and(inArray(payments.projectId, ids), isOpenCharge)),
  ])
  const quotesOf = Map.groupBy(newest, projectOf)
  const demandsOf = Map.groupBy(demands, projectOf)
  const known = new Set([...quotesOf.keys(), ...demandsOf.keys()])
  return new Map(
    [...known].map((id) => [
      id,
      factsFrom(quotesOf.get(id) ?? [], (demandsOf.get(id) ?? []) as OpenCharge[], now),
    ]),
  )
}

const projectOf = ({ projectId }: { projectId: string }) => projectId

function partOf(quote: Newest, now: Date): PartQuote {
  const { answeredAt, endedAt, sentAt, validUntil } = quote
  const state = quoteStateBy(quote, now)
  const askedAnew = isRequoteAsked(quote)
  const ended = state === 'expired' ? validUntil : (endedAt ?? answeredAt)
  const since = askedAnew ? answeredAt : isOpenQuote(state) ? sentAt : ended
  return { state, validUntil, askedAnew, since: since ?? now }
}

/** The work of an option, without prices; `accepted`: its customer chose it. */
type OptionScope = { option: string; accepted: boolean; lines: Scope['lines'] }

// Extracted in the database: an actor who reads the scope only is not sent any amount.
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

/** The work of each option of a quote; of an accepted one only the choice, with its add-ons. */
export async function scopeOfQuote(db: Queryable, id: string): Promise<OptionScope[]> {
  const { rows } = await db.execute<OptionScope>(sql`
    select * from (${sql.raw(scopes)} where quotes.id = ${id} order by place) as scope
    where accepted or not exists (select 1 from quotes where id = ${id} and accepted_option is not null)`)
  return rows.map(({ accepted, lines, option }) => ({ option, accepted, lines }))
}

/** The accepted work of a project, including extra work; null where there is none. */
export async function acceptedScope(db: Queryable, projectId: string): Promise<Scope | null> {
  const { rows } = await db.execute<OptionScope>(sql`
    select * from (${sql.raw(scopes)} where quotes.project_id = ${projectId} and quotes.state = 'accepted'
      order by quotes.kind = 'extra_work', quotes.accepted_at) as scope where accepted`)
  return rows.length > 0 ? { lines: rows.flatMap(({ lines }) => lines) } : null
}

/** Metres of cable that the accepted option of a project's installation includes; null where it states none. */
export async function acceptedMetres(db: Queryable, projectId: string): Promise<number | null> {
  const { rows } = await db.execute<{ tenths: number | null }>(sql`
    select (option -> 'metres' ->> 'included')::int as tenths
    from quotes, jsonb_array_elements(quotes.content -> 'options') as option
    where quotes.project_id = ${projectId} and quotes.kind = 'installation' and quotes.state = 'accepted'
      and option ->> 'id' = quotes.accepted_option`)
  const tenths = rows[0]?.tenths
  return tenths == null ? null : tenths / 10
}

/** The project that a quote is for; the caller has checked access to both. */
export async function projectIdOfQuote(db: Db, quoteId: string): Promise<string | null> {
  if (!isId(quoteId)) return null
  const [row] = await db.select({ id: quotes.projectId }).from(quotes).where(eq(quotes.id, quoteId))
  return row?.id ?? null
}
