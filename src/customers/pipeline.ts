import { and, asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, isId, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { tasks } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import { callAgainAt, callAgainHours, isCallDue } from '../projects/rules/pipeline.ts'
import { isOpenQuote, quoteStateBy, writesQuotes } from '../quotes/rules/quote.ts'
import { quotesVisibleTo } from '../quotes/transition.ts'
import { shortDate } from '../shared/format.ts'
import { refuse } from '../shared/refusal.ts'

/** The reason of a task that records a call about a quote; it is done when it is written. */
const quoteCallReason = 'quote_call'

/** As many as the office calls in a day. */
const shownAtOnce = 100

/** From when on a customer is called again: calls that were noted before a day could be agreed on have none. */
export const callAgain = sql.raw(`case when call.due_at < call.done_at + interval '1 minute'
  then call.done_at + interval '${callAgainHours} hours' else call.due_at end`)

/** The last call about a quote among the tasks called `call`; the reason is written out, as in the index that holds them. */
export const lastOfQuote = sql.raw(`call.quote_id = quotes.id and call.reason = '${quoteCallReason}'
  order by call.done_at desc, call.id desc limit 1`)

/** The last call about a quote, as JSON: when, by whom, its outcome, and from when on the next one is due. */
type LastCall = { id: string; at: string; again: string; byId: string; by: string; result: string }
const lastCall = sql<LastCall | null>`(
  select json_build_object('id', call.id, 'at', call.done_at, 'again', ${callAgain}, 'result', call.result, 'byId', call.taken_by, 'by', caller.full_name)
  from tasks call left join users caller on caller.id = call.taken_by
  where ${lastOfQuote})`

/**
 * The customers of viewed quotes without an answer, the first to expire at the top: never called, or to be called
 * again; and those called already, who wait for their day.
 */
export async function quotesToCall(db: Db, actor: Actor, now: Date) {
  if (!writesQuotes(actor)) return { due: [], called: [] }
  const { customerId, folio, highestTotal, id, lowestTotal, validUntil, viewedAt } = quotes
  const rows = await db
    .select({
      id,
      folio,
      lowestTotal,
      highestTotal,
      customerId,
      validUntil,
      viewedAt,
      lastCall,
      customer: users.fullName,
      phone: users.phone,
    })
    .from(quotes)
    .innerJoin(users, eq(users.id, quotes.customerId))
    .where(and(eq(quotes.state, 'viewed'), sql`${validUntil} > ${now}`, quotesVisibleTo(actor)))
    .orderBy(asc(validUntil), asc(id))
    .limit(shownAtOnce)
  const told = rows.map(({ lastCall: last, ...row }) => ({
    ...row,
    last: last && { ...last, at: new Date(last.at), again: new Date(last.again) },
  }))
  const isDue = ({ last }: (typeof told)[number]) => isCallDue(last?.again ?? null, now)
  return { due: told.filter(isDue), called: told.filter((row) => !isDue(row)) }
}

export type QuoteToCall = Awaited<ReturnType<typeof quotesToCall>>['due'][number]

/**
 * The outcome of a call about a quote; `seen` is the last call that was shown, or blank; `again` is the local date of the
 * next one, or null for the usual. Sent twice, it is one.
 */
export async function noteCall(
  db: Db,
  actor: Actor,
  { again, quoteId, result, seen }: { again: string | null; quoteId: string; result: string; seen: string },
  now: Date,
): Promise<void> {
  if (!writesQuotes(actor)) refuse('permission-denied')
  if (!isId(quoteId)) refuse('not-found')
  await transaction(db, async (tx) => {
    const [quote] = await tx
      .select()
      .from(quotes)
      .where(and(eq(quotes.id, quoteId), quotesVisibleTo(actor)))
      .for('no key update')
    if (!quote) return refuse('not-found')
    if (!isOpenQuote(quoteStateBy(quote, now)))
      refuse('failed-precondition', 'Esta cotización ya tiene respuesta, o terminó. No hace falta llamar.')
    const dueAt = callAgainAt(now, again)
    if (again && quote.validUntil && dueAt >= quote.validUntil)
      refuse(
        'failed-precondition',
        `Esta cotización vence el ${shortDate(quote.validUntil)}. Elige un día antes para volver a llamar.`,
      )
    const [last] = await tx.select({ last: lastCall }).from(quotes).where(eq(quotes.id, quoteId))
    if (isSame(last?.last ?? null, { seen, result, byId: actor.id }, now)) return
    if ((last?.last?.id ?? '') !== seen)
      refuse('aborted', 'Alguien más anotó una llamada a este cliente. Léela antes de anotar la tuya.')
    const about = { personId: quote.customerId, projectId: quote.projectId, quoteId, phone: null }
    const done = { doneAt: now, dueAt, takenBy: actor.id, result }
    const subject = `Llamada por la cotización ${quote.folio}`
    const [made] = await tx
      .insert(tasks)
      .values({ ...about, ...done, subject, reason: quoteCallReason })
      .returning({ id: tasks.id })
    await record(tx, { entity: 'task', entityId: made!.id, actorId: actor.id, name: 'close', reason: result })
  })
  announce(db, { people: [] })
}

const minute = 60_000

/** The same words by the same user a moment ago: the form was sent twice. */
const isSame = (last: LastCall | null, sent: { seen: string; result: string; byId: string }, now: Date) =>
  last !== null &&
  last.id !== sent.seen &&
  last.byId === sent.byId &&
  last.result === sent.result &&
  now.getTime() - new Date(last.at).getTime() < minute
