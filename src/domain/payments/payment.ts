import { isItsCustomer, isManager, isOffice, isSystem } from '../access/actor.ts'
import { machine, type StateFacts } from '../shared/state-machine.ts'

export const conceptLabels = {
  visit_fee: 'Visita técnica',
  deposit: 'Anticipo',
  balance: 'Finiquito',
  cfe_paperwork: 'Trámite ante CFE',
  extra_work: 'Trabajo adicional',
  refund: 'Reembolso',
} as const
export type Concept = keyof typeof conceptLabels

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
