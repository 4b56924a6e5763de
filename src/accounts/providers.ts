import { and, asc, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import {
  accounts,
  letterCodes,
  passkeys,
  sessions,
  twoFactors,
  users,
  verifications,
} from '../platform/database/schema/accounts.ts'
import { happened } from '../platform/follows.ts'
import { announce } from '../platform/live/announcements.ts'
import { refuse } from '../shared/refusal.ts'
import { sessionsEnded } from './changes.ts'
import { deviceInWords } from './rules/sessions.ts'

/**
 * Ends a user's sessions, or all but one, together with the change that causes it; also sign-ins that wait for their
 * second step, the links of their visits, and that of their calendar: they open without a session, and an intruder may have
 * created them. `isUndoable`: the sessions are set aside and may be given back. Returns whether there was one of a calendar. Announce that user after the commit.
 */
export async function endSessions(
  tx: Tx,
  userId: string,
  { except, isUndoable }: { except?: string | undefined; isUndoable?: true } = {},
): Promise<boolean> {
  const ended = and(eq(sessions.userId, userId), except === undefined ? undefined : ne(sessions.id, except))
  if (isUndoable)
    await tx
      .update(sessions)
      .set({ formerExpiresAt: sql`${sessions.expiresAt}`, expiresAt: sql`now()` })
      .where(and(ended, sql`${sessions.expiresAt} > now()`))
  else await tx.delete(sessions).where(ended)
  await tx.delete(verifications).where(eq(verifications.value, userId))
  const { hadFeed } = await happened(tx, sessionsEnded, { userId, hadFeed: false })
  return hadFeed
}

/** Removes what signs a user in without a password: links to providers, passkeys. */
export async function forgetOtherWays(tx: Tx, userId: string): Promise<void> {
  await forgetPasskeys(tx, userId)
  await tx.delete(accounts).where(and(eq(accounts.userId, userId), ne(accounts.providerId, 'credential')))
}

/** Deletes a user's passkeys, and with them a second factor that only they answer. */
export async function forgetPasskeys(tx: Tx, userId: string): Promise<void> {
  await tx.delete(passkeys).where(eq(passkeys.userId, userId))
  if (await isByPasskey(tx, userId)) await eraseSecondFactor(tx, userId)
}

/** Whether passkeys are a user's second factor, without an authenticator. */
export async function isByPasskey(db: Queryable, userId: string): Promise<boolean> {
  const byPasskey = and(eq(twoFactors.userId, userId), twoFactors.byPasskey)
  return (await db.select({ id: twoFactors.id }).from(twoFactors).where(byPasskey)).length > 0
}

/** Deletes secret and recovery codes: the password is enough from now on. The rest is the caller's. */
export async function eraseSecondFactor(tx: Tx, userId: string): Promise<void> {
  await tx.delete(twoFactors).where(eq(twoFactors.userId, userId))
  await tx.update(users).set({ twoFactorEnabled: false }).where(eq(users.id, userId))
}

/**
 * Removes every way into an account, together with the change that causes it: sessions, the secret links, password,
 * providers, passkeys and the letters that would open another. Announce that user after the commit.
 */
export async function endAccess(tx: Tx, userId: string, now: Date): Promise<void> {
  await endSessions(tx, userId)
  await tx.delete(accounts).where(eq(accounts.userId, userId))
  await forgetPasskeys(tx, userId)
  await tx
    .update(letterCodes)
    .set({ usedAt: now })
    .where(and(eq(letterCodes.userId, userId), isNull(letterCodes.usedAt)))
}

export type OwnPasskey = Awaited<ReturnType<typeof passkeysOf>>[number]

/** A user's passkeys, the first added first. */
export const passkeysOf = (db: Queryable, userId: string) =>
  db
    .select({
      id: passkeys.id,
      name: passkeys.name,
      createdAt: passkeys.createdAt,
      lastUsedAt: passkeys.lastUsedAt,
    })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))

/** Minutes after a sign-in in which the session counts as its owner's. */
const freshMinutes = 10

/** Refuses a session that did not begin within the last minutes. */
export async function assertFresh(db: Queryable, sessionId: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - freshMinutes * 60_000)
  const [fresh] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), gt(sessions.createdAt, since)))
  if (!fresh)
    refuse(
      'failed-precondition',
      `Sal, vuelve a entrar y hazlo en los siguientes ${freshMinutes} minutos: así sabemos que eres tú.`,
    )
}

export type OwnSession = {
  id: string
  device: string
  address: string | null
  since: Date
  lastUsed: Date
  /** The session of this request. */
  here: boolean
}

/** Where a user is signed in, the current session first. Never a token. */
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

/** Ends all of one's sessions but the current one. Returns whether a calendar's link ended too. */
export async function closeOtherSessions(db: Db, actor: Actor, sessionId: string): Promise<boolean> {
  const linkEnded = await transaction(db, async (tx) => {
    const linkEnded = await endSessions(tx, actor.id, { except: sessionId })
    await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'close_other_sessions' })
    return linkEnded
  })
  announce(db, { people: [actor.id], desk: false })
  return linkEnded
}
