import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { appointments } from '../database/appointment-schema.ts'
import type { Db } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { projects } from '../database/project-schema.ts'
import type { Held } from './changes.ts'
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
