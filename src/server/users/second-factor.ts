import { eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { managesPeople } from '../../domain/users/user.ts'
import { forgetSecondFactor, holdSecondFactor } from '../accounts/email-change-letters.ts'
import { type Db, isId, transaction } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { ChangeTerms } from './create.ts'
import { lockUser } from './invite.ts'

/** The manager lets somebody in again who lost their phone and their recovery codes; one's own is the account page's. */
export async function removeSecondFactor(
  db: Db,
  actor: Actor,
  uid: string,
  { version, confirmed }: Pick<ChangeTerms, 'version' | 'confirmed'>,
): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  if (!isId(uid)) refuse('not-found')
  if (uid === actor.id)
    refuse('failed-precondition', 'El tuyo se desactiva en «Mi cuenta», con tu contraseña.')
  if (!confirmed)
    refuse('failed-precondition', 'Marca la casilla para confirmar que hablaste con esa persona.')
  await transaction(db, async (tx) => {
    // Before the person, as whoever turns off their own does: two at once wait for each other in the same order.
    const on = await holdSecondFactor(tx, uid)
    const person = await lockUser(tx, uid)
    if (person.version !== version) refuse('aborted')
    if (!on) refuse('failed-precondition', 'Ya no tiene segundo factor.')
    await forgetSecondFactor(tx, uid, actor.id)
    await enqueue(tx, 'account-letter', { letter: 'second_factor_off', userId: uid })
  })
  announce(db, { people: [uid], desk: false })
}

/** The same for whoever owns the server, by e-mail: the only manager has nobody else to ask. A command sends no letters. */
export async function removeSecondFactorOf(db: Db, given: string): Promise<void> {
  const email = given.trim().toLowerCase()
  await transaction(db, async (tx) => {
    const [person] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
    if (!person || !(await holdSecondFactor(tx, person.id)))
      refuse('failed-precondition', `${email} has no second factor.`)
    await forgetSecondFactor(tx, person.id, null)
  })
}
