import type { Actor } from './actor.ts'
import { refuse } from './refusal.ts'

/** Of what an invoice is: the whole, one payment of it, or what was given back. */
export const invoiceKindLabels = {
  income: 'Factura',
  payment: 'Complemento de pago',
  credit_note: 'Nota de crédito',
} as const
export type InvoiceKind = keyof typeof invoiceKindLabels

export const invoiceStateFacts = {
  requested: { label: 'Solicitada', tone: 'wait' },
  issued: { label: 'Emitida', tone: 'ok' },
  cancelled: { label: 'Cancelada', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: 'ok' | 'wait' | 'info' | 'bad' | 'neutral' }>
export type InvoiceState = keyof typeof invoiceStateFacts

/** What a move of an invoice is judged by. */
export type InvoiceFacts = { state: InvoiceState; customerId: string }
export type InvoiceMover = Actor | 'system'
type Move = {
  from: readonly InvoiceState[]
  to: InvoiceState
  by: (mover: InvoiceMover, facts: InvoiceFacts) => boolean
}

const isManager = (mover: InvoiceMover) => mover !== 'system' && mover.kind === 'manager'
/** Who sees to invoices. */
export const seesToInvoices = (mover: InvoiceMover) =>
  isManager(mover) || (mover !== 'system' && mover.kind === 'analyst')

/** Who may ask for the invoice of a customer's quote. Complements and credit notes follow from it by themselves. */
export const mayAskForInvoice = (mover: InvoiceMover, customerId: string) =>
  seesToInvoices(mover) || (mover !== 'system' && mover.role === 'customer' && mover.id === customerId)

/** The whole life of an invoice once it was asked for; after a cancelled one, another may be asked for. */
export const invoiceMoves = {
  issue: { from: ['requested'], to: 'issued', by: (mover) => mover === 'system' || seesToInvoices(mover) },
  /** Nothing was stamped yet. */
  drop: { from: ['requested'], to: 'cancelled', by: seesToInvoices },
  /** It was cancelled at the SAT. */
  cancel: { from: ['issued'], to: 'cancelled', by: isManager },
} as const satisfies Record<string, Move>
export type InvoiceMoveName = keyof typeof invoiceMoves

const alreadyWords: Record<InvoiceState, string> = {
  requested: 'Esta factura todavía no se emite.',
  issued: 'Esta factura ya está emitida.',
  cancelled: 'Esta factura ya se canceló.',
}

/** The state a move leads to, or a Refusal that says why not. */
export function invoiceStateAfter(name: InvoiceMoveName, mover: InvoiceMover, facts: InvoiceFacts) {
  const move: Move = invoiceMoves[name]
  if (!move.by(mover, facts)) refuse('permission-denied')
  if (!move.from.includes(facts.state)) refuse('failed-precondition', alreadyWords[facts.state])
  return move.to
}

/** Whether somebody may make a move. */
export function canInvoice(name: InvoiceMoveName, mover: InvoiceMover, facts: InvoiceFacts): boolean {
  const move: Move = invoiceMoves[name]
  return move.by(mover, facts) && move.from.includes(facts.state)
}

/** What keeps an invoice from being asked for. */
export type InvoiceObstacle = 'fiscal' | 'generic' | 'issuer' | 'unpaid' | 'former' | 'nothing'

/** The same in words, for its customer and for whoever asks for them. */
export const obstacleWords: Record<InvoiceObstacle, { customer: string; staff: string }> = {
  fiscal: {
    customer: 'Para facturarte necesitamos tus datos fiscales.',
    staff: 'Faltan los datos fiscales del cliente, o tienen algo por corregir.',
  },
  generic: {
    customer: 'Con el RFC genérico no hay factura individual. Escribe tu propio RFC.',
    staff: 'El cliente eligió el RFC genérico: no lleva factura individual.',
  },
  issuer: {
    customer: 'Todavía no podemos emitir facturas. Escríbenos y lo resolvemos.',
    staff: 'Falta decir quién factura: Configuración del servicio, Facturación.',
  },
  unpaid: {
    customer: 'Podrás pedir tu factura cuando recibamos tu primer pago.',
    staff: 'Se puede pedir desde el primer pago.',
  },
  former: {
    customer: 'Tu factura es de la versión anterior. La cancelamos y después puedes pedir la nueva.',
    staff: 'La versión anterior todavía tiene factura. Cancélala antes de pedir esta.',
  },
  nothing: {
    customer: 'No hay nada que facturar: tu total es $0.00.',
    staff: 'No hay nada que facturar: el total es $0.00.',
  },
}
