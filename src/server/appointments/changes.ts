import { eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { hasOwnAppointments } from '../../domain/appointments/list.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { newCode } from '../accounts/limits.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { calendarFeeds } from '../platform/database/schema/accounts.ts'

/** Makes a link for the actor's calendar; one made before serves no more. The answer is the only place where its secret can be read. */
export async function makeFeed(db: Db, actor: Actor, now: Date): Promise<string> {
  if (!hasOwnAppointments(actor)) return refuse('permission-denied')
  const { code, hash } = newCode()
  const made = { secretHash: hash, createdAt: now, lastReadAt: null }
  await transaction(db, async (tx) => {
    await tx
      .insert(calendarFeeds)
      .values({ userId: actor.id, ...made })
      .onConflictDoUpdate({ target: calendarFeeds.userId, set: made })
    await record(tx, { ...by(actor), name: 'make_calendar_link' })
  })
  return code
}

/** Takes the actor's link back; without one nothing happens. */
export async function removeFeed(db: Db, actor: Actor): Promise<void> {
  if (!hasOwnAppointments(actor)) return refuse('permission-denied')
  await transaction(db, async (tx) => {
    if (await endFeed(tx, actor.id)) await record(tx, { ...by(actor), name: 'remove_calendar_link' })
  })
}

/** Ends somebody's link with the change that is the reason. Answers whether there was one. */
export async function endFeed(tx: Tx, userId: string): Promise<boolean> {
  const gone = await tx.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId)).returning()
  return gone.length > 0
}

/** The actor's link, without its secret; null when there is none, undefined for who can have none. */
export async function feedOf(db: Db, actor: Actor) {
  if (!hasOwnAppointments(actor)) return undefined
  const [feed] = await db
    .select({ createdAt: calendarFeeds.createdAt, lastReadAt: calendarFeeds.lastReadAt })
    .from(calendarFeeds)
    .where(eq(calendarFeeds.userId, actor.id))
  return feed ?? null
}

const by = ({ id }: Actor) => ({ entity: 'user', entityId: id, actorId: id })
