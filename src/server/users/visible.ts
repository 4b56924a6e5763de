import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import { managesPeople } from '../../domain/user.ts'
import { users } from '../database/account-schema.ts'

/** The people an actor may see: a customer themselves, staff the active staff, the manager everybody. */
export function visibleTo(actor: Actor): SQL | undefined {
  if (actor.role === 'customer') return eq(users.id, actor.id)
  const known = isNull(users.deletedAt)
  return managesPeople(actor) ? known : and(known, eq(users.role, 'staff'), users.active)
}
