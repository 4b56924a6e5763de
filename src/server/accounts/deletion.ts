import { and, eq, isNull, notInArray, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { failedStates } from '../../domain/appointments/appointment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { addresses, projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { assertPassword } from './own-password.ts'

/** What of an open project stands against deleting its customer's account; null when nothing does. */
export type InTheWay = 'installation' | 'address' | null

/** An appointment that was not cancelled or missed, else an address; a project with neither is only an empty folder. */
export async function inTheWayOf(db: Queryable, customerId: string): Promise<InTheWay> {
  const [project] = await db
    .select({
      appointment: sql<boolean>`exists (${db
        .select({ one: sql`1` })
        .from(appointments)
        .where(
          and(eq(appointments.projectId, projects.id), notInArray(appointments.state, [...failedStates])),
        )})`,
      address: sql<boolean>`exists (${db
        .select({ one: sql`1` })
        .from(addresses)
        .where(and(eq(addresses.projectId, projects.id), isNull(addresses.archivedAt)))})`,
    })
    .from(projects)
    .where(and(eq(projects.customerId, customerId), isNull(projects.closedAt)))
  if (project?.appointment) return 'installation'
  return project?.address ? 'address' : null
}

/** In words, with what to do about it. */
export const inTheWayWords = {
  installation:
    'Tienes una instalación en curso y para atenderla necesitamos tu cuenta. Cuando termine, o si la cancelas, podrás eliminarla.',
  address: 'Tienes un proyecto abierto con tu domicilio. Quita primero tu domicilio.',
}

/** Asks for one's own account to be deleted when the days of waiting are over. Asked again, nothing changes. */
export async function askDeletion(db: Db, actor: Actor, password: string, now: Date): Promise<void> {
  if (actor.role !== 'customer') refuse('permission-denied')
  await assertPassword(db, actor, password, now)
  await transaction(db, async (tx) => {
    const asked = await heldRequest(tx, actor.id)
    if (asked) return
    const obstacle = await inTheWayOf(tx, actor.id)
    if (obstacle) refuse('failed-precondition', inTheWayWords[obstacle])
    await write(tx, actor.id, now)
    await record(tx, { ...by(actor), name: 'ask_deletion' })
    await enqueue(tx, 'account-letter', { letter: 'deletion_asked', userId: actor.id })
  })
  announce(db, { people: [actor.id], desk: false })
}

/** Takes it back, as long as the account is there. */
export async function keepAccount(db: Db, actor: Actor): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await heldRequest(tx, actor.id)))
      refuse('failed-precondition', 'Tu cuenta ya no estaba por eliminarse.')
    await write(tx, actor.id, null)
    await record(tx, { ...by(actor), name: 'take_back_deletion' })
    await enqueue(tx, 'account-letter', { letter: 'deletion_taken_back', userId: actor.id })
  })
  announce(db, { people: [actor.id], desk: false })
}

async function heldRequest(tx: Tx, id: string): Promise<Date | null> {
  const [user] = await tx
    .select({ requestedAt: users.deletionRequestedAt })
    .from(users)
    .where(eq(users.id, id))
    .for('update')
  return user?.requestedAt ?? null
}

const write = (tx: Tx, id: string, deletionRequestedAt: Date | null) =>
  tx.update(users).set({ deletionRequestedAt }).where(eq(users.id, id))

const by = ({ id }: Actor) => ({ entity: 'user', entityId: id, actorId: id })
