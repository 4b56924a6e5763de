import type { Actor } from '../../domain/access/actor.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { concernedByQuote, holdQuote, judge, type QuoteRow, writeQuote } from './changes.ts'

export type Withdrawing = { version: number; reason: string | null }

/**
 * Takes a quote back that nobody accepted, or throws a draft away. Whoever was sent it gets a letter; the same form sent
 * twice is one change.
 */
export async function withdrawQuote(
  db: Db,
  actor: Actor,
  id: string,
  { reason, version }: Withdrawing,
  now: Date,
): Promise<QuoteRow> {
  const withdrawn = await transaction(db, async (tx) => {
    const held = await holdQuote(tx, actor, id)
    const { quote } = held
    const isTheSame = quote.state === 'withdrawn' && quote.version > version && quote.reason === reason
    if (isTheSame && actor.role === 'staff') return quote
    judge('withdraw', actor, held, version, now)
    const moved = await writeQuote(tx, actor, held, 'withdraw', now, { endedAt: now, reason }, { reason })
    if (moved.sentAt) await enqueue(tx, 'letter', { letter: 'quote_withdrawn', quoteId: id, to: 'customer' })
    return moved
  })
  announce(db, { people: withdrawn.sentAt ? concernedByQuote(withdrawn) : [] })
  return withdrawn
}
