import { desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { events } from '../platform/database/schema/office-schema.ts'

/** As many as tell what happened lately. */
const shown = 40

const ids = (table: string, projectId: string) =>
  sql`select id from ${sql.raw(table)} where project_id = ${projectId}`

/**
 * What happened to a project and its parts, newest first: what of it, without a reason or a figure. Whoever reads no
 * prices is told of no quote and no payment. Whoever shows it has asked who may see it.
 */
export function projectEvents(db: Db, projectId: string, withMoney: boolean) {
  const { actorId, at, entity, entityId, id, name, toState } = events
  const of = (kind: string, which: SQL) => sql`(${entity} = ${kind} and ${entityId} in (${which}))`
  const parts = [
    sql`(${entity} = 'project' and ${entityId} = ${projectId})`,
    of('appointment', ids('appointments', projectId)),
    of('cfe_case', ids('cfe_cases', projectId)),
    ...(withMoney ? [of('quote', ids('quotes', projectId)), of('payment', ids('payments', projectId))] : []),
  ]
  return db
    .select({
      ...{ id, entity, name, toState, at },
      actor: sql<string | null>`nullif(${users.fullName}, '')`,
    })
    .from(events)
    .leftJoin(users, eq(users.id, actorId))
    .where(sql.join(parts, sql` or `))
    .orderBy(desc(id))
    .limit(shown)
}

export type ProjectEvent = Awaited<ReturnType<typeof projectEvents>>[number]
