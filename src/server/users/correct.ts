import { eq } from 'drizzle-orm'
import { type Actor, hasName } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { managesPeople } from '../../domain/users/user.ts'
import { type Begun, beginEmailChange, orTaken } from '../accounts/email-change.ts'
import { countTry } from '../accounts/limits.ts'
import { takeOver } from '../accounts/take-over.ts'
import { endOwnReferral } from '../agencies/attribute.ts'
import { inTouchWith } from '../appointments/in-touch.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { holdPerson } from './hold.ts'

type Words = { name: string; lastname: string; phone: string }

/** The manager corrects somebody's name and phone. The history says which changed, not what they were. */
export async function correctPerson(
  db: Db,
  actor: Actor,
  uid: string,
  { name, lastname, phone, version }: Words & { version: number },
  now: Date,
): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  const wish: Words = { name, lastname, phone }
  await transaction(db, async (tx) => {
    const person = await holdPerson(tx, uid)
    if (person.version !== version) refuse('aborted')
    if (!hasName(person)) refuse('failed-precondition', 'Todavía no completa su perfil.')
    const changed = (Object.keys(wish) as (keyof Words)[]).filter((field) => wish[field] !== person[field])
    if (changed.length === 0) return
    const taken = await takeOver(tx, uid, actor.id, now)
    await tx
      .update(users)
      .set({ ...wish, version: version + (taken ? 2 : 1) })
      .where(eq(users.id, uid))
    const by = { entity: 'user', entityId: uid, actorId: actor.id }
    await record(tx, { ...by, name: 'correct_profile', data: { changed } })
  })
  // Their phone may turn out to be that of one of the agency's own allies.
  await endOwnReferral(db, uid, now)
  announce(db, { people: [uid, ...(await inTouchWith(db, uid))] })
}

/** The manager begins the change of somebody else's e-mail; one's own asks for the password, at the account page. */
export async function correctEmail(
  db: Db,
  actor: Actor,
  uid: string,
  { email, version }: { email: string; version: number },
  now: Date,
): Promise<Begun> {
  if (!managesPeople(actor)) refuse('permission-denied')
  if (!isId(uid)) refuse('not-found')
  if (uid === actor.id) refuse('failed-precondition', 'El tuyo se cambia en «Mi cuenta», con tu contraseña.')
  await countTry(db, 'letters by account', uid, now)
  const begun = await transaction(db, async (tx) => {
    const person = await holdPerson(tx, uid)
    if (person.version !== version) refuse('aborted')
    if (!person.active) refuse('failed-precondition', 'Su cuenta está inactiva: actívala primero.')
    return beginEmailChange(tx, uid, { email, askedBy: actor.id, now })
  }).catch(orTaken)
  await endOwnReferral(db, uid, now)
  announce(db, { people: [uid], desk: false })
  return begun
}
