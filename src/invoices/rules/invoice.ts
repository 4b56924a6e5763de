import { isItsCustomer, isManager, isOffice, isSystem, type Mover } from '../../access/rules/actor.ts'
import { machine, type StateFacts, type TransitionOf } from '../../shared/state-machine.ts'

/** What an invoice covers: the whole, one payment, or a refund. */
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
} as const satisfies Record<string, StateFacts>
export type InvoiceState = keyof typeof invoiceStateFacts

/** Who manages invoices. */
export const seesToInvoices = isOffice

/** Who may request the invoice of a customer's quote. Complements and credit notes follow from it automatically. */
export const mayAskForInvoice = (actor: Mover, customerId: string) =>
  seesToInvoices(actor) || isItsCustomer(actor, { customerId })

const alreadyWords: Record<InvoiceState, string> = {
  requested: 'Esta factura todavía no se emite.',
  issued: 'Esta factura ya está emitida.',
  cancelled: 'Esta factura ya se canceló.',
}

/** The transitions of an invoice after its request; after a cancelled one, another may be requested. */
export const invoiceMachine = /* @__PURE__ */ machine<{ state: InvoiceState }>()(
  {
    issue: { from: ['requested'], to: 'issued', by: (actor) => isSystem(actor) || seesToInvoices(actor) },
    /** Nothing was stamped yet. */
    drop: { from: ['requested'], to: 'cancelled', by: seesToInvoices },
    /** It was cancelled at the SAT. */
    cancel: { from: ['issued'], to: 'cancelled', by: isManager },
  },
  (state) => alreadyWords[state],
)
export type InvoiceMoveName = TransitionOf<typeof invoiceMachine>

/** The reasons why an invoice cannot be requested. */
export type InvoiceObstacle = 'fiscal' | 'generic' | 'issuer' | 'unpaid' | 'former' | 'nothing'

/** The same in words, for its customer and for the staff who request invoices. */
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
