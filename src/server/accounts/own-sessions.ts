import { and, desc, eq, gt } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { deviceInWords } from '../../domain/accounts/sessions.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { sessions } from '../platform/database/schema/account-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { endSessions } from './end-sessions.ts'

export type OwnSession = {
  id: string
  device: string
  address: string | null
  since: Date
  lastUsed: Date
  /** The one that asks. */
  here: boolean
}

/** Where somebody is signed in, the asking session first. Never a token. */
export async function ownSessions(db: Db, actor: Actor, sessionId: string): Promise<OwnSession[]> {
  const rows = await db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      address: sessions.ipAddress,
      since: sessions.createdAt,
      lastUsed: sessions.lastUsedAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, actor.id), gt(sessions.expiresAt, new Date())))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
    .limit(50)
  const shown = rows.map(({ userAgent, address, ...row }) => ({
    ...row,
    device: deviceInWords(userAgent),
    address: address || null,
    here: row.id === sessionId,
  }))
  return [...shown.filter(({ here }) => here), ...shown.filter(({ here }) => !here)]
}

/** Ends one of one's own sessions; another person's does not exist. */
export async function closeSession(db: Db, actor: Actor, id: string): Promise<void> {
  await transaction(db, async (tx) => {
    const [closed] = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.userId, actor.id)))
      .returning({ id: sessions.id })
    if (!closed) refuse('not-found', 'Esa sesión ya no existe.')
    await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'close_session' })
  })
  announce(db, { people: [actor.id], desk: false })
}

/** Ends all of one's sessions but the one that asks. Answers whether a calendar's link ended too. */
export async function closeOtherSessions(db: Db, actor: Actor, sessionId: string): Promise<boolean> {
  const linkEnded = await transaction(db, async (tx) => {
    const linkEnded = await endSessions(tx, actor.id, { except: sessionId })
    await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'close_other_sessions' })
    return linkEnded
  })
  announce(db, { people: [actor.id], desk: false })
  return linkEnded
}
