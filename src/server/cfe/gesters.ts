import { and, asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Queryable } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { users } from '../platform/database/schema/account-schema.ts'

const openCases = sql<number>`(select count(*)::int from cfe_cases where cfe_cases.gester_id = users.id and cfe_cases.closed_at is null)`
const isGester = and(eq(users.kind, 'gester'), users.active)

/** Who handles cases, with how many of them are open. */
export const gestersWithLoad = (db: Queryable) =>
  db
    .select({
      id: users.id,
      name: users.fullName,
      open: openCases,
    })
    .from(users)
    .where(isGester)
    .orderBy(asc(users.name), asc(users.id))

/** How many open cases stand under somebody's name, whatever they are now; only the manager hands them over, and is told. */
export async function casesHeldBy(db: Queryable, actor: Actor, userId: string): Promise<number> {
  if (actor.kind !== 'manager' || !isId(userId)) return 0
  const [row] = await db.select({ open: openCases }).from(users).where(eq(users.id, userId))
  return row?.open ?? 0
}

/** Whoever has the fewest open cases; null where nobody handles any. */
export async function leastBusyGester(db: Queryable): Promise<string | null> {
  const [one] = await db
    .select({ id: users.id })
    .from(users)
    .where(isGester)
    .orderBy(openCases, asc(users.id))
    .limit(1)
  return one?.id ?? null
}

/** Refuses to give a case to somebody who handles none. */
export async function demandGester(db: Queryable, id: string): Promise<void> {
  const [one] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isGester, eq(users.id, id)))
  if (!one) refuse('invalid-argument', 'Esa persona ya no lleva trámites. Elige a otra.')
}
