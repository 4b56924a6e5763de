import { and, eq, ne } from 'drizzle-orm'
import { endFeed } from '../appointments/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { sessions, verifications } from '../platform/database/schema/account-schema.ts'

/**
 * Ends somebody's sessions, or all but one, with the change that is the reason; sign-ins that wait for their second step;
 * and the link of their calendar: it opens without a session, and whoever got in may have made it. Answers whether there
 * was one. Announce that person after the commit.
 */
export async function endSessions(
  tx: Tx,
  userId: string,
  { except }: { except?: string | undefined } = {},
): Promise<boolean> {
  await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except === undefined ? undefined : ne(sessions.id, except)))
  await tx.delete(verifications).where(eq(verifications.value, userId))
  return endFeed(tx, userId)
}
