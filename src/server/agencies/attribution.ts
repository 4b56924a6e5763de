import { and, desc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { managesPeople } from '../../domain/users/user.ts'
import type { Db } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/office-schema.ts'

const nameOf = (table: 'ally' | 'by') => sql<string | null>`nullif(${sql.raw(table)}.full_name, '')`

/** Everything that ever tied a customer to an agency, the latest first: the living one has no end. For the manager only. */
export async function attributionsOf(db: Db, actor: Actor, customerId: string) {
  if (!managesPeople(actor) || !isId(customerId)) return []
  return db
    .select({
      id: clients.id,
      agency: { id: agencies.id, name: agencies.name },
      allyId: clients.allyId,
      ally: nameOf('ally'),
      by: nameOf('by'),
      source: clients.source,
      code: codes.code,
      reason: clients.reason,
      joinedAt: sql<Date>`${clients.joinedAt}`.mapWith(clients.joinedAt),
      endedAt: clients.endedAt,
      endedReason: clients.endedReason,
    })
    .from(clients)
    .innerJoin(agencies, eq(agencies.id, clients.agencyId))
    .leftJoin(codes, eq(codes.id, clients.codeId))
    .leftJoin(sql`${users} as ally`, sql`ally.id = ${clients.allyId}`)
    .leftJoin(sql`${users} as by`, sql`by.id = ${clients.registeredBy} and ${clients.source} = 'manager'`)
    .where(eq(clients.customerId, customerId))
    .orderBy(desc(clients.joinedAt), desc(clients.id))
}

export type Attribution = Awaited<ReturnType<typeof attributionsOf>>[number]

/** Who can be said to have brought a customer: active allies of active agencies, by agency and name. For the manager only. */
export async function activeAllies(db: Db, actor: Actor) {
  if (!managesPeople(actor)) return []
  return db
    .select({
      id: users.id,
      agency: agencies.name,
      name: sql<string>`coalesce(nullif(${users.fullName}, ''), ${users.email})`,
    })
    .from(users)
    .innerJoin(agencies, and(eq(agencies.id, users.agencyId), agencies.active))
    .where(and(eq(users.kind, 'alliate'), users.active))
    .orderBy(sql`${agencies.name} collate es`, sql`${users.name} collate es`, users.id)
}
