import { and, eq } from 'drizzle-orm'
import type { Tx } from '../platform/database/database.ts'
import { accounts } from '../platform/database/schema/account-schema.ts'

/** The sign-in library's name for an account with a password. */
const credential = 'credential'

/** Writes somebody's password, also the first of a person who came by a provider. */
export async function writePassword(tx: Tx, userId: string, hashed: string, now: Date): Promise<void> {
  const changed = await tx
    .update(accounts)
    .set({ password: hashed, updatedAt: now })
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, credential)))
    .returning({ id: accounts.id })
  if (changed.length === 0)
    await tx.insert(accounts).values({ userId, accountId: userId, providerId: credential, password: hashed })
}
