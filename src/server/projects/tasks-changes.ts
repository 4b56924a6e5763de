import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { lengthOf, tidy } from '../../domain/shared/text.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { tasks } from '../platform/database/schema/office-schema.ts'
import { addresses } from '../platform/database/schema/project-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { claimReason } from './call-customer.ts'
import { areaReason, takesTasks } from './tasks-queries.ts'

/** Which task, and what came of it. */
export const taskInput = z.object({
  taskId: z.uuid('Este pendiente ya no existe.'),
  result: z.preprocess(
    tidy,
    z
      .string()
      .refine((text) => lengthOf(text) >= 3, 'Escribe en qué quedó.')
      .refine((text) => lengthOf(text) <= 500, 'Usa como máximo 500 caracteres.'),
  ),
})

/** Closes a task with what came of it; whoever comes second hears that it is done. */
export async function closeTask(
  db: Db,
  actor: Actor,
  { taskId, result }: z.output<typeof taskInput>,
  now: Date,
): Promise<void> {
  if (!takesTasks(actor)) refuse('permission-denied')
  await transaction(db, async (tx) => {
    const [task] = await tx.select({ reason: tasks.reason }).from(tasks).where(eq(tasks.id, taskId))
    if (task?.reason === claimReason)
      refuse('failed-precondition', 'Aquí decide la gerencia si la cita se reabre.')
    const [done] = await tx
      .update(tasks)
      .set({ doneAt: now, takenBy: actor.id, result })
      .where(and(eq(tasks.id, taskId), isNull(tasks.doneAt)))
      .returning({ reason: tasks.reason, projectId: tasks.projectId })
    if (!done) return refuse('failed-precondition', 'Alguien más ya lo atendió.')
    if (done.reason === areaReason && (await waitsForAnswer(tx, done.projectId)))
      refuse('failed-precondition', 'Di si llegamos o no a su domicilio.')
    await record(tx, { entity: 'task', entityId: taskId, actorId: actor.id, name: 'close', reason: result })
  })
  announce(db, { people: [] })
}

/** Whether the present home of a project is one that nobody has said yet whether we reach. */
async function waitsForAnswer(tx: Tx, projectId: string | null): Promise<boolean> {
  if (!projectId) return false
  const here = and(eq(addresses.projectId, projectId), isNull(addresses.archivedAt))
  const [home] = await tx.select({ area: addresses.area }).from(addresses).where(here)
  return home?.area === 'to_verify'
}
