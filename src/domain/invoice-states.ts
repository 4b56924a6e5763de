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
