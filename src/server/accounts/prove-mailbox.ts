import { eq } from 'drizzle-orm'
import { refuse } from '../../domain/refusal.ts'
import { users } from '../database/account-schema.ts'
import type { Tx } from '../database/database.ts'

/** Notes that a person's mailbox is theirs; refuses whoever is gone. */
export async function proveMailbox(tx: Tx, userId: string): Promise<{ id: string; email: string }> {
  const [user] = await tx
    .update(users)
    .set({ emailVerified: true })
    .where(eq(users.id, userId))
    .returning({ id: users.id, email: users.email })
  return user ?? refuse('not-found')
}
