import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/access/actor.ts'
import {
  type CommissionSums,
  type Statement,
  type SummedPayout,
  type SummedRow,
  seesCommissionSums,
  settlesCommissions,
  statementOf,
  sumsByMonth,
  sumsOf,
} from '../../domain/agencies/commissions.ts'
import { timeZone } from '../../domain/shared/calendar.ts'
import type { Queryable } from '../platform/database/client.ts'
import { commissionPayouts, commissions } from '../platform/database/schema/agencies.ts'

const none = sql`false`

/** The rows of which an actor may see the sums: an ally those of their own agency. `agencyId` is the table's column of it. */
export const summedFor = (actor: Actor, agencyId: PgColumn): SQL | undefined => {
  if (settlesCommissions(actor)) return undefined
  return seesCommissionSums(actor) && actor.agencyId ? eq(agencyId, actor.agencyId) : none
}

/** The rows that an actor may see one by one. For everyone else they do not exist. */
export const listedFor = (actor: Actor): SQL | undefined => (settlesCommissions(actor) ? undefined : none)

/** The first day of the month, in Mexico City, in which a row was earned. */
const earnedMonth = sql<string>`to_char(${commissions.earnedAt} at time zone ${sql.raw(`'${timeZone}'`)}, 'YYYY-MM-01')`
const paidMonth = sql<string>`to_char(${commissionPayouts.paidOn}, 'YYYY-MM-01')`

/** What an agency's rows and payouts come to, a month and a state each: what every sum of them is made of. */
async function summed(db: Queryable, actor: Actor, agencyId: string) {
  const { kind, state } = commissions
  const [rows, payouts]: [SummedRow[], SummedPayout[]] = await Promise.all([
    db
      .select({ kind, state, on: earnedMonth, amount: sql`sum(${commissions.amount})`.mapWith(Number) })
      .from(commissions)
      .where(and(eq(commissions.agencyId, agencyId), summedFor(actor, commissions.agencyId)))
      .groupBy(kind, state, earnedMonth),
    db
      .select({ on: paidMonth, amount: sql`sum(${commissionPayouts.amount})`.mapWith(Number) })
      .from(commissionPayouts)
      .where(and(eq(commissionPayouts.agencyId, agencyId), summedFor(actor, commissionPayouts.agencyId)))
      .groupBy(paidMonth),
  ])
  return { rows, payouts }
}

export type CommissionMonth = CommissionSums & Statement & { month: string }

/**
 * An agency's commissions in all, and month by month, the last first: what each month's rows come to by state, and its
 * statement. A month is here when something was earned, adjusted or paid in it. Whoever may not see any finds nothing.
 */
export async function commissionMonths(
  db: Queryable,
  actor: Actor,
  agencyId: string,
): Promise<{ sums: CommissionSums; months: CommissionMonth[] }> {
  const { payouts, rows } = await summed(db, actor, agencyId)
  const bySums = new Map(sumsByMonth(rows).map((month) => [month.month, month]))
  const months = new Set([...bySums.keys(), ...payouts.map(({ on }) => on.slice(0, 7))])
  return {
    sums: sumsOf(rows),
    months: [...months]
      .toSorted()
      .toReversed()
      .map((month) => ({
        ...(bySums.get(month) ?? sumsOf([])),
        ...statementOf(rows, payouts, month),
        month,
      })),
  }
}

/** The statement of one month, and what its rows come to by state. */
export async function commissionMonth(
  db: Queryable,
  actor: Actor,
  agencyId: string,
  month: string,
): Promise<CommissionMonth> {
  const { payouts, rows } = await summed(db, actor, agencyId)
  const within = rows.filter(({ on }) => on.startsWith(month))
  const statement = statementOf(rows, payouts, month)
  return { ...sumsOf(within), ...statement, month }
}
