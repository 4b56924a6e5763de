import { eq } from 'drizzle-orm'
import { refuse } from '../../domain/refusal.ts'
import { users } from '../database/account-schema.ts'
import { type Db, transaction } from '../database/database.ts'
import { record } from '../events/changes.ts'
import { enqueue } from '../jobs/jobs.ts'
import { announce } from '../live/announcements.ts'
import type { Caller, Done } from './caller.ts'
import { readCode, rowOf, useCode } from './letter-codes.ts'
import { countTry } from './limits.ts'
import { proveMailbox } from './prove-mailbox.ts'

/** Applies the code of a letter that proves a mailbox. */
export async function applyActionCode(
  { db, address, now }: Caller,
  { oobCode }: { oobCode: string },
): Promise<Done<{ email: string }>> {
  await countTry(db, 'codes by address', address, now)
  const { id, email } = await transaction(db, async (tx) => {
    const { userId } = await useCode(tx, 'verify_email', oobCode, now)
    const user = await proveMailbox(tx, userId)
    await record(tx, { entity: 'user', entityId: userId, actorId: userId, name: 'verify_email' })
    return user
  })
  announce(db, { people: [id], desk: false })
  return { value: { email } }
}

/** The mailbox that a code would prove; one that would prove none is refused. The code stays good. */
export async function checkActionCode(
  { db, address, now }: Caller,
  { oobCode }: { oobCode: string },
): Promise<{ email: string }> {
  await countTry(db, 'codes by address', address, now)
  const { userId } = await readCode(db, 'verify_email', oobCode, now)
  return (await ownerOf(db, userId)) ?? refuse('not-found')
}

async function ownerOf(db: Db, userId: string) {
  const [owner] = await db
    .select({ email: users.email, emailVerified: users.emailVerified })
    .from(users)
    .where(eq(users.id, userId))
  return owner
}

/**
 * Sends the letter that proves a mailbox again: to whoever is signed in, or to whom an old code of theirs was sent. One
 * that was proved meanwhile gets none: `sent` is false.
 */
export async function sendVerification(
  { db, address, actor, now }: Caller,
  { oobCode }: { oobCode: string },
): Promise<Done<{ sent: boolean }>> {
  if (actor?.emailVerified) refuse('failed-precondition', 'Tu correo ya está confirmado.')
  await countTry(db, 'letters by address', address, now)
  const userId = actor?.id ?? (await rowOf(db, 'verify_email', oobCode))?.userId
  if (!userId) refuse('unauthenticated', 'Inicia sesión para que te mandemos otro enlace.')
  if (!actor && (await ownerOf(db, userId))?.emailVerified) return { value: { sent: false } }
  await countTry(db, 'letters by account', userId, now)
  await transaction(db, (tx) => enqueue(tx, 'account-letter', { letter: 'verify_email', userId }))
  return { value: { sent: true } }
}
