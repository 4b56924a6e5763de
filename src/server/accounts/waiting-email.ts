import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Queryable, Tx } from '../platform/database/database.ts'
import { emailChanges } from '../platform/database/schema/account-schema.ts'
import { emailChangeHours, voidCodes } from './letter-codes.ts'

const waiting = and(isNull(emailChanges.appliedAt), isNull(emailChanges.endedAt))

/** The e-mail that somebody's is to become, once its letter is opened; null where none waits. */
export async function waitingEmail(db: Queryable, userId: string, now: Date): Promise<string | null> {
  const since = new Date(now.getTime() - emailChangeHours * 3_600_000)
  const [change] = await db
    .select({ email: emailChanges.newEmail })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), waiting, sql`${emailChanges.askedAt} > ${since}`))
  return change?.email ?? null
}

/** Ends the change of somebody's e-mail that waits; its letters open nothing any more. Answers whether there was one. */
export async function endWaitingChange(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const ended = await tx
    .update(emailChanges)
    .set({ endedAt: now })
    .where(and(eq(emailChanges.userId, userId), waiting))
    .returning({ id: emailChanges.id })
  await voidCodes(tx, 'change_email', userId, now)
  return ended.length > 0
}
