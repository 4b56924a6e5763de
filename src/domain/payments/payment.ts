import { isItsCustomer, isManager, isOffice, isSystem } from '../access/actor.ts'
import { addDays, dayOf, isHoliday, localDate, minuteAt, toDate, toMinutes } from '../shared/calendar.ts'
import { money } from '../shared/format.ts'
import { machine, type StateFacts, type TransitionOf } from '../shared/state-machine.ts'

export const conceptLabels = {
  visit_fee: 'Visita técnica',
  deposit: 'Anticipo',
  balance: 'Finiquito',
  cfe_paperwork: 'Trámite ante CFE',
  extra_work: 'Trabajo adicional',
  refund: 'Reembolso',
} as const
export type Concept = keyof typeof conceptLabels

/** Who writes down money that came by hand, and takes back what was booked by mistake. */
export const managesPayments = isManager

/** What an accepted quote is charged by. */
export const quoteConcepts = ['deposit', 'balance'] as const satisfies readonly Concept[]

export const methodLabels = {
  spei: 'Transferencia SPEI',
  card: 'Tarjeta',
  cash: 'Efectivo',
  terminal: 'Terminal',
  oxxo: 'OXXO',
} as const
export type PaymentMethod = keyof typeof methodLabels

export const paymentStateFacts = {
  pending: { label: 'Pendiente', tone: 'wait' },
  in_review: { label: 'En revisión', tone: 'info' },
  paid: { label: 'Pagado', tone: 'ok' },
  expired: { label: 'Vencido', tone: 'neutral' },
  cancelled: { label: 'Cancelado', tone: 'neutral' },
} as const satisfies Record<string, StateFacts>
export type PaymentState = keyof typeof paymentStateFacts

/** Asked for, and not in yet. */
export const openPaymentStates = ['pending', 'in_review'] as const satisfies readonly PaymentState[]

/** Not asked for any more. */
export const endedPaymentStates = ['expired', 'cancelled'] as const satisfies readonly PaymentState[]

/** In, or said to be in. */
export const sentPaymentStates = ['in_review', 'paid'] as const satisfies readonly PaymentState[]

/** Who looks at what came in. */
export const reviewsPayments = isOffice

/** Money that came in late came in. */
const notPaid = [...openPaymentStates, ...endedPaymentStates] as const

const alreadyWords: Record<PaymentState, string> = {
  pending: 'Este pago sigue pendiente.',
  in_review: 'Ya tenemos tu comprobante y lo estamos revisando.',
  paid: 'Este pago ya está registrado.',
  expired: 'Este pago ya venció.',
  cancelled: 'Este pago ya se canceló.',
}

/** The whole life of a payment: each transition, the states it may leave, and who may make it. */
export const paymentMachine = /* @__PURE__ */ machine<{ state: PaymentState; customerId: string }>()(
  {
    sendProof: { from: ['pending', 'expired'], to: 'in_review', by: isItsCustomer },
    /** Only begins it: what comes of it is the cards' provider's to say. */
    payByCard: { from: ['pending'], to: 'pending', by: isItsCustomer },
    confirm: { from: notPaid, to: 'paid', by: reviewsPayments },
    rejectProof: { from: ['in_review'], to: 'pending', by: reviewsPayments },
    /** Cash, or a card at a terminal. */
    record: { from: notPaid, to: 'paid', by: isManager },
    /** The cards' provider says so. */
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

/** Money that came in by hand or by transfer, which somebody typed; the cards' provider tells the rest. */
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

/** What a row is called: what was asked for, or that it takes back what was booked by mistake. */
export const conceptOf = ({ concept, reversesId }: { concept: Concept; reversesId: string | null }) =>
  reversesId === null ? conceptLabels[concept] : `Corrección: ${conceptLabels[concept].toLowerCase()}`

export const refundStateFacts = {
  requested: { label: 'Solicitado', tone: 'wait' },
  approved: { label: 'Aprobado', tone: 'info' },
  paid: { label: 'Pagado', tone: 'ok' },
  refused: { label: 'No procede', tone: 'bad' },
} as const satisfies Record<string, StateFacts>
export type RefundState = keyof typeof refundStateFacts

/** Asked for, and neither paid nor refused. */
export const openRefundStates = ['requested', 'approved'] as const satisfies readonly RefundState[]

/** Promised: the money goes back, or went. */
export const grantedRefundStates = ['approved', 'paid'] as const satisfies readonly RefundState[]

/** The whole life of a refund once it is asked for. */
export const refundMachine = /* @__PURE__ */ machine<{ state: RefundState }>()(
  {
    approve: { from: ['requested'], to: 'approved', by: isManager },
    refuse: { from: openRefundStates, to: 'refused', by: isManager },
    /** The cards' provider may say so, too. */
    pay: { from: ['approved'], to: 'paid', by: (actor) => isManager(actor) || isSystem(actor) },
    /** The cards' provider refused it: it has to go back in another way. */
    reopen: { from: ['approved'], to: 'requested', by: isSystem },
  },
  (state) => `Este reembolso ya está ${refundStateFacts[state].label.toLowerCase()}.`,
)

/** Whether what is in a customer's favour may be asked for, or proposed: once at a time. */
export const mayAskForRefund = (credit: number, refunds: readonly { state: RefundState }[]) =>
  credit > 0 && !refunds.some(({ state }) => openRefundStates.some((open) => open === state))

/** How long after the hand-over the balance may be paid. */
export const balanceDueDays = 3

/** How long before a payment is due its customer is reminded. */
export const remindHoursBefore = 24

/** Working days after accepting in which everything is refunded. */
const fullRefundDays = 5

const isWorkday = (date: string, holidays: readonly string[]) =>
  dayOf(minuteAt(date, '12:00')).weekday < 5 && !isHoliday(date, holidays)

/** The last moment at which a quote that was accepted then can be cancelled with everything given back: the end of the fifth working day after. */
export function fullRefundUntil(acceptedAt: Date, holidays: readonly string[]): Date {
  let date = localDate(toMinutes(acceptedAt))
  for (let left = fullRefundDays; left > 0; ) {
    date = addDays(date, 1)
    if (isWorkday(date, holidays)) left--
  }
  return toDate(minuteAt(addDays(date, 1), '00:00'))
}

/** The parts of /admin/payments, as its address names them. */
export const paymentParts = { revision: 'Por revisar', libro: 'Libro', banco: 'Banco' } as const
export type PaymentPart = keyof typeof paymentParts

/** What narrows the ledger, as its address holds it. */
export type PaymentFilters = {
  /** '0' to '11', of when it was paid or, before that, asked for; without a year, of every year. */
  month?: string
  year?: string
  method?: PaymentMethod
  concept?: Concept
  state?: PaymentState
  text?: string
}

/** What the rows of a ledger come to, in centavos: together exactly the sum of all of them. */
export type LedgerTotals = {
  count: number
  received: number
  /** Negative. */
  refunded: number
  /** Asked for, and not in yet. */
  waiting: number
  /** Asked for, and no more. */
  ended: number
}

/** What Stripe takes in Mexico, in centavos. */
const leastByCard = 10_00
const mostByOxxo = 10_000_00

/** Whether an amount can be charged to a card at all. */
export const takesCard = (amount: number) => amount >= leastByCard

/** Whether it can be paid in cash at an OXXO. */
export const takesOxxo = (amount: number) => takesCard(amount) && amount <= mostByOxxo

/** The months without interest that an amount is enough for: banks ask for $100 a month. */
export const monthsFor = (amount: number) => [3, 6, 9, 12].filter((months) => amount >= months * 100_00)

/** What became of a page of Stripe that a payment was begun on. */
type CheckoutState = 'opening' | 'open' | 'waiting' | 'paid' | 'failed' | 'expired'

/** Its page at Stripe may still bring money. */
export const pendingCheckoutStates = ['open', 'waiting'] as const satisfies readonly CheckoutState[]

/** Nothing was paid on it yet. */
export const unpaidCheckoutStates = ['opening', ...pendingCheckoutStates] as const

/** Its page at Stripe still waits for somebody. */
export const openCheckoutStates = ['opening', 'open'] as const satisfies readonly CheckoutState[]

/** What Stripe may tell us of one, and when it is still news: what was paid stays paid, whatever is heard afterwards. */
export const checkoutMachine = /* @__PURE__ */ machine<{ state: CheckoutState }>()({
  wait: { from: openCheckoutStates, to: 'waiting', by: isSystem },
  pay: { from: [...unpaidCheckoutStates, 'failed', 'expired'], to: 'paid', by: isSystem },
  fail: { from: unpaidCheckoutStates, to: 'failed', by: isSystem },
  expire: { from: openCheckoutStates, to: 'expired', by: isSystem },
})
export type CheckoutNews = TransitionOf<typeof checkoutMachine>

/** The IVA that every service of the house carries, in percent. */
const usualIva = 16

/** Centavos of a payment before IVA and of IVA. */
type ReceiptSums = { net: number; iva: number }

/**
 * The IVA within a payment, in proportion to what it is paid for, half-up; of what belongs to no quote, and of one that
 * comes to nothing, the usual rate. What is given back is negative.
 */
export function receiptSums(amount: number, paidFor: { iva: number; total: number } | null): ReceiptSums {
  const { iva, total } = paidFor && paidFor.total > 0 ? paidFor : { iva: usualIva, total: 100 + usualIva }
  const [part, whole] = [BigInt(Math.abs(amount)) * BigInt(iva), BigInt(total)]
  const size = Number((2n * part + whole) / (2n * whole))
  const within = amount < 0 ? -size : size
  return { net: amount - within, iva: within }
}

/** What an amount does that is not what was asked for: it leaves something to pay, goes to the balance, or is more than all that is owed. */
export type Consequence = { kind: 'short' | 'more' | 'over'; by: number }

/** What booking an amount would do; null when it is what was asked for, or pays a part of what is owed. All in centavos. */
export function consequenceOf(amount: number, asked: number | null, owed: number): Consequence | null {
  if (amount === asked) return null
  if (amount > owed) return { kind: 'over', by: amount - owed }
  if (asked === null) return null
  return amount < asked ? { kind: 'short', by: asked - amount } : { kind: 'more', by: amount - asked }
}

const words: Record<Consequence['kind'], (by: string) => string> = {
  short: (by) => `Faltan ${by}: se quedan pendientes de pago.`,
  more: (by) => `Sobran ${by} de lo que se pidió: se abonan a su saldo.`,
  over: (by) => `Sobran ${by} de todo lo que debe: quedan a su favor y se propone devolverlos. ¿Seguro?`,
}

/** Said before it is booked. */
export const consequenceWords = ({ by, kind }: Consequence) => words[kind](money(by))

/** How an unusual amount is confirmed: by submitting twice or, above the total owed, by typing it again. */
export type Sure = { sure: number | null; again: number | null }

export const isSure = ({ kind }: Consequence, amount: number, { again, sure }: Sure): boolean =>
  (kind === 'over' ? again : sure) === amount
