import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../platform/database/database.ts'
import { projects } from '../platform/database/schema/project-schema.ts'

/** Gives a customer's open projects, which are held, to an agency, or to none; what was closed stays whose it was. */
export async function setAgencyOfProjects(
  tx: Tx,
  customerId: string,
  agencyId: string | null,
): Promise<void> {
  await tx
    .update(projects)
    .set({ agencyId })
    .where(and(eq(projects.customerId, customerId), isNull(projects.closedAt)))
}
