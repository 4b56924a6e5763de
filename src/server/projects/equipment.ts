import { and, eq, isNull } from 'drizzle-orm'
import { type Equipment, tellsSomething } from '../../domain/equipment.ts'
import type { Tx } from '../database/database.ts'
import { projects } from '../database/schema.ts'

/** Keeps what a first booking told of car and charger; what is known already stays. */
export async function noteEquipment(tx: Tx, projectId: string, equipment: Equipment): Promise<void> {
  if (!tellsSomething(equipment)) return
  await tx
    .update(projects)
    .set(equipment)
    .where(and(eq(projects.id, projectId), isNull(projects.vehicle), isNull(projects.charger)))
}
