import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/access/actor.ts'
import { seesCommissionSums, settlesCommissions } from '../../domain/agencies/commissions.ts'

const none = sql`false`

/** The rows of which an actor may see the sums: an ally those of their own agency. `agencyId` is the table's column of it. */
export const summedFor = (actor: Actor, agencyId: PgColumn): SQL | undefined => {
  if (settlesCommissions(actor)) return undefined
  return seesCommissionSums(actor) && actor.agencyId ? eq(agencyId, actor.agencyId) : none
}

/** The rows that an actor may see one by one. For everyone else they do not exist. */
export const listedFor = (actor: Actor): SQL | undefined => (settlesCommissions(actor) ? undefined : none)
