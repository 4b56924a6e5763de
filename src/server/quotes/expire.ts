import { and, inArray, lt } from 'drizzle-orm'
import { isOpenQuote, openQuoteStates, quoteStateBy } from '../../domain/quotes/quote.ts'
import { log } from '../app/log.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { quotes } from '../platform/database/schema/money-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { concernedByQuote, type HeldQuote, holdQuote, writeQuote } from './changes.ts'

/** Writes down that the time of quotes ran out, and tells their customers; answers how many. */
export async function expireQuotes(db: Db, now: Date): Promise<number> {
  const over = await db
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(inArray(quotes.state, openQuoteStates), lt(quotes.validUntil, now)))
  let count = 0
  for (const { id } of over) {
    // One that fails must not keep the others waiting; the next round takes it up again.
    const ended = await expireOne(db, id, now).catch((err) => {
      log.error({ err, quote: id }, 'a quote was not ended')
      return null
    })
    if (!ended) continue
    announce(db, { people: concernedByQuote(ended) })
    count++
  }
  return count
}

const expireOne = (db: Db, id: string, now: Date) =>
  transaction(db, async (tx) => {
    const held = await holdQuote(tx, 'system', id)
    const { quote } = await expireIfOver(tx, held, now)
    if (quote === held.quote) return null
    await enqueue(tx, 'letter', { letter: 'quote_expired', quoteId: id, to: 'customer' })
    return quote
  })

/** A held quote as it stands by the clock: its time may have run out before anything said so. */
export async function expireIfOver(tx: Tx, held: HeldQuote, now: Date): Promise<HeldQuote> {
  const { facts, quote } = held
  if (!isOpenQuote(quote.state) || quoteStateBy(facts, now) !== 'expired') return held
  const expired = await writeQuote(tx, 'system', held, 'expire', now, { endedAt: quote.validUntil })
  return { ...held, quote: expired, facts: { ...facts, state: expired.state } }
}
