import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { yearOptions } from '../../domain/appointments/appointment.ts'
import { wordsOf } from '../../domain/appointments/list.ts'
import {
  endedPaymentStates,
  type LedgerTotals,
  openPaymentStates,
  type PaymentFilters,
} from '../../domain/payments/payment.ts'
import { minuteAt, timeZone, toDate } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/client.ts'
import { contains, keyset, listChunks, listed, listPage } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { newestQuoteOf, pathOf, seesPayments, visiblePayments } from './refund-rows.ts'

/** When a payment counts: the moment it was paid or, before that, asked for. */
const dayOf = ({ createdAt, paidAt }: typeof payments) => sql`coalesce(${paidAt}, ${createdAt})`
const day = dayOf(payments)
const latestFirst = keyset(payments, {
  direction: 'desc',
  key: (of) => [dayOf(of), of.id],
  id: payments.id,
})
const local = (part: 'month' | 'year', of: SQL = day) =>
  sql<number | null>`extract(${sql.raw(part)} from ${of} at time zone ${sql.raw(`'${timeZone}'`)})::int`

/** A page of all payments, the latest first, with what all rows under the filters come to. */
export async function listPayments(db: Db, actor: Actor, asked: PaymentFilters, after?: string) {
  const within = narrowed(actor, asked)
  const [page, totals, years] = await Promise.all([
    listPage((place, limit) => rowsOf(db, and(within, place), limit), latestFirst, after),
    totalsOf(db, within),
    yearsOf(db, actor),
  ])
  return { ...page, totals, years }
}

/** All of them for a file, chunk by chunk, for the manager only; each is read when it is asked for. */
export function exportPayments(db: Db, actor: Actor, asked: PaymentFilters) {
  if (actor.kind !== 'manager') refuse('not-found')
  const within = narrowed(actor, asked)
  return listChunks((place, limit) => rowsOf(db, and(within, place), limit), latestFirst)
}

async function rowsOf(db: Db, within: SQL | undefined, most: number) {
  const { amount, bank, concept, folio, id, method, projectId, reversedAt, reversesId, state, trackingKey } =
    payments
  const rows = await db
    .select({
      ...{ id, folio, concept, method, state, amount, bank, trackingKey, projectId, reversedAt, reversesId },
      at: sql<Date>`${day}`.mapWith(payments.createdAt),
      customer: users.fullName,
      quoteId: newestQuoteOf(projectId),
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(within)
    .orderBy(...latestFirst.orderBy)
    .limit(most)
  return rows.map(({ projectId: project, quoteId, ...row }) => ({ ...row, to: pathOf(project, quoteId) }))
}

/** A payment as the ledger tells it; centavos. */
export type LedgerListRow = Awaited<ReturnType<typeof rowsOf>>[number]

async function totalsOf(db: Db, within: SQL | undefined): Promise<LedgerTotals> {
  const { amount, concept, state } = payments
  const sum = (where: SQL) => sql<number>`coalesce(sum(${amount}) filter (where ${where}), 0)`.mapWith(Number)
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      received: sum(sql`${state} = 'paid' and ${concept} <> 'refund'`),
      refunded: sum(sql`${state} = 'paid' and ${concept} = 'refund'`),
      waiting: sum(sql`${state} in (${listed(openPaymentStates)})`),
      ended: sum(sql`${state} in (${listed(endedPaymentStates)})`),
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(within)
  return row!
}

/** The years with payments that no filter offers by itself. */
async function yearsOf(db: Db, actor: Actor): Promise<number[]> {
  if (!seesPayments(actor)) return []
  const [row] = await db
    .select({ first: local('year', sql`min(${day})`), last: local('year', sql`max(${day})`) })
    .from(payments)
  if (!row?.first || !row.last) return []
  const { first, last } = row
  const all = Array.from({ length: last - first + 1 }, (_, n) => first + n)
  return all.filter((year) => !yearOptions.some((offered) => offered === year))
}

function narrowed(actor: Actor, { concept, method, month, state, text, year }: PaymentFilters) {
  if (!seesPayments(actor)) return sql`false`
  const { concept: what, folio, method: how, state: stands, trackingKey } = payments
  return and(
    visiblePayments(actor),
    state && eq(stands, state),
    concept && eq(what, concept),
    method && eq(how, method),
    inTime(year, month),
    ...wordsOf(text).map((word) =>
      contains(sql`concat_ws(' ', ${folio}, ${users.name}, ${users.lastname}, ${trackingKey})`, word),
    ),
  )
}

/** As a stretch of time where there is one, which the index by day knows. */
function inTime(year: string | undefined, month: string | undefined): SQL | undefined {
  if (year === undefined)
    return month === undefined ? undefined : sql`${local('month')} = ${Number(month) + 1}`
  const first = Temporal.PlainYearMonth.from({ year: Number(year), month: Number(month ?? 0) + 1 })
  const next = first.add(month === undefined ? { years: 1 } : { months: 1 })
  const midnight = (of: Temporal.PlainYearMonth) => toDate(minuteAt(`${of}-01`, '00:00'))
  return sql`${day} >= ${midnight(first)} and ${day} < ${midnight(next)}`
}
