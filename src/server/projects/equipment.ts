import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type Equipment, tellsSomething } from '../../domain/projects/equipment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'

const next = sql`${projects.version} + 1`

/** Keeps what a first booking told of car and charger; what is known already stays. */
export async function noteEquipment(tx: Tx, projectId: string, equipment: Equipment): Promise<void> {
  if (!tellsSomething(equipment)) return
  await tx
    .update(projects)
    .set({ ...equipment, version: next })
    .where(and(eq(projects.id, projectId), isNull(projects.vehicle), isNull(projects.charger)))
}

/** A customer changes car and charger of the open project, as the form was shown it. */
export async function saveEquipment(
  db: Db,
  actor: Actor,
  equipment: Equipment,
  version: number,
): Promise<void> {
  if (actor.role !== 'customer') refuse('permission-denied')
  const id = await transaction(db, async (tx) => {
    const mine = and(eq(projects.customerId, actor.id), isNull(projects.closedAt))
    const [saved] = await tx
      .update(projects)
      .set({ ...equipment, version: next })
      .where(and(mine, eq(projects.version, version)))
      .returning({ id: projects.id })
    if (!saved) return refuse('aborted')
    await record(tx, { entity: 'project', entityId: saved.id, actorId: actor.id, name: 'change_equipment' })
    return saved.id
  })
  announce(db, { people: [actor.id, id] })
}
