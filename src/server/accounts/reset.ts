import { eq } from 'drizzle-orm'
import type { NewPassword, Recovery } from '../../domain/accounts/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import { type Tx, transaction } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Caller, Done } from './caller.ts'
import { refuseCommon } from './common-passwords.ts'
import { acceptTerms } from './consents.ts'
import { forgetProviders } from './end-access.ts'
import { endSessions } from './end-sessions.ts'
import { hashedPassword, refuseWhenCrowded } from './hashing.ts'
import { type Purpose, readCode, useCode, voidCodes } from './letter-codes.ts'
import { countTry } from './limits.ts'
import { writePassword } from './password.ts'
import { proveMailbox } from './prove-mailbox.ts'
import { forgetAllPasswordTries } from './sign-in-failures.ts'
import { checkActionCode } from './verify-email.ts'
import { endWaitingChange } from './waiting-email.ts'

/**
 * Has the letter with the link to a new password sent. The same work for an e-mail we know and one we don't: whether it
 * is somebody's is found out by the job that writes the letter.
 */
export async function sendReset({ db, address, now }: Caller, { email }: Recovery): Promise<Done<null>> {
  await countTry(db, 'letters by address', address, now)
  await countTry(db, 'letters by account', email, now)
  await transaction(db, (tx) => enqueue(tx, 'account-letter', { letter: 'reset_password', email }))
  return { value: null }
}

/** Whose password a letter's code would change; the code stays good. */
export async function verifyResetCode(
  caller: Caller,
  { oobCode }: { oobCode: string },
): Promise<Done<{ email: string }>> {
  const { email } = await holderOf(caller, oobCode)
  return { value: { email } }
}

/** The same for the page, which asks whoever has an account by telephone to accept the terms. */
export async function holderOf({ db, address, now }: Caller, oobCode: string) {
  await countTry(db, 'codes by address', address, now)
  const { userId } = await readCode(db, 'reset_password', oobCode, now)
  const [user] = await db
    .select({ email: users.email, termsAcceptedAt: users.termsAcceptedAt })
    .from(users)
    .where(eq(users.id, userId))
  if (!user) return refuse('not-found')
  return { email: user.email, hasAccepted: user.termsAcceptedAt !== null }
}

/** The new password of whoever holds the letter for one. An account made for a caller accepts the terms by it. */
export async function confirmReset(caller: Caller, input: NewPassword): Promise<Done<{ email: string }>> {
  const { value: owner } = await verifyResetCode(caller, input)
  return choosePassword(caller, 'reset_password', owner, input)
}

/** The new password of whoever holds the letter that proves a mailbox, and has no session of the account: it becomes theirs. */
export async function proveByNewPassword(
  caller: Caller,
  input: NewPassword,
): Promise<Done<{ email: string }>> {
  return choosePassword(caller, 'verify_email', await checkActionCode(caller, input), input)
}

/**
 * Takes the code, ends all sessions of that person and all waits, and proves the mailbox, since nobody else could read the
 * letter. Until then anybody may have opened the account with it: no provider of before leads in any more.
 */
async function choosePassword(
  { db, now, termsVersion }: Caller,
  purpose: Purpose,
  owner: { email: string },
  { oobCode, password }: NewPassword,
): Promise<Done<{ email: string }>> {
  refuseCommon(password, owner)
  refuseWhenCrowded()
  const hashed = await hashedPassword(password)
  const { id, email } = await transaction(db, async (tx) => {
    const { userId } = await useCode(tx, purpose, oobCode, now)
    if (!(await isProved(tx, userId))) await forgetProviders(tx, userId)
    const user = await proveMailbox(tx, userId, now)
    await writePassword(tx, userId, hashed, now)
    await voidCodes(tx, 'reset_password', userId, now)
    await endWaitingChange(tx, userId, now)
    await acceptTerms(tx, { userId, version: termsVersion, source: 'recovery', now })
    await endSessions(tx, userId)
    await forgetAllPasswordTries(tx, user.email)
    await record(tx, { entity: 'user', entityId: userId, actorId: userId, name: purpose })
    await enqueue(tx, 'account-letter', { letter: 'password_changed', userId })
    return user
  })
  announce(db, { people: [id], desk: false })
  return { value: { email } }
}

async function isProved(tx: Tx, userId: string): Promise<boolean> {
  const [user] = await tx
    .select({ emailVerified: users.emailVerified })
    .from(users)
    .where(eq(users.id, userId))
    .for('update')
  return user?.emailVerified ?? false
}
