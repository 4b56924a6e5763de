import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, databaseRefusal, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { log } from '../platform/telemetry/log.ts'
import { failed, Refusal, type Result, refuse } from '../shared/refusal.ts'
import { invalid } from '../shared/schema.ts'
import type { Done, OperationCaller } from './auth.ts'
import { wouldBeClaimed } from './email-change.ts'
import { type Entered, signIn, signOut, signUp, standForOwn } from './entry.ts'
import { type Purpose, readCode, rowOf, settled, useCode, voidCodes } from './letter-codes.ts'
import { countTry } from './limits.ts'
import { askForPasskey, signInByPasskey } from './passkeys.ts'
import {
  endWaitingChange,
  forgetAllPasswordTries,
  hashedPassword,
  hasPassword,
  refuseCommon,
  refuseWhenCrowded,
  writePassword,
  wrongPassword,
} from './password.ts'
import { acceptTerms } from './privacy.ts'
import { endSessions, forgetOtherWays, forgetPasskeys, isByPasskey } from './providers.ts'
import {
  actionCodeInput,
  type NewPassword,
  newPasswordInput,
  passkeyInput,
  type Recovery,
  recoveryInput,
  signInInput,
  signOutInput,
  signUpInput,
} from './rules/schema.ts'
import { signInErrors } from './rules/sign-in-errors.ts'

/**
 * Applies the code of a letter that verifies a mailbox, under a session of that very account. A reader without a
 * session holds the mailbox, and may not be the one who opened the account: they prove that they are (`proveBySignIn`),
 * or make it theirs (`proveByNewPassword`).
 */
export async function applyActionCode(
  caller: OperationCaller,
  { oobCode }: { oobCode: string },
): Promise<Done<Proved>> {
  await countTry(caller.db, 'codes by address', caller.address, caller.now)
  return { value: await prove(caller, oobCode, caller.actor?.id ?? null) }
}

/**
 * The same by the account's own password, which also signs in. With a second factor the code is asked first, and
 * nothing is verified yet.
 */
export async function proveBySignIn(
  caller: OperationCaller,
  { oobCode, password }: { oobCode: string; password: string },
): Promise<Entered> {
  const { id, email } = await checkActionCode(caller, { oobCode })
  const entered = await signIn(caller, { email, password, next: null })
  if (!entered.value.secondStep) await prove(caller, oobCode, id)
  return entered
}

type Proved = { email: string; alreadyVerified?: true }

async function prove({ db, now }: OperationCaller, oobCode: string, as: string | null): Promise<Proved> {
  const before = await provedOwner(db, oobCode)
  if (before) return { email: before.email, alreadyVerified: true }
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

/**
 * Whose mailbox a code would verify, and whether they have a password; an invalid code is refused. The code stays
 * valid.
 */
export async function checkActionCode(
  { db, address, now }: OperationCaller,
  { oobCode }: { oobCode: string },
): Promise<{ id: string; email: string; hasPassword: boolean }> {
  await countTry(db, 'codes by address', address, now)
  if (await provedOwner(db, oobCode))
    throw settled('Tu correo ya está confirmado', 'Entra con él y tu contraseña.')
  const { userId } = await readCode(db, 'verify_email', oobCode, now)
  const { email } = (await ownerOf(db, userId)) ?? refuse('not-found')
  return { id: userId, email, hasPassword: await hasPassword(db, userId) }
}

/** The owner of a used code whose mailbox was verified since, by it or otherwise. */
async function provedOwner(db: Db, oobCode: string) {
  const row = await rowOf(db, 'verify_email', oobCode)
  const owner = row?.usedAt ? await ownerOf(db, row.userId) : undefined
  return owner?.emailVerified ? owner : null
}

async function ownerOf(db: Db, userId: string) {
  const [owner] = await db
    .select({ email: users.email, emailVerified: users.emailVerified })
    .from(users)
    .where(eq(users.id, userId))
  return owner
}

/**
 * Sends the letter that verifies a mailbox again: to a signed-in user, or to the holder of an old code. A mailbox
 * verified meanwhile gets none: `sent` is false.
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

/** Records that a user's mailbox is verified; other letters for it stop working. Refuses a deleted user. */
async function proveMailbox(tx: Tx, userId: string, now: Date): Promise<{ id: string; email: string }> {
  const [user] = await tx
    .update(users)
    .set({ emailVerified: true })
    .where(eq(users.id, userId))
    .returning({ id: users.id, email: users.email })
  await voidCodes(tx, 'verify_email', userId, now)
  return user ?? refuse('not-found')
}

/**
 * Requests the letter with the link to a new password. The work is the same for a known and an unknown e-mail: the job
 * that writes the letter finds out whether it is a user's.
 */
export async function sendReset(caller: OperationCaller, { email }: Recovery): Promise<Done<null>> {
  const { db, address, now } = caller
  standForOwn(caller, email)
  await countTry(db, 'letters by address', address, now)
  await countTry(db, 'letters by account', email, now)
  await transaction(db, (tx) => enqueue(tx, 'account-letter', { letter: 'reset_password', email }))
  return { value: null }
}

/** Whose password a letter's code would change; the code stays valid. */
async function verifyResetCode(
  caller: OperationCaller,
  { oobCode }: { oobCode: string },
): Promise<Done<{ email: string }>> {
  const { email } = await holderOf(caller, oobCode)
  return { value: { email } }
}

/** The same for the page, which asks a user who has an account by telephone to accept the terms. */
export async function holderOf({ db, address, now }: OperationCaller, oobCode: string) {
  await countTry(db, 'codes by address', address, now)
  const { userId } = await readCode(db, 'reset_password', oobCode, now)
  const [user] = await db
    .select({ email: users.email, termsAcceptedAt: users.termsAcceptedAt })
    .from(users)
    .where(eq(users.id, userId))
  if (!user) return refuse('not-found')
  return { email: user.email, hasAccepted: user.termsAcceptedAt !== null }
}

/** Whose password was chosen, and whether their passkeys still open the account. */
type Chosen = { email: string; hasPasskeys: boolean }

/** Sets a new password for the holder of its letter. An account made for a caller accepts the terms by it. */
export async function confirmReset(caller: OperationCaller, input: NewPassword): Promise<Done<Chosen>> {
  const { value: owner } = await verifyResetCode(caller, input)
  return choosePassword(caller, 'reset_password', owner, input)
}

/**
 * Sets a new password for the holder of the letter that verifies a mailbox, without a session of the account: it
 * becomes theirs.
 */
export async function proveByNewPassword(caller: OperationCaller, input: NewPassword): Promise<Done<Chosen>> {
  return choosePassword(caller, 'verify_email', await checkActionCode(caller, input), input)
}

/**
 * Uses the code, ends all sessions and waits of that user, and verifies the mailbox, since only its owner could read
 * the letter. Before, a stranger may have opened the account with it: earlier providers no longer lead in. Nor do
 * passkeys, of which an intruder may have added one, unless they are the second factor. The code of a link that the
 * office copied proves no mailbox: it opens an account that nobody entered yet, and its letter follows.
 */
async function choosePassword(
  { db, now, termsVersion }: OperationCaller,
  purpose: Purpose,
  owner: { email: string },
  { oobCode, password }: NewPassword,
): Promise<Done<Chosen>> {
  refuseCommon(password, owner)
  refuseWhenCrowded()
  const hashed = await hashedPassword(password)
  const { id, email, hasPasskeys } = await transaction(db, async (tx) => {
    const { provesMailbox, userId } = await useCode(tx, purpose, oobCode, now)
    const wasProved = await isProved(tx, userId)
    const user = provesMailbox ? await proveMailbox(tx, userId, now) : await enterUnproved(tx, userId)
    const keeps = wasProved && (await isByPasskey(tx, userId))
    if (!wasProved) await forgetOtherWays(tx, userId)
    else if (!keeps) await forgetPasskeys(tx, userId)
    await writePassword(tx, userId, hashed, now)
    await voidCodes(tx, 'reset_password', userId, now)
    await endWaitingChange(tx, userId, now)
    await acceptTerms(tx, { userId, version: termsVersion, source: 'recovery', now })
    await endSessions(tx, userId)
    await forgetAllPasswordTries(tx, user.email)
    await record(tx, { entity: 'user', entityId: userId, actorId: userId, name: purpose })
    await enqueue(tx, 'account-letter', { letter: 'password_changed', userId })
    return { ...user, hasPasskeys: keeps }
  })
  announce(db, { people: [id], desk: false })
  return { value: { email, hasPasskeys } }
}

/** Of an account that somebody entered since, the copied link no longer opens anything. */
async function enterUnproved(tx: Tx, userId: string): Promise<{ id: string; email: string }> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId))
  if (!user || user.emailVerified || (await wouldBeClaimed(tx, user)))
    refuse('failed-precondition', 'Esta cuenta ya tiene quien entra. Inicia sesión o recupera tu contraseña.')
  await enqueue(tx, 'account-letter', { letter: 'verify_email', userId })
  return user
}

async function isProved(tx: Tx, userId: string): Promise<boolean> {
  const [user] = await tx
    .select({ emailVerified: users.emailVerified })
    .from(users)
    .where(eq(users.id, userId))
    .for('update')
  return user?.emailVerified ?? false
}

/** The answer of an operation. The cookies are separate: `result` may reach scripts. */
type Answered<T> = { result: Result<T>; headers: Headers }

/** The sign-in operations (specification §7), and those of passkeys: each parses any input, and returns errors instead of throwing. */
export const operations = {
  'sign-in': operation(signInInput, signIn),
  'sign-up': operation(signUpInput, signUp, wrongPassword),
  'sign-out': operation(signOutInput, signOut),
  'send-reset': operation(recoveryInput, sendReset),
  'verify-reset-code': operation(actionCodeInput, verifyResetCode),
  'confirm-reset': operation(newPasswordInput, confirmReset),
  'apply-action-code': operation(actionCodeInput, applyActionCode),
  'send-verification': operation(actionCodeInput, sendVerification),
  'ask-for-passkey': operation(signOutInput, askForPasskey),
  'sign-in-by-passkey': operation(passkeyInput, signInByPasskey),
}

function operation<Schema extends z.ZodType, T>(
  schema: Schema,
  run: (caller: OperationCaller, input: z.output<Schema>) => Promise<Done<T>>,
  /** What the schema can't see to be wrong, so that all is said at once. */
  others: (input: unknown) => Record<string, string> = () => ({}),
) {
  return async (caller: OperationCaller, input: unknown): Promise<Answered<T>> => {
    try {
      const parsed = schema.safeParse(input)
      if (!parsed.success) return { result: invalid(parsed.error, others(input)), headers: new Headers() }
      const { value, headers = new Headers() } = await run(caller, parsed.data)
      return { result: { ok: true, value }, headers }
    } catch (error) {
      return { result: refusalOf(error), headers: new Headers() }
    }
  }
}

function refusalOf(error: unknown): Result<never> {
  const refusal = error instanceof Refusal ? error : databaseRefusal(error)
  if (refusal) return failed(refusal)
  log.error({ err: error }, 'sign-in operation failed')
  return { ok: false, error: { code: 'internal-error', ...signInErrors['internal-error'] } }
}
