import { desc, eq, inArray, sql } from 'drizzle-orm'
import { noProject, type Standing, wholeStanding } from '../../domain/projects/project.ts'
import { partsOfProjects } from '../appointments/parts.ts'
import { openCaseParts } from '../cfe/parts.ts'
import type { Queryable } from '../platform/database/database.ts'
import { addresses, projects } from '../platform/database/schema/project-schema.ts'
import { moneyOfProjects } from '../quotes/standing.ts'
import { openFaultsOf } from '../reports/faults-queries.ts'
import { askedSinceOf } from '../scheduling/absences-queries.ts'
import { factsOfProject } from './queries.ts'

/** How far a project is, and whose turn it is since when; of a customer without a project there is none to name. */
export type BriefStanding = Pick<Standing, 'stage' | 'waitingOn' | 'since' | 'line'> & {
  projectId: string | null
}

/**
 * How some customers' projects stand, by customer: each as their own home says outside a call's room, which is nobody
 * else's. A handful of questions however many they are.
 */
export async function standingsOf(
  db: Queryable,
  customerIds: readonly string[],
  now: Date,
): Promise<Map<string, BriefStanding>> {
  const newest = await newestProjects(db, customerIds)
  const ids = newest.map(({ id }) => id)
  // One after the other: inside a transaction they share a connection.
  const parts = await partsOfProjects(db, ids)
  const money = await moneyOfProjects(db, ids, now)
  const cases = await openCaseParts(db, ids)
  const faults = await openFaultsOf(db, ids)
  const asked = await askedSinceOf(db, customerIds, now)
  const standings = new Map<string, BriefStanding>(
    customerIds.map((id) => [
      id,
      { ...wholeStanding(noProject, { askedSince: null, faultSince: null }), projectId: null },
    ]),
  )
  for (const project of newest) {
    const { customerId, id } = project
    const facts = factsOfProject(project, parts.get(id) ?? [], money.get(id), cases.get(id))
    const beside = { askedSince: asked.get(customerId) ?? null, faultSince: faults.get(id) ?? null }
    standings.set(customerId, { ...wholeStanding(facts, beside), projectId: id })
  }
  return standings
}

/** Of each customer the open project, or the newest of those that are closed. */
async function newestProjects(db: Queryable, customerIds: readonly string[]) {
  const rows = await db
    .selectDistinctOn([projects.customerId], { project: projects, address: addresses })
    .from(projects)
    .leftJoin(addresses, sql`${eq(addresses.projectId, projects.id)} and ${addresses.archivedAt} is null`)
    .where(inArray(projects.customerId, [...customerIds]))
    .orderBy(projects.customerId, sql`${projects.closedAt} is null desc`, desc(projects.createdAt))
  return rows.map(({ address, project }) => ({ ...project, address }))
}
