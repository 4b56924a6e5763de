import { and, asc, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import { formOfPayment, type PaymentForm } from '../../domain/invoices/sat-catalogues.ts'
import { optionOf } from '../../domain/quotes/content.ts'
import { type Totals, totalsOfOption } from '../../domain/quotes/totals.ts'
import type { Queryable } from '../platform/database/client.ts'
import { payments, quotes, refunds } from '../platform/database/schema/payments.ts'

type Quote = Pick<
  typeof quotes.$inferSelect,
  'acceptedAddOns' | 'acceptedOption' | 'content' | 'folio' | 'kind' | 'projectId'
>
export type Movement = {
  id: string
  amount: number
  form: PaymentForm
  at: Date
  /** The row with which it came in as one payment: the deposit that more was paid than was asked for. */
  cameWith: string | null
}

/** What came in at once, whatever rows it became. */
export const paidAtOnce = (received: readonly Movement[]) =>
  received
    .filter(({ cameWith }) => cameWith === null)
    .map((one) => ({
      form: one.form,
      amount: received.reduce(
        (sum, { amount, cameWith }) => sum + (cameWith === one.id ? amount : 0),
        one.amount,
      ),
    }))

/** What was accepted, worked out anew from what was frozen; null before it was. */
export function acceptedTotals({ acceptedAddOns, acceptedOption, content }: Quote): Totals | null {
  const option = acceptedOption === null ? undefined : optionOf(content, acceptedOption)
  return option ? totalsOfOption(option, acceptedAddOns) : null
}

/**
 * What came in for a quote and what was given back of it, in centavos and in the order of the day. What was paid stays with
 * its project: of what came in before this quote was first accepted, what had been given back by then is left out.
 */
export async function movementsOf(db: Queryable, quote: Quote) {
  const rows = (await paidRows(db, quote.projectId)).filter(
    quote.kind === 'installation' ? isOfInstallation : isOf(quote),
  )
  const movements = rows.map((row): Movement => {
    const { amount, cardFunding, id, method, paidAt } = row
    const first = rows.find((other) => isExcessOf(row, other))
    return { id, amount, at: paidAt!, form: formOfPayment(method!, cardFunding), cameWith: first?.id ?? null }
  })
  const since = await firstAccepted(db, quote)
  const [before, after] = [
    movements.filter(({ at }) => at < since),
    movements.filter(({ at }) => at >= since),
  ]
  return {
    received: [...leftOf(before), ...after.filter(({ amount }) => amount > 0)],
    returned: after.flatMap((one) => (one.amount < 0 ? [{ ...one, amount: -one.amount }] : [])),
  }
}

const paidRows = (db: Queryable, projectId: string) =>
  db
    .select({ ...getTableColumns(payments), folio: quotes.folio, kind: quotes.kind })
    .from(payments)
    .leftJoin(refunds, eq(refunds.id, payments.refundId))
    .leftJoin(quotes, eq(quotes.id, sql`coalesce(${payments.quoteId}, ${refunds.quoteId})`))
    .where(
      and(
        eq(payments.projectId, projectId),
        eq(payments.state, 'paid'),
        // A mistake and what took it back are no money.
        isNull(payments.reversedAt),
        isNull(payments.reversesId),
      ),
    )
    .orderBy(asc(payments.paidAt), asc(payments.id))
type PaidRow = Awaited<ReturnType<typeof paidRows>>[number]

/** A visit's fee that was credited is part of the installation's price. */
const isOfInstallation = ({ concept, feeOutcome, kind }: PaidRow) =>
  concept === 'deposit' ||
  concept === 'balance' ||
  (concept === 'visit_fee' && feeOutcome === 'credited') ||
  (concept === 'refund' && kind !== 'extra_work')
const isOf =
  (quote: Quote) =>
  ({ concept, folio }: PaidRow) =>
    folio === quote.folio && (concept === 'extra_work' || concept === 'refund')

/** Written by the same payment, beyond what the other asked for: it was never asked for, and has no proof of its own. */
const isExcessOf = (row: PaidRow, other: PaidRow) =>
  row.followsId === other.id &&
  row.version === 1 &&
  row.method === other.method &&
  row.paidAt?.getTime() === other.paidAt?.getTime() &&
  row.cardReference === null &&
  row.trackingKey === null

async function firstAccepted(db: Queryable, { folio }: Quote): Promise<Date> {
  const [first] = await db
    .select({ at: quotes.acceptedAt })
    .from(quotes)
    .where(and(eq(quotes.folio, folio), isNotNull(quotes.acceptedAt)))
    .orderBy(asc(quotes.acceptedAt))
    .limit(1)
  return first?.at ?? new Date(0)
}

/** What is left of payments after what was given back, which is taken from the latest. */
function leftOf(movements: readonly Movement[]): Movement[] {
  let returned = -movements.reduce((sum, { amount }) => sum + Math.min(0, amount), 0)
  const left = movements.toReversed().flatMap((one) => {
    const taken = Math.min(returned, Math.max(0, one.amount))
    returned -= taken
    return one.amount > taken ? [{ ...one, amount: one.amount - taken }] : []
  })
  return left.toReversed()
}
