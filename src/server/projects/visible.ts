import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { readsProjects } from '../../domain/projects/pipeline.ts'
import { isNotDeleted } from '../accounts/blocked.ts'
import { hasOrNeedsCase } from '../cfe/paperwork.ts'
import { projects } from '../platform/database/schema/project-schema.ts'

const seenAs: Record<ReturnType<typeof readsProjects>, (actor: Actor) => SQL | undefined> = {
  all: ({ kind }) => (kind === 'manager' ? undefined : isNotDeleted(projects.customerId)),
  paperwork: () => sql`${hasOrNeedsCase(projects.id)} and ${isNotDeleted(projects.customerId)}`,
  none: () => sql`false`,
}

/** The projects an actor finds at /admin/clients. For everyone else they do not exist. */
export const projectsVisibleTo = (actor: Actor): SQL | undefined => seenAs[readsProjects(actor)](actor)
