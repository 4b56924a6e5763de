import { asc, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import type { Db } from '../database/database.ts'
import { tasks, users } from '../database/schema.ts'

/** Who does what must be done by hand. */
export const takesTasks = (actor: Pick<Actor, 'kind'>) => actor.kind === 'manager' || actor.kind === 'analyst'

/** What waits to be done by hand, the oldest first; nothing for those who can't take it. */
export async function openTasks(db: Db, actor: Actor) {
  if (!takesTasks(actor)) return []
  return db
    .select({
      id: tasks.id,
      subject: tasks.subject,
      phone: tasks.phone,
      createdAt: tasks.createdAt,
      person: sql<string>`concat_ws(' ', ${users.name}, ${users.lastname})`,
    })
    .from(tasks)
    .leftJoin(users, eq(users.id, tasks.personId))
    .where(isNull(tasks.doneAt))
    .orderBy(asc(tasks.dueAt), asc(tasks.id))
    .limit(50)
}
