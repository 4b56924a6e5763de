import { eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { Db } from '../platform/database/database.ts'
import { agencies } from '../platform/database/schema/office-schema.ts'

export type AgencyName = { id: string; name: string; active: boolean }

/** The names of agencies in Spanish order; an ally knows their own only. */
export async function agencyNames(db: Db, actor: Actor): Promise<AgencyName[]> {
  if (actor.role === 'customer' || (actor.kind === 'alliate' && !actor.agencyId)) return []
  const own = actor.kind === 'alliate' && actor.agencyId ? eq(agencies.id, actor.agencyId) : undefined
  return db
    .select({ id: agencies.id, name: agencies.name, active: agencies.active })
    .from(agencies)
    .where(own)
    .orderBy(sql`${agencies.name} collate es`, agencies.id)
}
