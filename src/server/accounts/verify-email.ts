import { eq } from 'drizzle-orm'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Done, OperationCaller } from './caller.ts'
import { type Entered, signIn } from './entry.ts'
import { readCode, rowOf, useCode, voidCodes } from './letter-codes.ts'
import { countTry } from './limits.ts'
import { hasPassword } from './own-password.ts'

/**
 * Applies the code of a letter that proves a mailbox, under a session of that very account. Whoever has none holds the
 * mailbox, and need not be who opened the account: they show that they are (`proveBySignIn`), or make it theirs (`proveByNewPassword`).
 */
export async function applyActionCode(
  caller: OperationCaller,
  { oobCode }: { oobCode: string },
): Promise<Done<{ email: string }>> {
  await countTry(caller.db, 'codes by address', caller.address, caller.now)
  return { value: await prove(caller, oobCode, caller.actor?.id ?? null) }
}

/** The same by the account's own password, which also signs in. With a second factor the code is asked first, and nothing is proved yet. */
export async function proveBySignIn(
  caller: OperationCaller,
  { oobCode, password }: { oobCode: string; password: string },
): Promise<Entered> {
  const { id, email } = await checkActionCode(caller, { oobCode })
  const entered = await signIn(caller, { email, password, next: null })
  if (!entered.value.secondStep) await prove(caller, oobCode, id)
  return entered
}

async function prove(
  { db, now }: OperationCaller,
  oobCode: string,
  as: string | null,
): Promise<{ email: string }> {
  const { id, email } = await transaction(db, async (tx) => {
    const { userId } = await useCode(tx, 'verify_email', oobCode, now)
    if (userId !== as) throw outside()
    const user = await proveMailbox(tx, userId, now)
    await record(tx, { entity: 'user', entityId: userId, actorId: userId, name: 'verify_email' })
    return user
  })
  announce(db, { people: [id], desk: false })
  return { email }
}

const outside = () =>
  new Refusal('failed-precondition', {
    title: 'Falta tu contraseña',
    description: 'Aquí no está abierta la sesión de esa cuenta. Escribe su contraseña, o elige una nueva.',
  })

/** Whose mailbox a code would prove, and whether they have a password; one that would prove none is refused. The code stays good. */
export async function checkActionCode(
  { db, address, now }: OperationCaller,
  { oobCode }: { oobCode: string },
): Promise<{ id: string; email: string; hasPassword: boolean }> {
  await countTry(db, 'codes by address', address, now)
  const { userId } = await readCode(db, 'verify_email', oobCode, now)
  const { email } = (await ownerOf(db, userId)) ?? refuse('not-found')
  return { id: userId, email, hasPassword: await hasPassword(db, userId) }
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
  { db, address, actor, now }: OperationCaller,
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
