import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { addresses, projects, tasks } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { present } from './addresses-changes.ts'
import { areaReason, takesTasks } from './changes.ts'

/** Which home, as it was shown, and whether we reach it. */
export type AreaAnswer = { taskId: string; version: number; answer: 'yes' | 'no' }

/** Answers whether we reach a home that its postal code does not tell: its customer may book then, or reads that we don't, and either way gets a letter. */
export async function verifyArea(
  db: Db,
  actor: Actor,
  { answer, taskId, version }: AreaAnswer,
  now: Date,
): Promise<void> {
  if (!takesTasks(actor)) refuse('permission-denied')
  const customerId = await transaction(db, async (tx) => {
    const [task] = await tx
      .update(tasks)
      .set({ doneAt: now, takenBy: actor.id, result: answer === 'yes' ? 'Sí llegamos.' : 'No llegamos.' })
      .where(and(eq(tasks.id, taskId), eq(tasks.reason, areaReason), isNull(tasks.doneAt)))
      .returning({ projectId: tasks.projectId })
    if (!task?.projectId) return refuse('failed-precondition', 'Alguien más ya lo atendió.')
    const { projectId } = task
    const area = answer === 'yes' ? 'served' : 'outside'
    const [home] = await tx
      .update(addresses)
      .set({ area, areaVerifiedAt: now, version: sql`${addresses.version} + 1` })
      .where(and(present(projectId), eq(addresses.area, 'to_verify'), eq(addresses.version, version)))
      .returning({ id: addresses.id })
    if (!home) return refuse('aborted', 'Su domicilio cambió. Actualiza la página y revísalo de nuevo.')
    await record(tx, {
      ...{ entity: 'address', entityId: home.id, actorId: actor.id, name: 'verify', data: { area } },
    })
    await enqueue(tx, 'letter', {
      letter: answer === 'yes' ? 'area_served' : 'area_outside',
      projectId,
      to: 'customer',
    })
    const [project] = await tx
      .select({ customerId: projects.customerId })
      .from(projects)
      .where(eq(projects.id, projectId))
    return project!.customerId
  })
  announce(db, { people: [customerId] })
}
