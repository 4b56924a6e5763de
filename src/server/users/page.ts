import { and, count, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import { orRefuse, type Result } from '../../domain/result.ts'
import { managesPeople, type User } from '../../domain/user.ts'
import { users } from '../database/account-schema.ts'
import type { Db } from '../database/database.ts'
import { type UserFilters, within } from './filters.ts'
import { readActiveByKind, readActiveByRole, readUsers, type Some } from './store.ts'
import { visibleTo } from './visible.ts'

export const pageSize = 50

export type UsersPage = { rows: User[]; total: number; next: string | null }

/** A page of the manager's list of everybody, or of the directory of active staff that the others see. */
export async function usersPage(
  db: Db,
  actor: Actor,
  filters: UserFilters,
  after: string | undefined,
): Promise<UsersPage> {
  const some = { ...(after !== undefined && { after }), limit: pageSize + 1 }
  const [found, total] = await Promise.all([read(db, actor, filters, some), countUsers(db, actor, filters)])
  const users = orRefuse(found)
  const rows = users.slice(0, pageSize)
  return { rows, total, next: users.length > pageSize ? rows.at(-1)!.uid : null }
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
