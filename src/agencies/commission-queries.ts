import { and, asc, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, isId, type Queryable, transaction } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { commissionPayouts, commissions } from '../platform/database/schema/agencies.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { documents, quotes } from '../platform/database/schema/payments.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { addDays, minuteAt, timeZone, toDate } from '../shared/calendar.ts'
import {
  type CommissionSums,
  commissionFolio,
  monthPattern,
  type Statement,
  type SummedPayout,
  type SummedRow,
  seesCommissionSums,
  settlesCommissions,
  statementOf,
  sumsByMonth,
  sumsOf,
} from './rules/commissions.ts'

const none = sql`false`

/** The rows whose sums an actor may see: an ally those of their own agency. `agencyId` is the table's column of it. */
const summedFor = (actor: Actor, agencyId: PgColumn): SQL | undefined => {
  if (settlesCommissions(actor)) return undefined
  return seesCommissionSums(actor) && actor.agencyId ? eq(agencyId, actor.agencyId) : none
}

/** The rows that an actor may see one by one. For all other actors they do not exist. */
const listedFor = (actor: Actor): SQL | undefined => (settlesCommissions(actor) ? undefined : none)

/** The first day of the month, in Mexico City, in which a row was earned. */
const earnedMonth = sql<string>`to_char(${commissions.earnedAt} at time zone ${sql.raw(`'${timeZone}'`)}, 'YYYY-MM-01')`
const paidMonth = sql<string>`to_char(${commissionPayouts.paidOn}, 'YYYY-MM-01')`

/** The sums of an agency's rows and payouts by month and state: the basis of all other sums. */
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
 * An agency's commissions in all, and month by month, the newest first: the sums by state and the statement of each
 * month. A month is included when something was earned, adjusted or paid in it. Actors without access get none.
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

/** The statement of one month, and its sums by state. */
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

/** The transfers to agencies with a reference in capitals, for those who settle with them. */
export function payoutsByReference(db: Queryable, actor: Actor, references: readonly string[], most: number) {
  const { agencyId, amount, id, paidOn, reference } = commissionPayouts
  return db
    .select({ id, agencyId, amount, paidOn, reference, agency: agencies.name })
    .from(commissionPayouts)
    .innerJoin(agencies, eq(agencies.id, agencyId))
    .where(and(listedFor(actor), sql`upper(${reference}) = any(${sql.param(references)}::text[])`))
    .orderBy(desc(paidOn), desc(id))
    .limit(most)
}

const customers = alias(users, 'customer')
const allies = alias(users, 'ally')

/** A row as the manager sees it: `standing` is what is left of a commission once its adjustments are taken off. */
export type ListedCommission = Awaited<ReturnType<typeof listed>>[number]

const remaining =
  sql<number>`${commissions.amount} + (select coalesce(sum(made.amount), 0) from commissions made
  where made.adjusts_id = ${commissions.id})`.mapWith(Number)

const listed = (db: Queryable, within: SQL | undefined) =>
  db
    .select({
      id: commissions.id,
      kind: commissions.kind,
      state: commissions.state,
      amount: commissions.amount,
      basis: commissions.basis,
      reason: commissions.reason,
      termsKind: commissions.termsKind,
      termsValue: commissions.termsValue,
      earnedAt: commissions.earnedAt,
      adjustsId: commissions.adjustsId,
      folio: appointments.folio,
      appointmentId: appointments.id,
      standing: remaining,
      customer: customers.fullName,
      ally: allies.fullName,
      /** Whether the quote it was calculated from is still accepted. */
      stands: sql<boolean>`${quotes.state} = 'accepted'`,
      paidOn: commissionPayouts.paidOn,
      reference: commissionPayouts.reference,
    })
    .from(commissions)
    .innerJoin(appointments, eq(appointments.id, commissions.appointmentId))
    .innerJoin(quotes, eq(quotes.id, commissions.quoteId))
    .innerJoin(customers, eq(customers.id, appointments.customerId))
    .leftJoin(allies, eq(allies.id, commissions.allyId))
    .leftJoin(commissionPayouts, eq(commissionPayouts.id, commissions.payoutId))
    .where(within)
    .orderBy(asc(commissions.earnedAt), asc(commissions.id))

/** An agency's rows of one month ("2026-11"), by the days of Mexico City, for actors who may see them one by one. */
export function commissionsOfMonth(db: Queryable, actor: Actor, agencyId: string, month: string) {
  return listed(db, and(eq(commissions.agencyId, agencyId), listedFor(actor), withinMonth(month)))
}

function withinMonth(month: string): SQL | undefined {
  const next = addDays(`${month}-01`, 31).slice(0, 7)
  const startOf = (of: string) => toDate(minuteAt(`${of}-01`, '00:00'))
  return and(gte(commissions.earnedAt, startOf(month)), lt(commissions.earnedAt, startOf(next)))
}

/**
 * An agency's rows of one month as it reconciles them with its own books (decision 0053): no price or terms is read,
 * of a customer the first name, and amounts only where all of the month are fixed sums.
 */
export async function reconciledLines(db: Queryable, actor: Actor, agencyId: string, month: string) {
  const rows = await db
    .select({
      id: commissions.id,
      kind: commissions.kind,
      state: commissions.state,
      amount: sql<
        number | null
      >`case when bool_and(${commissions.termsKind} = 'amount') over () then ${commissions.amount}::float8 end`,
      earnedAt: commissions.earnedAt,
      adjustsId: commissions.adjustsId,
      customer: sql<string>`coalesce(${customers.name}, '')`,
      ally: sql<string>`coalesce(${allies.fullName}, '')`,
      paidOn: commissionPayouts.paidOn,
      reference: commissionPayouts.reference,
    })
    .from(commissions)
    .innerJoin(appointments, eq(appointments.id, commissions.appointmentId))
    .innerJoin(customers, eq(customers.id, appointments.customerId))
    .leftJoin(allies, eq(allies.id, commissions.allyId))
    .leftJoin(commissionPayouts, eq(commissionPayouts.id, commissions.payoutId))
    .where(
      and(eq(commissions.agencyId, agencyId), summedFor(actor, commissions.agencyId), withinMonth(month)),
    )
    .orderBy(asc(commissions.earnedAt), asc(commissions.id))
  return rows.map(({ adjustsId, id, ...row }) => ({
    ...row,
    folio: commissionFolio(id),
    adjusts: adjustsId && commissionFolio(adjustsId),
  }))
}

export type ReconciledLine = Awaited<ReturnType<typeof reconciledLines>>[number]

/** What can be paid now: an approved commission with its adjustments, or an adjustment of one that was paid. */
type PayableCommission = ListedCommission & { due: number }

/** What an agency can be paid now, the oldest first. */
export async function payableCommissions(
  db: Queryable,
  actor: Actor,
  agencyId: string,
): Promise<PayableCommission[]> {
  const waits = and(eq(commissions.agencyId, agencyId), listedFor(actor), eq(commissions.state, 'approved'))
  const rows = await listed(db, waits)
  const own = new Set(rows.filter(({ kind }) => kind === 'commission').map(({ id }) => id))
  return rows
    .filter(({ adjustsId }) => adjustsId === null || !own.has(adjustsId))
    .map((row) => ({ ...row, due: sumOf(rows.filter((one) => one === row || one.adjustsId === row.id)) }))
}

const sumOf = (rows: readonly { amount: number }[]) => rows.reduce((sum, { amount }) => sum + amount, 0)

/** The payouts to an agency, the newest first, with the bank's receipt. */
export const payoutsOf = (db: Queryable, actor: Actor, agencyId: string) =>
  db
    .select({
      id: commissionPayouts.id,
      amount: commissionPayouts.amount,
      paidOn: commissionPayouts.paidOn,
      reference: commissionPayouts.reference,
      paidBy: customers.fullName,
      proof: { id: documents.id, name: documents.name, bytes: documents.bytes },
      rows: sql<number>`(select count(*)::int from commissions paid where paid.payout_id = ${commissionPayouts.id})`,
    })
    .from(commissionPayouts)
    .innerJoin(documents, eq(documents.id, commissionPayouts.proofId))
    .innerJoin(customers, eq(customers.id, commissionPayouts.paidBy))
    .where(and(eq(commissionPayouts.agencyId, agencyId), listedFor(actor)))
    .orderBy(desc(commissionPayouts.paidOn), desc(commissionPayouts.id))

/**
 * The data of a month's statement: its sums, its payouts, and its rows: whole for the manager (`lines`), as an agency
 * reconciles them for its allies (`reconciled`); all as of one moment. Null for actors who may see no sums of that agency.
 */
export async function statementFor(db: Db, actor: Actor, agencyId: string, month: string) {
  if (!isId(agencyId) || !monthPattern.test(month) || !seesCommissionSums(actor)) return null
  const [agency] = await db
    .select({ id: agencies.id, name: agencies.name })
    .from(agencies)
    .where(and(eq(agencies.id, agencyId), summedFor(actor, agencies.id)))
  if (!agency) return null
  const atOnce = 'set transaction isolation level repeatable read, read only'
  const [sums, lines, payouts, reconciled] = await transaction(
    db,
    (tx) =>
      Promise.all([
        commissionMonth(tx, actor, agencyId, month),
        commissionsOfMonth(tx, actor, agencyId, month),
        transfersOfMonth(tx, actor, agencyId, month),
        reconciledLines(tx, actor, agencyId, month),
      ]),
    atOnce,
  )
  return { agency, sums, lines, payouts, reconciled }
}

const transfersOfMonth = (db: Queryable, actor: Actor, agencyId: string, month: string) => {
  const { amount, id, paidOn, reference } = commissionPayouts
  const within = sql`to_char(${paidOn}, 'YYYY-MM') = ${month}`
  return db
    .select({ id, amount, paidOn, reference })
    .from(commissionPayouts)
    .where(
      and(eq(commissionPayouts.agencyId, agencyId), summedFor(actor, commissionPayouts.agencyId), within),
    )
    .orderBy(asc(paidOn), asc(id))
}
