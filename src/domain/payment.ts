import type { Actor } from './actor.ts'
import { refuse } from './refusal.ts'

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
} as const satisfies Record<string, { label: string; tone: 'ok' | 'wait' | 'info' | 'bad' | 'neutral' }>
export type PaymentState = keyof typeof paymentStateFacts

/** What a move of a payment is judged by. */
export type PaymentFacts = { state: PaymentState; customerId: string }
export type PaymentMover = Actor | 'system'
type Move = {
  from: readonly PaymentState[]
  to: PaymentState
  by: (mover: PaymentMover, facts: PaymentFacts) => boolean
}

/** Who looks at what came in. */
export const reviewsPayments = (mover: PaymentMover) =>
  mover !== 'system' && (mover.kind === 'manager' || mover.kind === 'analyst')
const isManager = (mover: PaymentMover) => mover !== 'system' && mover.kind === 'manager'
const isSystem = (mover: PaymentMover) => mover === 'system'
const itsCustomer = (mover: PaymentMover, { customerId }: PaymentFacts) =>
  mover !== 'system' && mover.role === 'customer' && mover.id === customerId
/** Money that came in late came in. */
const notPaid = ['pending', 'in_review', 'expired', 'cancelled'] as const

/** The whole life of a payment: each move, the states it may leave, and who may make it. */
export const paymentMoves = {
  sendProof: { from: ['pending', 'expired'], to: 'in_review', by: itsCustomer },
  /** Only begins it: what comes of it is the cards' provider's to say. */
  payByCard: { from: ['pending'], to: 'pending', by: itsCustomer },
  confirm: { from: notPaid, to: 'paid', by: reviewsPayments },
  rejectProof: { from: ['in_review'], to: 'pending', by: reviewsPayments },
  /** Cash, or a card at a terminal. */
  record: { from: notPaid, to: 'paid', by: isManager },
  /** The cards' provider says so. */
  settle: { from: notPaid, to: 'paid', by: isSystem },
  expire: { from: ['pending'], to: 'expired', by: isSystem },
  cancel: {
    from: ['pending', 'in_review'],
    to: 'cancelled',
    by: (mover) => isSystem(mover) || isManager(mover),
  },
} as const satisfies Record<string, Move>
export type PaymentMoveName = keyof typeof paymentMoves

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

const alreadyWords: Record<PaymentState, string> = {
  pending: 'Este pago sigue pendiente.',
  in_review: 'Ya tenemos tu comprobante y lo estamos revisando.',
  paid: 'Este pago ya está registrado.',
  expired: 'Este pago ya venció.',
  cancelled: 'Este pago ya se canceló.',
}

/** The state a move leads to, or a Refusal that says why not. */
export function paymentStateAfter(
  name: PaymentMoveName,
  mover: PaymentMover,
  facts: PaymentFacts,
): PaymentState {
  const move: Move = paymentMoves[name]
  if (!move.by(mover, facts)) refuse('permission-denied')
  if (!move.from.includes(facts.state)) refuse('failed-precondition', alreadyWords[facts.state])
  return move.to
}
