import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { managesPeople } from '../../domain/users/user.ts'
import { users } from '../platform/database/schema/account-schema.ts'

/** The people an actor may see: a customer themselves, staff the active staff, an ally those of their agency only, the manager everybody. */
export function visibleTo(actor: Actor): SQL | undefined {
  if (actor.role === 'customer') return eq(users.id, actor.id)
  const known = isNull(users.deletedAt)
  if (managesPeople(actor)) return known
  if (actor.kind === 'alliate')
    return and(known, eq(users.kind, 'alliate'), users.active, sql`${users.agencyId} = ${actor.agencyId}`)
  return and(known, eq(users.role, 'staff'), users.active)
}
