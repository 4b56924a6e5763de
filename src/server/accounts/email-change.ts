import { eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { endOwnReferral } from '../agencies/attribute.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, databaseFault, type Tx, transaction } from '../platform/database/database.ts'
import { emailChanges, users } from '../platform/database/schema/account-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { endSessions } from './end-sessions.ts'
import { voidCodes } from './letter-codes.ts'
import { countTry } from './limits.ts'
import { demandPassword } from './own-password.ts'
import { takeOver } from './take-over.ts'
import { endWaitingChange } from './waiting-email.ts'

export type EmailChange = typeof emailChanges.$inferSelect

type Wish = { email: string; askedBy: string; sessionId?: string; now: Date }

/** `asked`: nothing changes until a letter to the new mailbox is opened. `changed`: the old one was nobody's yet. */
export type Begun = 'asked' | 'changed'

/** Changes one's own e-mail, by the password: see `beginEmailChange`. */
export async function changeOwnEmail(
  db: Db,
  actor: Actor,
  sessionId: string,
  { email, currentPassword }: { email: string; currentPassword: string },
  now: Date,
): Promise<Begun> {
  if (email === actor.email) refuseEmail('invalid-argument', 'Ese ya es tu correo.')
  await countTry(db, 'letters by account', actor.id, now)
  await demandPassword(db, actor, currentPassword, now)
  const wish = { email, askedBy: actor.id, sessionId, now }
  const begun = await transaction(db, (tx) => beginEmailChange(tx, actor.id, wish)).catch(orTaken)
  // It may turn out to be that of one of the agency's own allies.
  await endOwnReferral(db, actor.id, now)
  announce(db, { people: [actor.id], desk: false })
  return begun
}

/**
 * Begins the change of somebody's e-mail. A mailbox that was proved stays theirs until the new one is, and is told, with a
 * way to object. One that nobody proved is let go at once, and the new one is to be proved like a first; where somebody
 * of the house writes it down, the account is taken over for its mailbox's owner (`takeOver`).
 */
export async function beginEmailChange(tx: Tx, userId: string, wish: Wish): Promise<Begun> {
  const { email, askedBy, now } = wish
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user) refuse('not-found')
  if (user.email === email) refuseEmail('invalid-argument', 'Ese ya es su correo.')
  await refuseTaken(tx, email)
  await endWaitingChange(tx, userId, now)
  if (!user.emailVerified) {
    await replaceUnproved(tx, user, wish)
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

async function replaceUnproved(tx: Tx, user: typeof users.$inferSelect, wish: Wish): Promise<void> {
  const { id, email: old, version } = user
  const { email, askedBy, sessionId, now } = wish
  const set = { email, version: version + 1 }
  await tx.update(users).set(set).where(eq(users.id, id))
  // Whatever was mailed to the old one opens nothing any more.
  await voidCodes(tx, 'verify_email', id, now)
  await voidCodes(tx, 'reset_password', id, now)
  await record(tx, { entity: 'user', entityId: id, actorId: askedBy, name: 'change_email' })
  await enqueue(tx, 'account-letter', { letter: 'email_left', email: old })
  if (askedBy === id) {
    await endSessions(tx, id, { except: sessionId })
    return enqueue(tx, 'account-letter', { letter: 'verify_email', userId: id })
  }
  const taken = await takeOver(tx, id, askedBy, now)
  if (!taken) await enqueue(tx, 'account-letter', { letter: 'claim_account', userId: id })
}

/** Takes one's own change back before it was proved. */
export async function cancelEmailChange(db: Db, actor: Actor, now: Date): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await endWaitingChange(tx, actor.id, now)))
      refuse('failed-precondition', 'Ya no hay ningún cambio por confirmar.')
    await record(tx, {
      ...{ entity: 'user', entityId: actor.id, actorId: actor.id },
      name: 'cancel_email_change',
    })
  })
  announce(db, { people: [actor.id], desk: false })
}

/** Refuses an e-mail that is somebody's already, proved or not. */
export async function refuseTaken(tx: Tx, email: string): Promise<void> {
  const [known] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (known) throw taken()
}

/** Somebody took it at the same moment. */
export function orTaken(error: unknown): never {
  throw databaseFault(error).constraint === 'users_email_unique' ? taken() : error
}

const taken = () => emailRefusal('already-exists', 'Ya hay otra cuenta con ese correo.')

const emailRefusal = (code: 'already-exists' | 'invalid-argument', email: string) =>
  new Refusal(code, { description: email, details: { errors: { email } } })

function refuseEmail(code: 'already-exists' | 'invalid-argument', email: string): never {
  throw emailRefusal(code, email)
}
