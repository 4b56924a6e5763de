import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { managesPeople } from '../../domain/users/user.ts'
import type { Db } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { events } from '../platform/database/schema/office-schema.ts'

export type PersonEvent = {
  id: number
  name: string
  from: string | null
  to: string | null
  data: unknown
  at: Date
  /** Who made it: null for the system. */
  by: { id: string; name: string } | null
}

const shownAtOnce = 50

/** The latest changes of a person, newest first, of the kinds that `names` lists; for the manager only. */
export async function historyOf(
  db: Db,
  actor: Actor,
  uid: string,
  names: readonly string[],
): Promise<PersonEvent[]> {
  if (!managesPeople(actor)) return []
  const rows = await db
    .select({
      id: events.id,
      name: events.name,
      from: events.fromState,
      to: events.toState,
      data: events.data,
      at: events.at,
      byId: events.actorId,
      byName: sql<string>`coalesce(nullif(${users.fullName}, ''), ${users.email}, '')`,
    })
    .from(events)
    .leftJoin(users, eq(users.id, events.actorId))
    .where(and(eq(events.entity, 'user'), eq(events.entityId, uid), inArray(events.name, [...names])))
    .orderBy(desc(events.at), desc(events.id))
    .limit(shownAtOnce)
  return rows.map(({ byId, byName, ...event }) => ({
    ...event,
    by: byId === null ? null : { id: byId, name: byName },
  }))
}
