import { and, asc, eq, inArray, type SQL } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { settlesCommissions } from '../../domain/agencies/commissions.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Tx } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { commissions } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/office-schema.ts'

export type CommissionRow = typeof commissions.$inferSelect

/** Holds an agency for whoever settles with it: what is adjusted and what is paid come one after the other. */
export async function holdAgency(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (!settlesCommissions(actor)) refuse('permission-denied')
  if (!isId(id)) refuse('not-found')
  const [agency] = await tx
    .select({ id: agencies.id })
    .from(agencies)
    .where(eq(agencies.id, id))
    .for('no key update')
  if (!agency) refuse('not-found')
}

/** Rows of an agency, held in one order whoever asks. */
export const holdCommissions = (
  tx: Tx,
  agencyId: string,
  within: SQL | undefined,
): Promise<CommissionRow[]> =>
  tx
    .select()
    .from(commissions)
    .where(and(eq(commissions.agencyId, agencyId), within))
    .orderBy(asc(commissions.id))
    .for('update')

/** The rows that are named, or that adjust one of them. */
export const namedOrAdjusting = (ids: readonly string[]) => [
  inArray(commissions.id, [...ids]),
  inArray(commissions.adjustsId, [...ids]),
]
