import type { QuoteKind } from '../../quotes/rules/quote.ts'
import { money } from '../../shared/format.ts'
import { type Concept, type PaymentState, restWords } from './payment.ts'

/** The outcome of a visit's fee: credited to the quote's price, kept, or refunded. */
export type FeeOutcome = 'credited' | 'kept' | 'returned'

/** A row of payments, as the sums use it. */
export type LedgerRow = {
  concept: Concept
  state: PaymentState
  /** Centavos; negative for refunds and corrections. */
  amount: number
  feeOutcome: FeeOutcome | null
}

/** A smaller excess, in centavos, is not refunded: halves that were rounded up, or pesos paid for centavos. */
const leastRefund = 1_00

/** The facts that the ledger of a project is computed from. */
export type LedgerFacts = {
  /** The accepted quotes. */
  quotes: readonly { kind: QuoteKind; total: number; deposit: number }[]
  rows: readonly LedgerRow[]
  /** Materials bought for a cancelled quote, which its refunds leave out. */
  materials: number
  /** Approved refunds that are not paid yet: their money no longer covers charges. */
  promised: number
}

/** The ledger of one project, in centavos. Owed and credit are never both positive. */
export type Ledger = {
  charged: number
  /** All money received, before refunds. */
  paid: number
  refunded: number
  /** The balance we hold. */
  held: number
  /** The part of it promised as refunds. */
  promised: number
  owed: number
  /** The excess over what is charged, to be refunded. */
  credit: number
  /** An excess too small for that: the account is closed with it, for as long as nothing more is charged. */
  difference: number
  /** Requested now, and not paid. */
  demanded: number
  /** The accepted installation's share; null without one. */
  quote: { total: number; deposit: number; paid: number; owed: number; depositDue: number } | null
}

const standing: readonly PaymentState[] = ['pending', 'in_review', 'paid']
const waiting: readonly PaymentState[] = ['pending', 'in_review']

/** Whether a row is itself the charge: no quote states its amount. A credited fee is part of the quote's price. */
export const isOwnCharge = ({ concept, feeOutcome, state }: LedgerRow) =>
  standing.includes(state) &&
  (concept === 'cfe_paperwork' ||
    (concept === 'visit_fee' && feeOutcome !== 'credited' && feeOutcome !== 'returned'))

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)
const amountsOf = (rows: readonly LedgerRow[], keep: (row: LedgerRow) => boolean) =>
  sum(rows.filter(keep).map(({ amount }) => amount))
const isPaid = ({ state }: LedgerRow) => state === 'paid'

/** Computes the ledger of a project. */
export function ledgerOf(facts: LedgerFacts): Ledger {
  const { materials, promised, quotes, rows } = facts
  // A correction is negative, too, and cancels money that never came in.
  const paid = amountsOf(rows, (row) => isPaid(row) && row.concept !== 'refund')
  const refunded = 0 - amountsOf(rows, (row) => isPaid(row) && row.concept === 'refund')
  const charged = sum(quotes.map(({ total }) => total)) + amountsOf(rows, isOwnCharge) + materials
  const held = paid - refunded
  const ours = Math.max(0, held - promised)
  const excess = Math.max(0, ours - charged)
  const credit = excess < leastRefund ? 0 : excess
  return {
    charged,
    paid,
    refunded,
    held,
    promised,
    owed: Math.min(charged, Math.max(0, charged - ours)),
    credit,
    difference: excess - credit,
    demanded: amountsOf(rows, ({ state }) => waiting.includes(state)),
    quote: ofQuote(facts, ours),
  }
}

/** Remaining credit goes to the quote once all other charges are covered. */
function ofQuote({ materials, quotes, rows }: LedgerFacts, ours: number): Ledger['quote'] {
  const accepted = quotes.find(({ kind }) => kind === 'installation')
  if (!accepted) return null
  const extras = sum(quotes.filter(({ kind }) => kind === 'extra_work').map(({ total }) => total))
  const forExtras = amountsOf(rows, (row) => isPaid(row) && row.concept === 'extra_work')
  const forOthers = amountsOf(rows, (row) => isPaid(row) && isOwnCharge(row))
  const left = ours - Math.min(extras, forExtras) - forOthers - materials
  const paid = Math.min(accepted.total, Math.max(0, left))
  const { deposit, total } = accepted
  return { total, deposit, paid, owed: total - paid, depositDue: Math.max(0, deposit - paid) }
}

/** The split of a received amount: the part that pays what was requested, the part still owed, and the excess. */
export const split = (asked: number, received: number) => ({
  paid: Math.min(asked, received),
  rest: Math.max(0, asked - received),
  excess: Math.max(0, received - asked),
})

/** The order in which owed amounts are requested. */
const order: readonly Concept[] = ['deposit', 'extra_work', 'balance']

/**
 * How much each open demand may still ask for, in the order of the rows: in total never more than is owed. A payment
 * under review keeps its amount, and so does a row that is itself the charge.
 */
export function chargesAfter(facts: LedgerFacts): (number | null)[] {
  const { owed, quote } = ledgerOf(facts)
  const isFixed = (row: LedgerRow) => waiting.includes(row.state) && !isOpen(row)
  let left = Math.max(0, owed - amountsOf(facts.rows, isFixed))
  let deposit = Math.max(0, (quote?.depositDue ?? 0) - amountsOf(facts.rows, isDepositInReview))
  const asks = new Map<LedgerRow, number>()
  const open = facts.rows.filter(isOpen)
  for (const row of open.toSorted((a, b) => order.indexOf(a.concept) - order.indexOf(b.concept))) {
    const most = row.concept === 'deposit' ? Math.min(left, deposit) : left
    const asked = Math.min(row.amount, most)
    asks.set(row, asked)
    left -= asked
    if (row.concept === 'deposit') deposit -= asked
  }
  return facts.rows.map((row) => asks.get(row) ?? null)
}

/** Why a charge of a quote ends of which nothing is asked for any more. */
export function endReason({ concept }: Pick<LedgerRow, 'concept'>, facts: LedgerFacts): string {
  const kind: QuoteKind = concept === 'extra_work' ? concept : 'installation'
  if (!facts.quotes.some((quote) => quote.kind === kind)) return 'La cotización terminó.'
  const { owed, quote } = ledgerOf(facts)
  const missing = concept === 'deposit' ? quote?.depositDue : owed
  return missing === 0 ? 'Ya está pagado.' : 'Lo cubre otro pago en revisión.'
}

/** A row of payments, and whether it asks for the rest of an amount that was paid in part. */
type AskedRow = Pick<LedgerRow, 'amount' | 'concept' | 'state'> & { isRest: boolean }

/** A customer's balance in a sentence: what is asked for now, else what is under review, else what is left. */
export function balanceWords({ credit, owed }: Ledger, rows: readonly AskedRow[]): string {
  const asked = rows.filter(({ state }) => state === 'pending')
  const [only, ...others] = asked
  const inReview = amountsOfAll(rows.filter(({ state }) => state === 'in_review'))
  const reviewed = inReview > 0 ? `Revisamos tu comprobante de ${money(inReview)}.` : ''
  if (credit > 0) return `Tienes ${money(credit)} a tu favor.`
  if (only) {
    const isRest = only.isRest && others.length === 0
    const words = isRest ? restWords(only) : `Te toca pagar ${money(amountsOfAll(asked))}.`
    return [words, reviewed].filter(Boolean).join(' ')
  }
  if (reviewed) return reviewed
  return owed > 0
    ? `Te faltan ${money(owed)}; los pagas cuando te entreguemos la instalación.`
    : 'Estás al corriente.'
}

const amountsOfAll = (rows: readonly AskedRow[]) => sum(rows.map(({ amount }) => amount))

const isOpen = ({ concept, state }: LedgerRow) => state === 'pending' && order.includes(concept)
const isDepositInReview = ({ concept, state }: LedgerRow) => concept === 'deposit' && state === 'in_review'

/**
 * The amount that can still be requested besides open demands: of the deposit, or of the installation's whole price.
 */
export function chargeable(concept: 'deposit' | 'balance', facts: LedgerFacts): number {
  const { owed, quote } = ledgerOf(facts)
  if (!quote) return 0
  const open = amountsOf(facts.rows, ({ state }) => waiting.includes(state))
  const towards = amountsOf(
    facts.rows,
    ({ concept: of, state }) =>
      waiting.includes(state) && (of === 'deposit' || (of === 'balance' && concept === 'balance')),
  )
  const whole = concept === 'deposit' ? quote.depositDue : quote.owed
  return Math.max(0, Math.min(whole - towards, owed - open))
}
