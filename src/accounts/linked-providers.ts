import { and, asc, eq, isNotNull, ne, or } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Queryable, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { accounts, users } from '../platform/database/schema/accounts.ts'
import type { Session } from '../platform/http/types.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { refuse } from '../shared/refusal.ts'
import { assertOwner } from './password.ts'
import { endSessions } from './providers.ts'

const ofProvider = ne(accounts.providerId, 'credential')

/** A link by which a user signs in without a password, and since when. */
type LinkedProvider = { id: string; since: Date }

/** The providers by which the actor signs in, the first linked first. */
export const linkedProviders = (db: Queryable, actor: Actor): Promise<LinkedProvider[]> =>
  db
    .select({ id: accounts.id, since: accounts.createdAt })
    .from(accounts)
    .where(and(eq(accounts.userId, actor.id), ofProvider))
    .orderBy(asc(accounts.createdAt), asc(accounts.id))

/**
 * Removes one of the actor's own links, and ends the other sessions, which may have begun with it; never the last way
 * in. Returns whether a calendar's link ended too.
 */
export async function unlinkProvider(
  db: Db,
  own: Pick<Session, 'actor' | 'sessionId'>,
  { currentPassword, linkId }: { linkId: string; currentPassword: string },
  now: Date,
): Promise<boolean> {
  const { actor, sessionId } = own
  await assertOwner(db, own, currentPassword, now)
  const mine = eq(accounts.userId, actor.id)
  const linkEnded = await transaction(db, async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for('update')
    const [gone] = await tx
      .delete(accounts)
      .where(and(eq(accounts.id, linkId), mine, ofProvider))
      .returning({ id: accounts.id })
    if (!gone) refuse('not-found', 'Esa forma de entrar ya no está.')
    const left = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(mine, or(ofProvider, isNotNull(accounts.password))))
    if (left.length === 0)
      refuse('failed-precondition', 'Es tu única forma de entrar. Elige primero una contraseña.')
    await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'unlink_provider' })
    return endSessions(tx, actor.id, { except: sessionId })
  })
  announce(db, { people: [actor.id], desk: false })
  return linkEnded
}

/** Notifies a user of a newly linked provider. A user whose account just began with it needs no e-mail. */
export async function tellOfLink(db: Db, { id, userId }: { id: string; userId: string }): Promise<void> {
  const another = and(eq(accounts.userId, userId), ne(accounts.id, id))
  const [user] = await db.select({ name: users.name }).from(users).where(eq(users.id, userId))
  const before = await db.select({ id: accounts.id }).from(accounts).where(another).limit(1)
  if (!user || (user.name === null && before.length === 0)) return
  await transaction(db, async (tx) => {
    await record(tx, { entity: 'user', entityId: userId, actorId: userId, name: 'link_provider' })
    await enqueue(tx, 'account-letter', { letter: 'provider_linked', userId })
  })
}
