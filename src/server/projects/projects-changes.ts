import { and, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { projects } from '../platform/database/schema/project-schema.ts'

/** The customer's open project, made when there is none, its row held: two first saves at once make one. */
export async function heldProject(
  tx: Tx,
  customer: Pick<Actor, 'id'>,
  actorId = customer.id,
): Promise<string> {
  const [made] = await tx
    .insert(projects)
    .values({ customerId: customer.id })
    .onConflictDoNothing()
    .returning({ id: projects.id })
  if (made) {
    await record(tx, { entity: 'project', entityId: made.id, actorId, name: 'open' })
    return made.id
  }
  const [open] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.customerId, customer.id), isNull(projects.closedAt)))
    .for('update')
  // Closed between the two statements: the next try opens a new one.
  return open?.id ?? heldProject(tx, customer, actorId)
}
