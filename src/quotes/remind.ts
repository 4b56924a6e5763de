import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, refusedOf, type Tx, transaction } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { refuse } from '../shared/refusal.ts'
import { isQuoteCustomer, newestFirst, quoteCustomers } from './list.ts'
import { quoteMachine, writesQuotes } from './rules/quote.ts'
import { noReminderReason, remindersUntil } from './rules/reminder.ts'
import { lockQuote, quoteAffectedUserIds, quotesVisibleTo, transitionQuote } from './transition.ts'

/** How many customers were reminded, and for each of the other quotes why not, the newest first. */
type RemindedQuotes = {
  done: number
  left: { id: string; folio: string; customer: string; why: string }[]
}

/**
 * The office reminds customers of quotes by e-mail, of each at most once a day, the system's own reminders counted. What
 * is refused of one quote is no matter of the others.
 */
export async function remindOfChosen(
  db: Db,
  actor: Actor,
  ids: readonly string[],
  now: Date,
): Promise<RemindedQuotes> {
  if (!writesQuotes(actor)) refuse('permission-denied')
  const why = await refusedOf(ids, (id) => remindOfQuote(db, actor, id, now))
  const done = ids.length - why.size
  const left = await leftOf(db, actor, why)
  return done + left.length > 0 ? { done, left } : refuse('not-found')
}

async function remindOfQuote(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  const reminded = await transaction(db, async (tx) => {
    const held = await lockQuote(tx, actor, id)
    const { quote } = held
    quoteMachine.next('remind', actor, held.facts, now)
    const reason = noReminderReason(await told(tx, id), now)
    if (reason) refuse('failed-precondition', reason)
    // The customer gets one letter of that day, not the system's too.
    const passed = new Set(remindersUntil(quote.validUntil!, now))
    const moved = await transitionQuote(tx, actor, held, 'remind', now, {
      ...(passed.has('quote_reminder_3d') && { reminded3dAt: quote.reminded3dAt ?? now }),
      ...(passed.has('quote_reminder_1d') && { reminded1dAt: quote.reminded1dAt ?? now }),
    })
    await enqueue(tx, 'letter', { letter: 'quote_reminder', quoteId: id, to: 'customer' })
    return moved
  })
  announce(db, { people: quoteAffectedUserIds(reminded) })
}

/** What a reminder is judged by, of a locked quote. */
async function told(tx: Tx, id: string) {
  const remindedAt = sql<Date | null>`greatest(${quotes.reminded3dAt}, ${quotes.reminded1dAt},
    (select max(told.at) from events told where told.entity = 'quote' and told.entity_id = ${quotes.id} and told.name = 'remind'))`
  const [row] = await tx
    .select({
      email: users.email,
      active: users.active,
      sentAt: quotes.sentAt,
      remindedAt: remindedAt.mapWith(quotes.reminded3dAt),
    })
    .from(quotes)
    .innerJoin(users, eq(users.id, quotes.customerId))
    .where(eq(quotes.id, id))
  return row ?? refuse('not-found')
}

async function leftOf(
  db: Db,
  actor: Actor,
  why: ReadonlyMap<string, string>,
): Promise<RemindedQuotes['left']> {
  if (why.size === 0) return []
  const rows = await db
    .select({ id: quotes.id, folio: quotes.folio, customer: quoteCustomers.fullName })
    .from(quotes)
    .innerJoin(quoteCustomers, isQuoteCustomer)
    .where(and(inArray(quotes.id, [...why.keys()]), quotesVisibleTo(actor)))
    .orderBy(...newestFirst.orderBy)
  return rows.map((row) => ({ ...row, why: why.get(row.id) ?? '' }))
}
