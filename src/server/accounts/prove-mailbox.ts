import { eq } from 'drizzle-orm'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Tx } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { voidCodes } from './letter-codes.ts'

/** Notes that a person's mailbox is theirs; no other letter proves it once more. Refuses whoever is gone. */
export async function proveMailbox(
  tx: Tx,
  userId: string,
  now: Date,
): Promise<{ id: string; email: string }> {
  const [user] = await tx
    .update(users)
    .set({ emailVerified: true })
    .where(eq(users.id, userId))
    .returning({ id: users.id, email: users.email })
  await voidCodes(tx, 'verify_email', userId, now)
  return user ?? refuse('not-found')
}
