import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { wordsOf } from '../../domain/appointments/list.ts'
import { type ProjectFilters, readsProjects } from '../../domain/projects/pipeline.ts'
import type { Stage, Waiting } from '../../domain/projects/stages.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { isNotDeleted } from '../accounts/privacy.ts'
import { refreshClients } from '../agencies/clients.ts'
import { hasOrNeedsCase } from '../cfe/rows.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { contains, keyset, listChunks, listPage } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { addresses, agencies, projectStandings, projects } from '../platform/database/schema/projects.ts'

const seenAs: Record<ReturnType<typeof readsProjects>, (actor: Actor) => SQL | undefined> = {
  all: ({ kind }) => (kind === 'manager' ? undefined : isNotDeleted(projects.customerId)),
  paperwork: () => sql`${hasOrNeedsCase(projects.id)} and ${isNotDeleted(projects.customerId)}`,
  none: () => sql`false`,
}

/** The projects an actor finds at /admin/clients. For everyone else they do not exist. */
export const projectsVisibleTo = (actor: Actor): SQL | undefined => seenAs[readsProjects(actor)](actor)

const newestFirst = keyset(projects, {
  direction: 'desc',
  key: (of) => [of.createdAt, of.id],
  id: projects.id,
})

/** How many changed projects a list waits for; the round does the rest. */
const awaited = 1000

type Asked = ProjectFilters & { after?: string }

/** A page of projects, newest first; how far each is, is exact. */
export async function listProjects(db: Db, actor: Actor, asked: Asked, now: Date) {
  await refreshClients(db, now, {}, awaited)
  const within = narrowed(actor, asked)
  const [page, [count]] = await Promise.all([
    listPage((place, limit) => rowsOf(db, and(within, place), limit), newestFirst, asked.after),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(projects)
      .innerJoin(users, eq(users.id, projects.customerId))
      .leftJoin(projectStandings, eq(projectStandings.projectId, projects.id))
      .where(within),
  ])
  return { ...page, total: count?.total ?? 0 }
}

/** All projects under some filters for a file, chunk by chunk, for the manager only; each is read when it is asked for. */
export async function exportProjects(db: Db, actor: Actor, filters: ProjectFilters, now: Date) {
  if (actor.kind !== 'manager') return refuse('not-found')
  await refreshClients(db, now, {}, awaited)
  const within = narrowed(actor, filters)
  return listChunks((place, limit) => rowsOf(db, and(within, place), limit), newestFirst)
}

const stage = sql<Stage>`coalesce(${projectStandings.stage}, 'intake')`
const waitingOn = sql<Waiting>`coalesce(${projectStandings.waitingOn}, 'none')`

const rowsOf = (db: Db, within: SQL | undefined, most: number) =>
  db
    .select({
      ...{ id: projects.id, createdAt: projects.createdAt, stage, waitingOn, since: projectStandings.since },
      customer: users.fullName,
      ...{
        email: users.email,
        phone: users.phone,
        agency: agencies.name,
        municipality: addresses.municipality,
      },
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.customerId))
    .leftJoin(projectStandings, eq(projectStandings.projectId, projects.id))
    .leftJoin(agencies, eq(agencies.id, projects.agencyId))
    .leftJoin(addresses, and(eq(addresses.projectId, projects.id), isNull(addresses.archivedAt)))
    .where(within)
    .orderBy(...newestFirst.orderBy)
    .limit(most)

/** One project as lists tell it. */
export type ListedProject = Awaited<ReturnType<typeof rowsOf>>[number]

const narrowed = (actor: Actor, { agency, stage: at, text, turn }: ProjectFilters) =>
  and(
    projectsVisibleTo(actor),
    at && eq(stage, at),
    turn && eq(waitingOn, turn),
    agency === undefined ? undefined : isId(agency) ? eq(projects.agencyId, agency) : sql`false`,
    ...wordsOf(text).map((word) => contains(searched, word)),
  )

/** Spelled as `users.searchable` is. */
const searched = sql`coalesce(${users.name}, '') || ' ' || coalesce(${users.lastname}, '') || ' ' || ${users.email}
  || ' ' || coalesce(${users.phone}, '')`
