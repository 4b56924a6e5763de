import { eq, sql } from 'drizzle-orm'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { twoFactors, users } from '../platform/database/schema/account-schema.ts'
import { endSessions } from './end-sessions.ts'

/**
 * Takes somebody's second factor away without a code of theirs: they lost their phone and their recovery codes. Their
 * sessions end. `actorId` is null for whoever owns the server.
 */
export async function forgetSecondFactor(tx: Tx, userId: string, actorId: string | null): Promise<void> {
  await eraseSecondFactor(tx, userId)
  await tx
    .update(users)
    .set({ version: sql`${users.version} + 1` })
    .where(eq(users.id, userId))
  await endSessions(tx, userId)
  await record(tx, { entity: 'user', entityId: userId, actorId, name: 'remove_second_factor' })
}

/** Forgets secret and recovery codes: the password is enough from now on. The rest is the caller's. */
export async function eraseSecondFactor(tx: Tx, userId: string): Promise<void> {
  await tx.delete(twoFactors).where(eq(twoFactors.userId, userId))
  await tx.update(users).set({ twoFactorEnabled: false }).where(eq(users.id, userId))
}

/** Whether somebody has one that is on; it is held until the transaction ends, as when they turn it off themselves. */
export async function holdSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const [row] = await tx
    .select({ on: twoFactors.verified })
    .from(twoFactors)
    .where(eq(twoFactors.userId, userId))
    .for('update')
  return row?.on ?? false
}
