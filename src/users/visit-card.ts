import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { type Actor, isCustomer } from '../access/rules/actor.ts'
import { activeStates } from '../appointments/rules/appointment.ts'
import { stateIn } from '../appointments/visibility.ts'
import { type Db, isId, type Queryable, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users, visitCards } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { takeShare } from '../platform/storage/keep.ts'
import { sizesOf } from '../platform/storage/pictures.ts'
import { receive } from '../platform/storage/receive.ts'
import { largestFile } from '../reports/rules/photos.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import type { VisitCardInput } from './rules/schema.ts'
import { hasVisitCard, keepsFieldFacts, managesPeople } from './rules/user.ts'

/** A person's card as they and the manager edit it; null for whoever visits nobody. */
export async function visitCardOf(db: Queryable, actor: Actor, userId: string) {
  if (!isId(userId) || !keepsFieldFacts(actor, userId)) return null
  const [row] = await db
    .select({
      id: users.id,
      kind: users.kind,
      vehicle: visitCards.vehicle,
      colour: visitCards.colour,
      plates: visitCards.plates,
      credential: visitCards.credential,
      photoTag: visitCards.photoTag,
    })
    .from(users)
    .leftJoin(visitCards, eq(visitCards.userId, users.id))
    .where(eq(users.id, userId))
  if (!row || !hasVisitCard(row.kind)) return null
  const { kind: _, ...card } = row
  return { ...card, writesCredential: managesPeople(actor) }
}

export type EditedVisitCard = NonNullable<Awaited<ReturnType<typeof visitCardOf>>>

type Store = { db: Db; drive: Drive }

/**
 * Stores a person's card: their own, or the manager anybody's. A photo is made anew from its pixels, and small. The
 * credential is the manager's word: nobody certifies themselves.
 */
export async function saveVisitCard(
  store: Store,
  actor: Actor,
  userId: string,
  { credential, photo, withoutPhoto, ...car }: VisitCardInput & { photo: File | null },
  now: Date,
): Promise<void> {
  if (!(await visitCardOf(store.db, actor, userId))) refuse('permission-denied')
  const made = photo && (await portraitOf(store, actor, photo, now))
  const picture = made ?? (withoutPhoto ? { photo: null, photoTag: null } : {})
  await transaction(store.db, async (tx) => {
    // Their rights may have ended meanwhile.
    const [person] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!person?.active || !hasVisitCard(person.kind))
      refuse('failed-precondition', 'Esta persona ya no visita clientes.')
    const shown = managesPeople(actor) ? { credential } : {}
    const set = { ...car, ...shown, ...picture, updatedAt: now }
    await tx
      .insert(visitCards)
      .values({ userId, ...set })
      .onConflictDoUpdate({ target: visitCards.userId, set })
    await record(tx, { entity: 'user', entityId: userId, actorId: actor.id, name: 'change_visit_card' })
  })
  announce(store.db, { people: [userId] })
}

async function portraitOf({ db, drive }: Store, actor: Actor, file: File, now: Date) {
  const wrong = (message: string): never => refuse('invalid-argument', message, { errors: { file: message } })
  if (file.size > largestFile) wrong('La foto pesa demasiado. Elige una de hasta 12\u00a0MB.')
  await takeShare(db, drive, actor, file.size, now)
  const received = await receive(file.stream(), largestFile)
  try {
    await sizesOf({ file: received.file, isSignature: false }, actor.id)
    const photo = await readFile(`${received.file}.list`)
    return { photo, photoTag: createHash('sha256').update(photo).digest('hex').slice(0, 16) }
  } catch (error) {
    if (error instanceof Refusal) return wrong(error.description)
    throw error
  } finally {
    await received.discard()
  }
}

/**
 * A portrait for whoever may see it: by the person's id they and the manager, by an appointment's id its customer, from
 * when the person is confirmed until it is over. Null for everybody else.
 */
export async function portraitSeen(db: Queryable, actor: Actor, id: string) {
  if (!isId(id) || !(isCustomer(actor) || keepsFieldFacts(actor, id))) return null
  const whose = isCustomer(actor)
    ? sql`exists (select 1 from ${appointments} where ${appointments.id} = ${id}
        and ${appointments.customerId} = ${actor.id} and ${appointments.assigneeId} = ${visitCards.userId}
        and ${appointments.confirmedAt} is not null and ${stateIn(activeStates)})`
    : eq(visitCards.userId, id)
  const [row] = await db
    .select({ photo: visitCards.photo, tag: visitCards.photoTag })
    .from(visitCards)
    .where(and(isNotNull(visitCards.photo), whose))
  return row?.photo && row.tag ? { photo: row.photo, tag: row.tag } : null
}
