import { and, count, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { orRefuse, type Result } from '../../domain/shared/refusal.ts'
import { managesPeople, type User } from '../../domain/users/user.ts'
import type { Db } from '../platform/database/database.ts'
import { cutPage, PAGE_SIZE, type Page } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { type UserFilters, within } from './filters.ts'
import { readActiveByKind, readActiveByRole, readUsers, type Some } from './store.ts'
import { visibleTo } from './visible.ts'

export type UsersPage = Page<User> & { total: number }

/** A page of the manager's list of everybody, or of the directory of active staff that the others see. */
export async function usersPage(
  db: Db,
  actor: Actor,
  filters: UserFilters,
  after: string | undefined,
): Promise<UsersPage> {
  const some = { ...(after !== undefined && { after }), limit: PAGE_SIZE + 1 }
  const [found, total] = await Promise.all([read(db, actor, filters, some), countUsers(db, actor, filters)])
  return { ...cutPage(orRefuse(found)), total }
}

function read(db: Db, actor: Actor, filters: UserFilters, some: Some): Promise<Result<User[]>> {
  if (managesPeople(actor)) return readUsers(db, actor, filters, some)
  const { kind, text } = filters
  return kind
    ? readActiveByKind(db, actor, kind, text, some)
    : readActiveByRole(db, actor, 'staff', text, some)
}

async function countUsers(db: Db, actor: Actor, filters: UserFilters): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(users)
    .where(and(visibleTo(actor), within(filters), managesPeople(actor) ? undefined : eq(users.role, 'staff')))
  return row?.total ?? 0
}
