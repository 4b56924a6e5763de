import { desc, eq, inArray, sql } from 'drizzle-orm'
import { fullProjectStatusOf, noProject } from '../../domain/projects/project.ts'
import type { ProjectStatus } from '../../domain/projects/stages.ts'
import { partsOfProjects } from '../appointments/appointments-queries.ts'
import { openCaseParts } from '../cfe/rows.ts'
import { deferUntilCommit, type Queryable, type Tx } from '../platform/database/client.ts'
import { addresses, projects } from '../platform/database/schema/projects.ts'
import { projectsMoney } from '../quotes/project-money.ts'
import { openFaultsOf } from '../reports/faults-queries.ts'
import { askedSinceOf } from '../scheduling/absences-queries.ts'
import { factsOfProject } from './projects-queries.ts'

/** How far a project is, and whose turn it is since when; of a customer without a project there is none to name. */
export type ProjectStatusSummary = Pick<ProjectStatus, 'stage' | 'waitingOn' | 'since' | 'line'> & {
  projectId: string | null
}

/**
 * How some customers' projects stand, by customer: each as their own home says outside a call's room, which is nobody
 * else's. A handful of questions however many they are.
 */
export async function projectStatusesOf(
  db: Queryable,
  customerIds: readonly string[],
  now: Date,
): Promise<Map<string, ProjectStatusSummary>> {
  const newest = await newestProjects(db, customerIds)
  const ids = newest.map(({ id }) => id)
  // One after the other: inside a transaction they share a connection.
  const parts = await partsOfProjects(db, ids)
  const money = await projectsMoney(db, ids, now)
  const cases = await openCaseParts(db, ids)
  const faults = await openFaultsOf(db, ids)
  const asked = await askedSinceOf(db, customerIds, now)
  const statuses = new Map<string, ProjectStatusSummary>(
    customerIds.map((id) => [
      id,
      { ...fullProjectStatusOf(noProject, { askedSince: null, faultSince: null }), projectId: null },
    ]),
  )
  for (const project of newest) {
    const { customerId, id } = project
    const facts = factsOfProject(project, parts.get(id) ?? [], money.get(id), cases.get(id))
    const beside = { askedSince: asked.get(customerId) ?? null, faultSince: faults.get(id) ?? null }
    statuses.set(customerId, { ...fullProjectStatusOf(facts, beside), projectId: id })
  }
  return statuses
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

/**
 * Holds how the projects of some customers stand, as rows that are made where there are none: whoever works them out reads
 * their parts only then, so that no older reading overwrites a newer one.
 */
export async function lockProjectStatuses(tx: Tx, customerIds: readonly string[]): Promise<void> {
  const ids = [...customerIds]
  await tx.execute(sql`insert into project_standings (project_id, customer_id)
    select id, customer_id from projects where customer_id = any(${sql.param(ids)}::uuid[]) order by id on conflict do nothing`)
  await tx.execute(sql`select 1 from project_standings where customer_id = any(${sql.param(ids)}::uuid[])
    order by project_id for no key update`)
}

/** Writes how projects stand, by their customers; rows that say so already stay as they are. */
export function saveProjectStatuses(
  tx: Tx,
  statuses: ReadonlyMap<string, ProjectStatusSummary>,
  now: Date,
): void {
  const told = [...statuses.values()].filter(({ projectId }) => projectId !== null)
  const of = <Value>(read: (status: ProjectStatusSummary) => Value) => told.map(read)
  deferUntilCommit(
    tx,
    tx.$client.query({
      name: 'write_standings',
      text: `update project_standings kept set stage = told.stage, waiting_on = told.waiting_on, since = told.since, updated_at = $5
        from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as told (project_id, stage, waiting_on, since)
        where kept.project_id = told.project_id
          and (kept.stage, kept.waiting_on, kept.since) is distinct from (told.stage, told.waiting_on, told.since)`,
      values: [
        ...[of(({ projectId }) => projectId), of(({ stage }) => stage), of(({ waitingOn }) => waitingOn)],
        ...[of(({ since }) => since), now],
      ],
    }),
  )
}
