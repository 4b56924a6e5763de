import { isItsCustomer, isManager, isOffice, isSystem } from '../../access/rules/actor.ts'
import { addDays, dayOf, isHoliday, localDate, minuteAt, toDate, toMinutes } from '../../shared/calendar.ts'
import type { ListOrder } from '../../shared/count.ts'
import { lowerFirst, money } from '../../shared/format.ts'
import { machine, type StateFacts, type TransitionOf } from '../../shared/state-machine.ts'

export const conceptLabels = {
  visit_fee: 'Visita técnica',
  deposit: 'Anticipo',
  balance: 'Finiquito',
  cfe_paperwork: 'Trámite ante CFE',
  extra_work: 'Trabajo adicional',
  refund: 'Reembolso',
} as const
export type Concept = keyof typeof conceptLabels

/** Who records manual payments, and reverses mistaken ones. */
export const managesPayments = isManager

/** How long the office takes to look at a proof, as customers are told. */
export const reviewPromise = 'Lo revisamos en 1 día hábil'

/** "Te faltan $200.00 de tu anticipo." */
export const restWords = ({ amount, concept }: { amount: number; concept: Concept }) =>
  `Te faltan ${money(amount)} de tu ${lowerFirst(conceptLabels[concept])}.`

/** The concepts by which an accepted quote is charged. */
export const quoteConcepts = ['deposit', 'balance'] as const satisfies readonly Concept[]

export const methodLabels = {
  spei: 'Transferencia SPEI',
  card: 'Tarjeta',
  cash: 'Efectivo',
  terminal: 'Terminal',
  oxxo: 'OXXO',
} as const
export type PaymentMethod = keyof typeof methodLabels
/** The methods that the office records by hand. */
export type OfficeMethod = Extract<PaymentMethod, 'cash' | 'terminal' | 'spei'>

export const paymentStateFacts = {
  pending: { label: 'Pendiente', tone: 'wait' },
  in_review: { label: 'En revisión', tone: 'info' },
  paid: { label: 'Pagado', tone: 'ok' },
  expired: { label: 'Caducado', tone: 'neutral' },
  cancelled: { label: 'Cancelado', tone: 'neutral' },
} as const satisfies Record<string, StateFacts>
export type PaymentState = keyof typeof paymentStateFacts

/** Requested, and not received yet. */
export const openPaymentStates = ['pending', 'in_review'] as const satisfies readonly PaymentState[]

/** No longer requested. */
export const endedPaymentStates = ['expired', 'cancelled'] as const satisfies readonly PaymentState[]

/** Received, or reported as sent by the customer. */
export const sentPaymentStates = ['in_review', 'paid'] as const satisfies readonly PaymentState[]

/** The staff who see what customers paid and owe. */
export const seesPayments = isOffice

/** Who reviews received money. */
export const reviewsPayments = isOffice

/** A late payment is still a payment. */
const notPaid = [...openPaymentStates, ...endedPaymentStates] as const

const alreadyWords: Record<PaymentState, string> = {
  pending: 'Este pago sigue pendiente.',
  in_review: 'Ya tenemos tu comprobante y lo estamos revisando.',
  paid: 'Este pago ya está registrado.',
  expired: 'Este pago ya venció.',
  cancelled: 'Este pago ya se canceló.',
}

type PaymentFacts = {
  state: PaymentState
  customerId: string
  /** Without a proof nothing asks for it any more: its day has passed, or its quote or visit has ended. */
  isOver?: boolean
}

/** A charge that loses its proof is asked for again; one that is over may still be proved by another. */
const unproved = ({ isOver }: PaymentFacts) => (isOver ? 'expired' : 'pending')

/** The whole life of a payment: each transition, the states it may leave, and who may make it. */
export const paymentMachine = /* @__PURE__ */ machine<PaymentFacts>()(
  {
    sendProof: { from: ['pending', 'expired'], to: 'in_review', by: isItsCustomer },
    /** Another file, bank or key in the place of those that wait for their review. */
    replaceProof: { from: ['in_review'], to: 'in_review', by: isItsCustomer },
    takeBackProof: { from: ['in_review'], to: unproved, by: isItsCustomer },
    /** Only starts the payment: the card provider reports the result. */
    payByCard: { from: ['pending'], to: 'pending', by: isItsCustomer },
    confirmProof: { from: ['in_review'], to: 'paid', by: reviewsPayments },
    /** A line of a bank statement is this payment. */
    matchBankLine: { from: notPaid, to: 'paid', by: reviewsPayments },
    /** Sends another reminder: it is still pending. */
    remind: { from: ['pending'], to: 'pending', by: reviewsPayments },
    rejectProof: { from: ['in_review'], to: unproved, by: reviewsPayments },
    /** Cash, or a card at a terminal. */
    record: { from: notPaid, to: 'paid', by: isManager },
    /** Reported by the card provider. */
    settle: { from: notPaid, to: 'paid', by: isSystem },
    expire: { from: ['pending'], to: 'expired', by: isSystem },
    cancel: {
      from: openPaymentStates,
      to: 'cancelled',
      by: (actor) => isSystem(actor) || isManager(actor),
    },
  },
  (state) => alreadyWords[state],
)

/** Manual payments and transfers, which the office typed; the card provider reports the others. */
export const correctable = ({
  concept,
  method,
  reversedAt,
  reversesId,
  state,
}: {
  concept: Concept
  method: PaymentMethod | null
  state: PaymentState
  reversesId: string | null
  reversedAt: Date | null
}): boolean =>
  state === 'paid' &&
  concept !== 'refund' &&
  reversesId === null &&
  reversedAt === null &&
  (method === 'cash' || method === 'terminal' || method === 'spei')

/**
 * When a row that corrects another counts, given its day: now where that day's month is over, so that no such month
 * changes; null for the day itself.
 */
export const countsAt = (day: Date, now: Date): Date | null => (monthOf(day) < monthOf(now) ? now : null)

const monthOf = (at: Date) => localDate(toMinutes(at)).slice(0, 7)

/** The label of a row: the concept requested, or that it corrects a mistaken one. */
export const conceptOf = ({ concept, reversesId }: { concept: Concept; reversesId: string | null }) =>
  reversesId === null ? conceptLabels[concept] : `Corrección: ${lowerFirst(conceptLabels[concept])}`

/** The state of a row as people read it: one that was reversed, and the row that reverses it, say so. */
export function standingOf({
  reversedAt,
  reversesId,
  state,
}: {
  state: PaymentState
  reversesId?: string | null
  reversedAt?: Date | null
}): StateFacts {
  if (reversedAt) return { label: 'Corregido', tone: 'neutral' }
  return reversesId ? { label: 'Corrección', tone: 'neutral' } : paymentStateFacts[state]
}

export const refundStateFacts = {
  requested: { label: 'Solicitado', tone: 'wait' },
  approved: { label: 'Aprobado', tone: 'info' },
  paid: { label: 'Pagado', tone: 'ok' },
  refused: { label: 'No procede', tone: 'bad' },
} as const satisfies Record<string, StateFacts>
export type RefundState = keyof typeof refundStateFacts

/** Whether a refund was withdrawn: its money is no longer left over, and no one refused it. */
export const isWithdrawn = ({
  decidedBy,
  state,
}: {
  state: RefundState
  decidedBy: string | null
}): boolean => state === 'refused' && decidedBy === null

/** The state of a refund as people read it. */
export const refundStandingOf = (refund: { state: RefundState; isWithdrawn: boolean }): StateFacts =>
  refund.isWithdrawn ? { label: 'Retirado', tone: 'neutral' } : refundStateFacts[refund.state]

/** Requested, and neither paid nor refused. */
export const openRefundStates = ['requested', 'approved'] as const satisfies readonly RefundState[]

/** Granted: the money is on its way back, or paid. */
export const grantedRefundStates = ['approved', 'paid'] as const satisfies readonly RefundState[]

/** Who decides on refunds, and pays them. */
export const decidesRefunds = isManager

/** The transitions of a refund after its request. */
export const refundMachine = /* @__PURE__ */ machine<{ state: RefundState }>()(
  {
    approve: { from: ['requested'], to: 'approved', by: decidesRefunds },
    refuse: { from: openRefundStates, to: 'refused', by: decidesRefunds },
    /** The card provider may report it, too. */
    pay: { from: ['approved'], to: 'paid', by: (actor) => decidesRefunds(actor) || isSystem(actor) },
    /** The card provider refused it: it has to be paid in another way. */
    reopen: { from: ['approved'], to: 'requested', by: isSystem },
  },
  (state) => `Este reembolso ya está ${refundStateFacts[state].label.toLowerCase()}.`,
)

/** Whether a customer's credit may be requested or proposed as a refund: one at a time. */
export const mayAskForRefund = (credit: number, refunds: readonly { state: RefundState }[]) =>
  credit > 0 && !refunds.some(({ state }) => openRefundStates.some((open) => open === state))

/** Days after the hand-over until the balance is due. */
export const balanceDueDays = 3

/** Hours before a payment is due at which its customer is reminded. */
export const remindHoursBefore = 24

/** Working days after acceptance in which everything is refunded. */
const fullRefundDays = 5

const isWorkday = (date: string, holidays: readonly string[]) =>
  dayOf(minuteAt(date, '12:00')).weekday < 5 && !isHoliday(date, holidays)

/**
 * The last moment at which a quote accepted then can be cancelled with a full refund: the end of the fifth working day
 * after.
 */
export function fullRefundUntil(acceptedAt: Date, holidays: readonly string[]): Date {
  let date = localDate(toMinutes(acceptedAt))
  for (let left = fullRefundDays; left > 0; ) {
    date = addDays(date, 1)
    if (isWorkday(date, holidays)) left--
  }
  return toDate(minuteAt(addDays(date, 1), '00:00'))
}

/** The parts of /admin/payments, as their addresses name them. */
export const paymentParts = {
  revision: 'Por revisar',
  cobrar: 'Por cobrar',
  libro: 'Libro',
  banco: 'Banco',
} as const
export type PaymentPart = keyof typeof paymentParts

/** By the day, or by the amount. */
export type PaymentOrder = ListOrder<'amount'>

/** Stripe's limits in Mexico, in centavos. */
const leastByCard = 10_00
const mostByOxxo = 10_000_00

/** Whether an amount can be charged to a card. */
export const takesCard = (amount: number) => amount >= leastByCard

/** Whether an amount can be paid in cash at an OXXO. */
export const takesOxxo = (amount: number) => takesCard(amount) && amount <= mostByOxxo

/** The months without interest available for an amount: banks require $100 a month. */
export const monthsFor = (amount: number) => [3, 6, 9, 12].filter((months) => amount >= months * 100_00)

/** The states of a Stripe checkout page. */
type CheckoutState = 'opening' | 'open' | 'waiting' | 'paid' | 'failed' | 'expired'

/** A checkout page that may still bring money. */
export const pendingCheckoutStates = ['open', 'waiting'] as const satisfies readonly CheckoutState[]

/** A checkout page without a payment yet. */
export const unpaidCheckoutStates = ['opening', ...pendingCheckoutStates] as const

/** A checkout page that still waits for the customer. */
export const openCheckoutStates = ['opening', 'open'] as const satisfies readonly CheckoutState[]

/**
 * Stripe's reports about a checkout page, and the states each may follow: once paid it stays paid, whatever is reported
 * later.
 */
export const checkoutMachine = /* @__PURE__ */ machine<{ state: CheckoutState }>()({
  wait: { from: openCheckoutStates, to: 'waiting', by: isSystem },
  pay: { from: [...unpaidCheckoutStates, 'failed', 'expired'], to: 'paid', by: isSystem },
  fail: { from: unpaidCheckoutStates, to: 'failed', by: isSystem },
  expire: { from: openCheckoutStates, to: 'expired', by: isSystem },
})
export type CheckoutNews = TransitionOf<typeof checkoutMachine>

/** The IVA of all our services, in percent. */
const usualIva = 16

/** Centavos of a payment before IVA and of IVA. */
type ReceiptSums = { net: number; iva: number }

/**
 * The IVA within a payment, in proportion to its quote's, half-up; the usual rate for a payment without a quote or with
 * one of total zero. A refund is negative.
 */
export function receiptSums(amount: number, paidFor: { iva: number; total: number } | null): ReceiptSums {
  const { iva, total } = paidFor && paidFor.total > 0 ? paidFor : { iva: usualIva, total: 100 + usualIva }
  const part = BigInt(Math.abs(amount)) * BigInt(iva)
  const whole = BigInt(total)
  const size = Number((2n * part + whole) / (2n * whole))
  const within = amount < 0 ? -size : size
  return { net: amount - within, iva: within }
}

/**
 * The effect of an amount that is not simply what was asked for: it leaves a remainder, goes to the balance, exceeds all
 * that is owed, or is what was asked for and no longer owed.
 */
export type Consequence = { kind: 'short' | 'more' | 'over' | 'undue'; by: number }

/**
 * The effect of booking an amount; null when it equals the requested one, or pays a part of what is owed. All in
 * centavos.
 */
export function consequenceOf(amount: number, asked: number | null, owed: number): Consequence | null {
  if (amount > owed) return { kind: amount === asked ? 'undue' : 'over', by: amount - owed }
  if (asked === null || amount === asked) return null
  return amount < asked ? { kind: 'short', by: asked - amount } : { kind: 'more', by: amount - asked }
}

const words: Record<Consequence['kind'], (by: string) => string> = {
  short: (by) => `Faltan ${by} y queda un pago pendiente por esa cantidad.`,
  more: (by) => `Son ${by} más de lo que se pidió: se abonan a su saldo.`,
  over: (by) => `Son ${by} más de todo lo que debe: quedan a su favor y se propone un reembolso. ¿Seguro?`,
  undue: (by) => `Ya no debe ${by} de esa cantidad: quedan a su favor y se propone un reembolso. ¿Seguro?`,
}

/** Shown before booking. */
export const consequenceWords = ({ by, kind }: Consequence) => words[kind](money(by))

/**
 * How an unusual payment is confirmed: its amount by submitting it twice or, above the total owed, by typing it again; a
 * tracking key that another payment has by submitting it twice.
 */
export type Sure = { sure: number | null; again: number | null; sureKey: string | null }

export const isSure = ({ kind }: Consequence, amount: number, { again, sure }: Sure): boolean =>
  (kind === 'over' ? again : sure) === amount
