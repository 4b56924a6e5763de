import { and, eq, ne } from 'drizzle-orm'
import type { Tx } from '../database/database.ts'
import { sessions } from '../database/schema.ts'

/** Ends somebody's sessions, or all but one, with the change that is the reason. Announce that person after the commit. */
export async function endSessions(
  tx: Tx,
  userId: string,
  { except }: { except?: string | undefined } = {},
): Promise<void> {
  await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except === undefined ? undefined : ne(sessions.id, except)))
}
