import { eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { bringPermit } from '../cfe/permit.ts'
import type { CaseRow } from '../cfe/rows.ts'
import { attachInstead, type Taken } from '../documents/intake.ts'
import { tellReady } from '../payments/follow.ts'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { projects } from '../platform/database/schema/project-schema.ts'

/**
 * The condominium's permit of a project whose row is held came in, or another in its place, wherever it was handed in: it is
 * the installation's, which may be ready with it, and that of the open cases with CFE. Answers the cases that changed.
 */
export async function receivePermit(
  tx: Tx,
  actor: Actor,
  taken: Taken & { projectId: string },
  now: Date,
): Promise<CaseRow[]> {
  const { projectId } = taken
  const documentId = await attachInstead(tx, taken, now)
  const cases = await bringPermit(tx, actor, { projectId, documentId }, now)
  if (documentId !== taken.id) return cases
  const [project] = await tx
    .update(projects)
    .set({ permitReceivedAt: sql`coalesce(${projects.permitReceivedAt}, ${now})` })
    .where(eq(projects.id, projectId))
    .returning()
  await record(tx, {
    ...{ entity: 'project', entityId: projectId, actorId: actor.id, name: 'permit' },
    data: { documentId },
  })
  await tellReady(tx, project!)
  return cases
}
