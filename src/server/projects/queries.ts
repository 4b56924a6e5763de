import { and, eq, isNull, sql } from 'drizzle-orm'
import type { CasePart } from '../../domain/cfe/case.ts'
import { type MoneyFacts, noMoney } from '../../domain/projects/next-step.ts'
import type { ProjectFacts, ProjectPart } from '../../domain/projects/project.ts'
import { prepared, type Queryable } from '../platform/database/database.ts'
import { type AddressRow, addresses, projects } from '../platform/database/schema/project-schema.ts'

export type OpenProject = typeof projects.$inferSelect & { address: AddressRow | null }

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
  return row ? { ...row.project, address: row.address } : null
}

/** What the rules ask about a stored project, its appointments and, where whose turn it is matters, its money and its case with CFE. */
export const factsOfProject = (
  {
    address,
    createdAt,
    ...project
  }: Pick<
    OpenProject,
    | 'address'
    | 'createdAt'
    | 'closedAt'
    | 'lostReason'
    | 'quoteAcceptedAt'
    | 'depositPaidAt'
    | 'permitNeeded'
    | 'permitReceivedAt'
  >,
  appointments: readonly ProjectPart[],
  money: MoneyFacts = noMoney,
  cfeCase: CasePart | null = null,
): ProjectFacts => ({
  area: address?.area ?? 'none',
  since: address?.updatedAt ?? createdAt,
  appointments,
  quoteAcceptedAt: project.quoteAcceptedAt,
  depositPaidAt: project.depositPaidAt,
  permitNeeded: project.permitNeeded,
  permitReceivedAt: project.permitReceivedAt,
  money,
  cfeCase,
  lostAt: project.lostReason ? project.closedAt : null,
})
