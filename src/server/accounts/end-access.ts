import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Tx } from '../platform/database/database.ts'
import { accounts, letterCodes } from '../platform/database/schema/account-schema.ts'
import { endSessions } from './end-sessions.ts'

/** Takes away that somebody comes in by a provider. */
export async function forgetProviders(tx: Tx, userId: string): Promise<void> {
  await tx.delete(accounts).where(and(eq(accounts.userId, userId), ne(accounts.providerId, 'credential')))
}

/**
 * Takes every way into an account away, with the change that is the reason: sessions, calendar's link, password, providers
 * and the letters that would open another. Announce that person after the commit.
 */
export async function endAccess(tx: Tx, userId: string, now: Date): Promise<void> {
  await endSessions(tx, userId)
  await tx.delete(accounts).where(eq(accounts.userId, userId))
  await tx
    .update(letterCodes)
    .set({ usedAt: now })
    .where(and(eq(letterCodes.userId, userId), isNull(letterCodes.usedAt)))
}
