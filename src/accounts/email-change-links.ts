import { and, eq, gte, isNull, ne, sql } from 'drizzle-orm'
import { isCustomer } from '../access/rules/actor.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { emailChanges, twoFactors, users } from '../platform/database/schema/accounts.ts'
import { happened } from '../platform/follows.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import type { Done, OperationCaller } from './auth.ts'
import { contactChanged } from './changes.ts'
import { disownWithin, type EmailChange, orTaken, refuseTaken } from './email-change.ts'
import { type LetterCode, readCode, rowOf, settled, useCode, voidCodes } from './letter-codes.ts'
import { countTry } from './limits.ts'
import {
  forgetAllPasswordTries,
  hashedPassword,
  refuseCommon,
  refuseWhenCrowded,
  writePassword,
} from './password.ts'
import { acceptTerms } from './privacy.ts'
import { endAccess, endSessions, eraseSecondFactor, forgetOtherWays } from './providers.ts'
import type { NewPassword } from './rules/schema.ts'

type Coded = { oobCode: string }

/**
 * The change that the letter to the new mailbox would make: of which account, and whether a new password may replace a
 * session.
 */
export async function readEmailChange(caller: OperationCaller, { oobCode }: Coded) {
  const change = await changeOf(caller, 'change_email', oobCode)
  return { userId: change.userId, email: change.newEmail, byNewPassword: await mayChoose(caller.db, change) }
}

/** The change that the letter to the old mailbox would undo. */
export async function readObjection(caller: OperationCaller, { oobCode }: Coded): Promise<{ email: string }> {
  const { oldEmail } = await changeOf(caller, 'object_email', oobCode)
  return { email: oldEmail }
}

async function changeOf(
  { db, address, now }: OperationCaller,
  purpose: 'change_email' | 'object_email',
  code: string,
) {
  await countTry(db, 'codes by address', address, now)
  const row = await rowOf(db, purpose, code)
  const [change] = row
    ? await db.select().from(emailChanges).where(eq(emailChanges.id, row.emailChangeId!))
    : []
  if (purpose === 'change_email' && change?.appliedAt && !change.endedAt)
    throw settled('Ya cambiamos tu correo', `Entras con ${change.newEmail}.`)
  await readCode(db, purpose, code, now)
  return change ?? refuse('not-found')
}

/**
 * Whether the reader of the letter may choose a new password instead of typing the former one: a customer for whom the
 * manager entered the e-mail, who may have lost both. Never a staff member, so that no manager takes another's account.
 */
async function mayChoose(db: Pick<Db, 'select'>, { askedBy, userId }: EmailChange): Promise<boolean> {
  const [user] = await db.select({ role: users.role }).from(users).where(eq(users.id, userId))
  return askedBy !== userId && isCustomer(user)
}

/**
 * The new mailbox is verified under a session of the account, which stays; the others end, and the old mailbox is
 * notified.
 */
export async function applyEmailChange(
  caller: OperationCaller,
  { oobCode }: Coded,
): Promise<Done<{ email: string }>> {
  const { db, actor, address, now, sessionId } = caller
  await countTry(db, 'codes by address', address, now)
  const change = await transaction(db, async (tx) => {
    const held = await take(tx, await useCode(tx, 'change_email', oobCode, now))
    if (held.userId !== actor?.id)
      refuse(
        'failed-precondition',
        'Aquí no está abierta la sesión de esa cuenta. Inicia sesión y ábrelo de nuevo.',
      )
    await apply(tx, held, now, sessionId ?? undefined)
    return held
  }).catch(orTaken)
  await happened(db, contactChanged, { customerId: change.userId, now })
  announce(db, { people: [change.userId] })
  return { value: { email: change.newEmail } }
}

/** The same without a session, where a new password may replace it: all former ways into the account end. */
export async function applyByNewPassword(
  { db, address, now, termsVersion }: OperationCaller,
  { oobCode, password }: NewPassword,
): Promise<Done<{ email: string }>> {
  await countTry(db, 'codes by address', address, now)
  refuseWhenCrowded()
  const hashed = await hashedPassword(password)
  const change = await transaction(db, async (tx) => {
    const held = await take(tx, await useCode(tx, 'change_email', oobCode, now))
    if (!(await mayChoose(tx, held))) refuse('permission-denied')
    refuseCommon(password, { email: held.newEmail })
    await forgetOtherWays(tx, held.userId)
    await apply(tx, held, now)
    await writePassword(tx, held.userId, hashed, now)
    await acceptTerms(tx, { userId: held.userId, version: termsVersion, source: 'recovery', now })
    return held
  }).catch(orTaken)
  await happened(db, contactChanged, { customerId: change.userId, now })
  announce(db, { people: [change.userId] })
  return { value: { email: change.newEmail } }
}

async function apply(tx: Tx, change: EmailChange, now: Date, except?: string): Promise<void> {
  const { id, newEmail, oldEmail, userId } = change
  if (change.appliedAt || change.endedAt) throw over()
  await refuseTaken(tx, newEmail)
  const [user] = await tx
    .update(users)
    .set({ email: newEmail, emailVerified: true, version: sql`${users.version} + 1` })
    .where(and(eq(users.id, userId), eq(users.email, oldEmail), users.active))
    .returning({ id: users.id })
  if (!user) refuse('aborted')
  await tx.update(emailChanges).set({ appliedAt: now }).where(eq(emailChanges.id, id))
  // Letters sent to the old mailbox no longer work, except the one to object.
  await voidCodes(tx, 'reset_password', userId, now)
  await voidCodes(tx, 'verify_email', userId, now)
  await forgetAllPasswordTries(tx, newEmail)
  await endSessions(tx, userId, { except })
  await record(tx, { entity: 'user', entityId: userId, actorId: userId, name: 'change_email' })
  await enqueue(tx, 'account-letter', { letter: 'email_changed', emailChangeId: id })
}

/**
 * The old mailbox objects: the account returns to it, with a new password, and all ways in from the change end. What
 * was set up since (a second factor, a provider, another change) is removed; an earlier second factor stays.
 */
export async function objectToEmailChange(
  { db, address, now }: OperationCaller,
  { oobCode, password }: NewPassword,
): Promise<Done<{ email: string }>> {
  await countTry(db, 'codes by address', address, now)
  refuseWhenCrowded()
  const hashed = await hashedPassword(password)
  const change = await transaction(db, async (tx) => {
    const held = await take(tx, await useCode(tx, 'object_email', oobCode, now))
    refuseCommon(password, { email: held.oldEmail })
    await freeMailbox(tx, held, now)
    await endAccess(tx, held.userId, now)
    await forgetSecondFactorSince(tx, held)
    await writePassword(tx, held.userId, hashed, now)
    await giveBack(tx, held, now)
    return held
  }).catch(orTaken)
  announce(db, { people: [change.userId] })
  return { value: { email: change.oldEmail } }
}

/** A user who signed up with the old mailbox meanwhile did not verify it: this request comes from its owner. */
async function freeMailbox(tx: Tx, { oldEmail, userId }: EmailChange, now: Date): Promise<void> {
  const squatter = and(eq(users.email, oldEmail), ne(users.id, userId))
  const [other] = await tx
    .select({ id: users.id, emailVerified: users.emailVerified })
    .from(users)
    .where(squatter)
  if (!other) return
  if (other.emailVerified)
    refuse(
      'failed-precondition',
      'Ya tienes otra cuenta con este correo. Pide ayuda y lo resolvemos contigo.',
    )
  await disownWithin(tx, other.id, now)
}

async function forgetSecondFactorSince(tx: Tx, { askedAt, userId }: EmailChange): Promise<void> {
  const [since] = await tx
    .select({ id: twoFactors.id })
    .from(twoFactors)
    .where(and(eq(twoFactors.userId, userId), gte(twoFactors.startedAt, askedAt)))
  if (since) await eraseSecondFactor(tx, userId)
}

async function giveBack(tx: Tx, { askedAt, oldEmail, userId }: EmailChange, now: Date): Promise<void> {
  const sinceThen = and(eq(emailChanges.userId, userId), gte(emailChanges.askedAt, askedAt))
  await tx
    .update(emailChanges)
    .set({ endedAt: now })
    .where(and(sinceThen, isNull(emailChanges.endedAt)))
  await tx
    .update(users)
    .set({ email: oldEmail, emailVerified: true, version: sql`${users.version} + 1` })
    .where(eq(users.id, userId))
  await forgetAllPasswordTries(tx, oldEmail)
  await record(tx, { entity: 'user', entityId: userId, actorId: userId, name: 'object_email_change' })
  await enqueue(tx, 'account-letter', { letter: 'password_changed', userId })
}

/** The change of a code that was just used, locked with its user. */
async function take(tx: Tx, { emailChangeId, userId }: LetterCode): Promise<EmailChange> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  const [change] = await tx
    .select()
    .from(emailChanges)
    .where(eq(emailChanges.id, emailChangeId!))
    .for('update')
  if (!change || change.endedAt) throw over()
  return change
}

const over = () =>
  new Refusal('failed-precondition', {
    title: 'Este cambio ya no está pendiente',
    description: 'Se hizo, se canceló, o se pidió otro después.',
  })
