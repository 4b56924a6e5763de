import { and, desc, eq, sql } from 'drizzle-orm'
import type { Queryable } from './client.ts'
import { users } from './schema/accounts.ts'
import { events } from './schema/projects.ts'

/** What happened to one thing, newest first; no actor is the system. Whoever shows it asks first who may see it. */
export const historyOf = (db: Queryable, entity: string, entityId: string, most = 50) =>
  db
    .select({
      id: events.id,
      name: events.name,
      reason: events.reason,
      data: events.data,
      at: events.at,
      actor: sql<string | null>`nullif(${users.fullName}, '')`,
    })
    .from(events)
    .leftJoin(users, eq(users.id, events.actorId))
    .where(and(eq(events.entity, entity), eq(events.entityId, entityId)))
    .orderBy(desc(events.id))
    .limit(most)

export type PastEvent = Awaited<ReturnType<typeof historyOf>>[number]
