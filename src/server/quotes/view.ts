import type { Actor } from '../../domain/access/actor.ts'
import { quoteMachine } from '../../domain/quotes/quote.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { announce } from '../platform/live/announcements.ts'
import { holdQuote, writeQuote } from './changes.ts'

/** Notes that its customer opened a quote, the first time; nothing otherwise. Call it for a document's own load only. */
export async function noteViewed(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  const isFirst = await transaction(db, async (tx) => {
    const held = await holdQuote(tx, actor, id)
    if (!quoteMachine.can('view', actor, held.facts, now)) return false
    await writeQuote(tx, actor, held, 'view', now, { viewedAt: now })
    return true
  })
  if (isFirst) announce(db, { people: [] })
}
