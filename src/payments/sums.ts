import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import type { Db } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { fiscalData, payments, quotes } from '../platform/database/schema/payments.ts'
import { agreedTotals } from '../quotes/rules/totals.ts'
import { localDate, minuteAt, toDate, toMinutes } from '../shared/calendar.ts'
import { visiblePayments } from './rows.ts'
import { openPaymentStates, receiptSums, seesPayments } from './rules/payment.ts'
import { type AgeFilter, datesOfAge, type MoneyFigure, moneyFigures } from './rules/receivable.ts'

/** The moment by which a payment counts: paid or, before that, charged; of a correction, when it counts. */
export const countedAt = ({ countsAt, createdAt, paidAt }: typeof payments) =>
  sql`coalesce(${countsAt}, ${paidAt}, ${createdAt})`

/** When a charge is due; without a date, when it was made. */
export const dueOf = ({ createdAt, dueAt }: typeof payments) => sql`coalesce(${dueAt}, ${createdAt})`

/** The charges of an age: days end at midnight in Mexico City. */
export function isOfAge(age: AgeFilter, now: Date): SQL {
  const { before, from } = datesOfAge(age, localDate(toMinutes(now)))
  const midnight = (date: string) => toDate(minuteAt(date, '00:00'))
  return sql`(${from ? sql`${dueOf(payments)} >= ${midnight(from)}` : sql`true`}
    and ${before ? sql`${dueOf(payments)} < ${midnight(before)}` : sql`true`})`
}

/** The payments that a figure counts: every sum, list and file of that figure has this condition. */
export function countsIn(figure: MoneyFigure, now: Date): SQL {
  const {
    age,
    refunds,
    states,
  }: (typeof moneyFigures)[MoneyFigure] & { age?: 'overdue'; refunds?: boolean } = moneyFigures[figure]
  const concepts = refunds === undefined ? sql`true` : sql`(${payments.concept} = 'refund') = ${refunds}`
  return sql`(${payments.state} in (${listed(states)}) and ${concepts} and ${age ? isOfAge(age, now) : sql`true`})`
}

/** The sum of a figure among the rows of a query, in centavos. */
export const figureSum = (figure: MoneyFigure, now: Date): SQL<number> =>
  sql`coalesce(sum(${payments.amount}) filter (where ${countsIn(figure, now)}), 0)`.mapWith(Number)

/** What is open today among the payments that a user may see, in centavos; null for users who see none. */
export async function openSums(db: Db, actor: Actor, now: Date) {
  if (!seesPayments(actor)) return null
  const [sums] = await db
    .select({
      receivable: figureSum('receivable', now),
      inReview: figureSum('inReview', now),
      overdue: figureSum('overdue', now),
    })
    .from(payments)
    .where(and(or(countsIn('receivable', now), countsIn('inReview', now)), visiblePayments(actor)))
  return sums!
}

/**
 * What was asked for and paid for a customer's own projects: what is due soonest, a charge without a date where their home
 * has it, what is in review, then the latest paid.
 */
export const paymentsOfHomes = (db: Db, actor: Actor, projectIds: readonly string[]) => {
  const { amount, concept, customerId, dueAt, folio, paidAt, projectId, state, updatedAt } = payments
  return db
    .select({ amount, concept, dueAt, folio, paidAt, projectId, state })
    .from(payments)
    .where(
      and(
        eq(customerId, actor.id),
        inArray(projectId, [...projectIds]),
        inArray(state, [...openPaymentStates, 'paid']),
      ),
    )
    .orderBy(
      sql`${state} = 'paid', ${state} = 'in_review'`,
      sql`case when ${state} <> 'paid' then coalesce(${dueAt}, ${updatedAt}) end`,
      desc(paidAt),
    )
}

/** Payments with what bookkeeping asks of them: their quote, the customer's RFC, IVA, and the UUID of the newest invoice. */
export async function withBooks<Row extends { id: string; amount: number }>(db: Db, rows: readonly Row[]) {
  const { acceptedAddOns, acceptedOption, content, folio } = quotes
  const isItsInvoice = sql`invoices.uuid is not null and invoices.state = 'issued'
    and (invoices.payment_id = ${payments.id} or invoices.payment_id is null and invoices.quote_id = ${payments.quoteId})`
  const found = await db
    .select({
      id: payments.id,
      quote: { folio, content, acceptedOption, acceptedAddOns },
      rfc: fiscalData.rfc,
      uuid: sql<string | null>`(select invoices.uuid from invoices where ${isItsInvoice}
        order by invoices.payment_id is null, invoices.issued_at desc limit 1)`,
    })
    .from(payments)
    .leftJoin(quotes, eq(quotes.id, payments.quoteId))
    .leftJoin(fiscalData, eq(fiscalData.customerId, payments.customerId))
    .where(
      inArray(
        payments.id,
        rows.map(({ id }) => id),
      ),
    )
  const books = new Map(found.map((one) => [one.id, one]))
  return rows.map((row) => {
    const { quote, rfc, uuid } = books.get(row.id)!
    const sums = receiptSums(row.amount, quote && agreedTotals(quote))
    return { ...row, ...sums, quoteFolio: quote?.folio ?? null, rfc, uuid }
  })
}
