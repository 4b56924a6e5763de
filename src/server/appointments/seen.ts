import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { projects } from '../platform/database/schema/project-schema.ts'
import type { Held } from './appointments-changes.ts'
import { visibleTo } from './visible.ts'

/** An appointment as it stands, not held. For whoever may not see it, it does not exist. */
export async function seen(db: Db, actor: Actor, id: string): Promise<Held> {
  if (!isId(id)) refuse('not-found')
  const [row] = await db
    .select({ appointment: appointments })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .where(and(eq(appointments.id, id), visibleTo(actor)))
  return row?.appointment ?? refuse('not-found')
}
