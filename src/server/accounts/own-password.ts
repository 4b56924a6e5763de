import { and, eq, isNotNull } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { PasswordChange } from '../../domain/accounts/schema.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Queryable, transaction } from '../platform/database/database.ts'
import { accounts, users } from '../platform/database/schema/account-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { refuseCommon } from './common-passwords.ts'
import { endSessions } from './end-sessions.ts'
import { hashedPassword, isPassword, refuseWhenCrowded } from './hashing.ts'
import { voidCodes } from './letter-codes.ts'
import { writePassword } from './password.ts'
import { countPasswordTry, forgetPasswordTries } from './sign-in-failures.ts'
import { endWaitingChange } from './waiting-email.ts'

/** Whether somebody has a password; who came by a provider has none until a letter lets them choose one. */
export const hasPassword = async (db: Queryable, userId: string): Promise<boolean> =>
  (await passwordOf(db, userId)) !== null

/** Refuses unless this is the actor's password. A try here counts like one at sign-in. Answers how it is kept. */
export async function demandPassword(db: Db, actor: Actor, typed: string, now: Date): Promise<string> {
  const kept = await passwordOf(db, actor.id)
  if (kept === null)
    refuse(
      'failed-precondition',
      'Tu cuenta todavía no tiene contraseña. Pide primero la carta para elegir una.',
    )
  refuseWhenCrowded()
  // Under a session of theirs: tries from elsewhere don't keep them from it.
  const place = { email: actor.email, place: 'own session' }
  await countPasswordTry(db, place, now)
  if (!(await isPassword({ hash: kept, password: typed }))) {
    const errors = { currentPassword: 'La contraseña no es correcta.' }
    throw new Refusal('invalid-argument', {
      title: 'Revisa tu contraseña',
      description: errors.currentPassword,
      details: { errors },
    })
  }
  await forgetPasswordTries(db, place)
  return kept
}

/** Changes one's own password, ends the other sessions, and voids the letters that would change it again. Answers whether a calendar's link ended too. */
export async function changePassword(
  db: Db,
  actor: Actor,
  sessionId: string,
  { currentPassword, newPassword }: Pick<PasswordChange, 'currentPassword' | 'newPassword'>,
  now: Date,
): Promise<boolean> {
  refuseCommon(newPassword, { email: actor.email, field: 'newPassword' })
  const known = await demandPassword(db, actor, currentPassword, now)
  const hashed = await hashedPassword(newPassword)
  const linkEnded = await transaction(db, async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for('update')
    // Of two changes at once the later one no longer finds the password that it proved.
    if ((await passwordOf(tx, actor.id)) !== known)
      refuse('aborted', 'Tu contraseña acaba de cambiar en otra ventana.')
    await writePassword(tx, actor.id, hashed, now)
    await voidCodes(tx, 'reset_password', actor.id, now)
    await endWaitingChange(tx, actor.id, now)
    const linkEnded = await endSessions(tx, actor.id, { except: sessionId })
    await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'change_password' })
    await enqueue(tx, 'account-letter', { letter: 'password_changed', userId: actor.id })
    return linkEnded
  })
  announce(db, { people: [actor.id], desk: false })
  return linkEnded
}

async function passwordOf(db: Queryable, userId: string): Promise<string | null> {
  const [account] = await db
    .select({ password: accounts.password })
    .from(accounts)
    .where(
      and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential'), isNotNull(accounts.password)),
    )
  return account?.password ?? null
}
