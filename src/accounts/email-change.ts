import { and, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm'
import { type Actor, isCustomer } from '../access/rules/actor.ts'
import { mailboxOf } from '../agencies/rules/clients.ts'
import { failedStates, upcomingStates } from '../appointments/rules/appointment.ts'
import { sentPaymentStates } from '../payments/rules/payment.ts'
import { type Db, databaseFault, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { accounts, emailChanges, users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { happened } from '../platform/follows.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import type { Done, OperationCaller } from './auth.ts'
import { accountDisowned, contactChanged } from './changes.ts'
import { useCode, voidCodes } from './letter-codes.ts'
import { countTry, refuseBraked } from './limits.ts'
import { assertPassword, endWaitingChange, forgetAllPasswordTries } from './password.ts'
import { noteConsent } from './privacy.ts'
import { endAccess, endSessions } from './providers.ts'
import { deletionWaitDays, nobodysEmail } from './rules/schema.ts'

export type EmailChange = typeof emailChanges.$inferSelect

type Input = { email: string; askedBy: string; sessionId?: string; now: Date }

/**
 * `asked`: nothing changes until a letter to the new mailbox is opened. `changed`: the old mailbox was never verified.
 */
export type Begun = 'asked' | 'changed'

/** Changes one's own e-mail, by the password: see `beginEmailChange`. */
export async function changeOwnEmail(
  db: Db,
  actor: Actor,
  sessionId: string,
  { address, email, currentPassword }: { address: string; email: string; currentPassword: string },
  now: Date,
): Promise<Begun> {
  if (email === actor.email) refuseEmail('invalid-argument', 'Ese ya es tu correo.')
  await refuseBraked(db, actor.id)
  await countTry(db, 'letters by account', actor.id, now)
  await assertPassword(db, actor, currentPassword, now)
  await countTry(db, 'letters by address', address, now)
  await countTry(db, 'new mailboxes by mailbox', mailboxOf(email), now)
  const input = { email, askedBy: actor.id, sessionId, now }
  const begun = await transaction(db, (tx) => beginEmailChange(tx, actor.id, input)).catch(orTaken)
  // It may turn out to be that of one of the agency's own allies.
  await happened(db, contactChanged, { customerId: actor.id, now })
  announce(db, { people: [actor.id], desk: false })
  return begun
}

/**
 * Begins the change of a user's e-mail. A verified mailbox stays theirs until the new one is verified, and is notified,
 * with a way to object. An unverified one is replaced at once, and the new one is verified like a first; where a staff
 * member enters it, the account is taken over for its mailbox's owner (`claimUnprovedAccount`).
 */
export async function beginEmailChange(tx: Tx, userId: string, input: Input): Promise<Begun> {
  const { email, askedBy, now } = input
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user) refuse('not-found')
  if (user.email === email) refuseEmail('invalid-argument', 'Ese ya es su correo.')
  await refuseTaken(tx, email)
  await endWaitingChange(tx, userId, now)
  if (!user.emailVerified) {
    await replaceUnproved(tx, user, input)
    return 'changed'
  }
  const [change] = await tx
    .insert(emailChanges)
    .values({ userId, oldEmail: user.email, newEmail: email, askedBy, askedAt: now })
    .returning({ id: emailChanges.id })
  await record(tx, { entity: 'user', entityId: userId, actorId: askedBy, name: 'ask_email_change' })
  for (const letter of ['change_email', 'email_change_asked'] as const)
    await enqueue(tx, 'account-letter', { letter, emailChangeId: change!.id })
  return 'asked'
}

async function replaceUnproved(tx: Tx, user: typeof users.$inferSelect, input: Input): Promise<void> {
  const { id, version } = user
  const { email, askedBy, sessionId, now } = input
  const set = { email, version: version + 1 }
  await tx.update(users).set(set).where(eq(users.id, id))
  // Letters sent to the old mailbox no longer work.
  await voidCodes(tx, 'verify_email', id, now)
  await voidCodes(tx, 'reset_password', id, now)
  await record(tx, { entity: 'user', entityId: id, actorId: askedBy, name: 'change_email' })
  if (askedBy === id) {
    await endSessions(tx, id, { except: sessionId })
    return enqueue(tx, 'account-letter', { letter: 'verify_email', userId: id })
  }
  const taken = await claimUnprovedAccount(tx, id, askedBy, now)
  if (!taken) await enqueue(tx, 'account-letter', { letter: 'claim_account', userId: id })
}

/** Withdraws one's own change before it was verified. */
export async function cancelEmailChange(db: Db, actor: Actor, now: Date): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await endWaitingChange(tx, actor.id, now)))
      refuse('failed-precondition', 'Ya no hay ningún cambio por confirmar.')
    await record(tx, {
      entity: 'user',
      entityId: actor.id,
      actorId: actor.id,
      name: 'cancel_email_change',
    })
  })
  announce(db, { people: [actor.id], desk: false })
}

/** Refuses an e-mail that another user has, verified or not. */
export async function refuseTaken(tx: Tx, email: string): Promise<void> {
  const [known] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (known) throw taken()
}

/** Another user took it at the same moment. */
export function orTaken(error: unknown): never {
  throw databaseFault(error).constraint === 'users_email_unique' ? taken() : error
}

const taken = () => emailRefusal('already-exists', 'Ya hay otra cuenta con ese correo.')

const emailRefusal = (code: 'already-exists' | 'invalid-argument', email: string) =>
  new Refusal(code, { description: email, details: { errors: { email } } })

function refuseEmail(code: 'already-exists' | 'invalid-argument', email: string): never {
  throw emailRefusal(code, email)
}

/**
 * Runs before a staff member enters a caller's data in an account with an unverified mailbox: a stranger may have
 * signed up with it. All ways in end, consents are void, and the mailbox gets the letter by which its owner claims the
 * account. Nothing happens to a verified account, or to one that no user ever entered. Returns whether it was taken
 * over. Announce that user after the commit.
 */
export async function claimUnprovedAccount(
  tx: Tx,
  customerId: string,
  actorId: string,
  now: Date,
): Promise<boolean> {
  const [user] = await tx.select().from(users).where(eq(users.id, customerId)).for('update')
  // The letter that claims an account without any way in stays valid.
  if (!user || !isCustomer(user) || !(await wouldBeClaimed(tx, user))) return false
  await endAccess(tx, customerId, now)
  const { termsVersion, whatsappOptInAt, newsOptInAt } = user
  const said = {
    userId: customerId,
    given: false,
    version: termsVersion ?? '–',
    source: 'take_over',
  } as const
  await noteConsent(tx, { ...said, kind: 'terms' })
  if (whatsappOptInAt) await noteConsent(tx, { ...said, kind: 'whatsapp' })
  if (newsOptInAt) await noteConsent(tx, { ...said, kind: 'news' })
  await tx
    .update(users)
    .set({
      termsVersion: null,
      termsAcceptedAt: null,
      whatsappOptInAt: null,
      newsOptInAt: null,
      version: sql`${users.version} + 1`,
    })
    .where(eq(users.id, customerId))
  await record(tx, { entity: 'user', entityId: customerId, actorId, name: 'take_over' })
  await enqueue(tx, 'account-letter', { letter: 'claim_account', userId: customerId })
  return true
}

/** Whether an account would be taken over: its mailbox is not verified, and a user has a way into it. */
export async function wouldBeClaimed(
  db: Queryable,
  { id, emailVerified }: { id: string; emailVerified: boolean },
): Promise<boolean> {
  if (emailVerified) return false
  const way = eq(accounts.userId, id)
  return (await db.select({ id: accounts.id }).from(accounts).where(way).limit(1)).length > 0
}

/** The mailbox's owner reports that the account is not theirs: it is deleted. */
export async function disown(
  { db, address, now }: OperationCaller,
  { oobCode }: { oobCode: string },
): Promise<Done<null>> {
  await countTry(db, 'codes by address', address, now)
  const { userId, people } = await transaction(db, async (tx) => {
    const { userId } = await useCode(tx, 'verify_email', oobCode, now)
    return { userId, people: await disownWithin(tx, userId, now) }
  })
  announce(db, { people: [userId, ...people] })
  return { value: null }
}

/**
 * Deletes an account with an unverified mailbox: all ways in end, its mailbox is free at once, its bookings are
 * cancelled, and a job erases the rest without the waiting days. Where work was done or paid for, the office has to
 * settle it. Returns whom to notify after the commit.
 */
export async function disownWithin(tx: Tx, userId: string, now: Date): Promise<string[]> {
  if (await hasHistory(tx, userId))
    refuse(
      'failed-precondition',
      'Con este correo ya hay una instalación en curso. Pide ayuda y lo resolvemos contigo.',
    )
  // Locked before the user, as in the job that cancels appointments: both lock in the same order.
  const { people } = await happened(tx, accountDisowned, { userId, now, people: [] })
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user || user.emailVerified || !isCustomer(user)) refuse('not-found')
  await endAccess(tx, userId, now)
  await forgetAllPasswordTries(tx, user.email)
  const open = and(eq(projects.customerId, userId), isNull(projects.closedAt))
  await tx.update(projects).set({ closedAt: now }).where(open)
  await tx
    .update(users)
    .set({
      email: nobodysEmail(userId),
      active: false,
      version: user.version + 1,
      deletionRequestedAt: new Date(now.getTime() - deletionWaitDays * 24 * 60 * 60 * 1000),
    })
    .where(eq(users.id, userId))
  await record(tx, { entity: 'user', entityId: userId, name: 'disown' })
  await enqueue(tx, 'erase-accounts', {})
  return people
}

/** Whether staff came to their home, spoke with them by video, or took money. */
async function hasHistory(tx: Tx, customerId: string): Promise<boolean> {
  const visited = and(
    eq(appointments.customerId, customerId),
    notInArray(appointments.state, [...upcomingStates, ...failedStates]),
  )
  const paid = and(eq(payments.customerId, customerId), inArray(payments.state, sentPaymentStates))
  const found = [
    ...(await tx.select({ id: appointments.id }).from(appointments).where(visited).limit(1)),
    ...(await tx.select({ id: payments.id }).from(payments).where(paid).limit(1)),
  ]
  return found.length > 0
}
