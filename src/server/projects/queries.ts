import { and, eq, isNull, sql } from 'drizzle-orm'
import { prepared, type Queryable } from '../database/database.ts'
import { type AddressRow, addresses, projects } from '../database/schema.ts'

export type OpenProject = { id: string; agencyId: string | null; createdAt: Date; address: AddressRow | null }

const openProject = prepared((db) =>
  db
    .select({ project: projects, address: addresses })
    .from(projects)
    .leftJoin(addresses, and(eq(addresses.projectId, projects.id), isNull(addresses.archivedAt)))
    .where(and(eq(projects.customerId, sql.placeholder('customerId')), isNull(projects.closedAt)))
    .prepare('open_project'),
)

/** The customer's one open project with its current address, or null before either exists. */
export async function openProjectOf(db: Queryable, customerId: string): Promise<OpenProject | null> {
  const [row] = await openProject(db).execute({ customerId })
  if (!row) return null
  const { id, agencyId, createdAt } = row.project
  return { id, agencyId, createdAt, address: row.address }
}
