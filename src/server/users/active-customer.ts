import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { managesPeople } from '../../domain/users/user.ts'
import type { Db } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { visibleTo } from './visible.ts'

/** The customer whom the manager acts for; for anybody else, and of anybody else, there is none. */
export async function activeCustomer(db: Db, actor: Actor, id: string) {
  if (!managesPeople(actor)) refuse('permission-denied')
  const [customer] = isId(id)
    ? await db
        .select()
        .from(users)
        .where(and(eq(users.id, id), eq(users.role, 'customer'), users.active, visibleTo(actor)))
    : []
  return customer ?? refuse('not-found')
}
