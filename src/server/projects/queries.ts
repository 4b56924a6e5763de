import { and, eq, isNull } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { type AddressRow, addresses, projects } from '../database/schema.ts'

export type OpenProject = { id: string; agencyId: string | null; createdAt: Date; address: AddressRow | null }

/** The customer's one open project with its current address, or null before either exists. */
export async function openProjectOf(db: Queryable, customerId: string): Promise<OpenProject | null> {
  const [row] = await db
    .select({ project: projects, address: addresses })
    .from(projects)
    .leftJoin(addresses, and(eq(addresses.projectId, projects.id), isNull(addresses.archivedAt)))
    .where(and(eq(projects.customerId, customerId), isNull(projects.closedAt)))
  if (!row) return null
  const { id, agencyId, createdAt } = row.project
  return { id, agencyId, createdAt, address: row.address }
}
