import { and, eq, type SQL } from 'drizzle-orm'
import type { Actor, Role, StaffKind } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { listOf } from '../../domain/shared/text.ts'
import type { User } from '../../domain/users/user.ts'
import type { Db } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { afterUser, byName, type UserFilters, within } from './filters.ts'
import { settled } from './settled.ts'
import { visibleTo } from './visible.ts'

/**
 * The reads of the specification's profile store (§7), as far as the actor may see. Each answers its error and never
 * throws. Lists are sorted by name as a Mexican dictionary does; `some` takes a part of one.
 */

/** Where a part of a list begins, after the user of that id, and how long it is. */
export type Some = { after?: string; limit?: number }

export const readUser = (db: Db, actor: Actor, uid: string) =>
  settled(async () => {
    const [found] = isId(uid) ? await read(db, actor, eq(users.id, uid)) : []
    return found ?? refuse('not-found')
  })

export const readUsers = (db: Db, actor: Actor, filters: UserFilters = {}, some?: Some) =>
  settled(() => read(db, actor, within(filters), some))

export const readActiveByRole = (db: Db, actor: Actor, role: Role, text = '', some?: Some) =>
  settled(() => read(db, actor, and(eq(users.role, role), users.active, within({ text })), some))

export const readActiveByKind = (db: Db, actor: Actor, kind: StaffKind, text = '', some?: Some) =>
  settled(() => read(db, actor, and(eq(users.kind, kind), users.active, within({ text })), some))

/** The allies of one agency. */
export const readAllies = (db: Db, actor: Actor, agencyId: string) =>
  settled(async () =>
    isId(agencyId) ? read(db, actor, and(eq(users.kind, 'alliate'), eq(users.agencyId, agencyId))) : [],
  )

/** The staff list (specification §3): only role staff, keyed by uid. */
export const readStaff = (db: Db, actor: Actor) =>
  settled(async (): Promise<Record<string, User>> => {
    const staff = await read(db, actor, eq(users.role, 'staff'))
    return Object.fromEntries(staff.map((user) => [user.uid, user]))
  })

/** Users are documents kept by their uid (specification §3), turned into a list that carries it. */
async function read(db: Db, actor: Actor, which: SQL | undefined, { after, limit }: Some = {}) {
  const query = db
    .select(document)
    .from(users)
    .where(and(visibleTo(actor), which, after === undefined ? undefined : afterUser(after)))
    .orderBy(...byName)
  const rows = await (limit === undefined ? query : query.limit(limit))
  return listOf(Object.fromEntries(rows.map(({ id, ...row }) => [id, row])), { idField: 'uid' as const })
}

const document = {
  id: users.id,
  name: users.name,
  lastname: users.lastname,
  email: users.email,
  role: users.role,
  kind: users.kind,
  agency: users.agencyId,
  phone: users.phone,
  active: users.active,
  createdAt: users.createdAt,
  version: users.version,
}
