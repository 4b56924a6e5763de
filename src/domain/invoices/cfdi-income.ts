import type { LineTotal, Totals } from '../quotes/quote-totals.ts'
import { quantityOf, unitPriceOf } from '../shared/cfdi-decimals.ts'
import { plainAmount } from '../shared/format.ts'
import { type Parties, partiesOf, transferred, transferredOf, withoutBars } from './cfdi-parts.ts'
import type { Concept, IncomeCfdi } from './cfdi-schema.ts'
import { shareOfLines } from './cfdi-shares.ts'
import type { PaymentForm } from './sat-catalogues.ts'

/** What came in, in centavos. */
export type PaidAmount = { amount: number; form: PaymentForm }
type Terms =
  | { MetodoPago: 'PUE'; FormaPago: Exclude<PaymentForm, '99'> }
  | { MetodoPago: 'PPD'; FormaPago: '99' }

/** How an invoice says it is paid: with one payment of the whole, at once and by its form; else in parts, to be told later. */
export function termsOf(total: number, payments: readonly PaidAmount[]): Terms {
  const [only, ...others] = payments
  if (only && others.length === 0 && only.amount >= total && only.form !== '99')
    return { MetodoPago: 'PUE', FormaPago: only.form }
  return { MetodoPago: 'PPD', FormaPago: '99' }
}

/**
 * The invoice of what a customer accepted. Each line is the quote's own: the SAT works its amount out from quantity and
 * price and takes one that is rounded to centavos, and likewise its IVA, so the sums are the quote's. Null when there is
 * nothing to invoice.
 */
export function incomeOf(
  parties: Parties,
  totals: Totals,
  payments: readonly PaidAmount[],
): IncomeCfdi | null {
  if (totals.total === 0) return null
  // The SAT knows no line of nothing.
  const lines = totals.lines.filter(({ gross }) => gross > 0)
  const whole = {
    TipoDeComprobante: 'I' as const,
    ...partiesOf(parties, parties.receiver.cfdiUse),
    Moneda: 'MXN' as const,
    SubTotal: plainAmount(totals.subtotal),
    ...(totals.discount > 0 && { Descuento: plainAmount(totals.discount) }),
    Total: plainAmount(totals.total),
    Conceptos: lines.map(conceptOf),
    Impuestos: {
      TotalImpuestosTrasladados: plainAmount(totals.iva),
      Traslados: transferredOf(shareOfLines(totals)),
    },
  }
  const terms = termsOf(totals.total, payments)
  return terms.MetodoPago === 'PUE' ? { ...whole, ...terms } : { ...whole, ...terms }
}

const conceptOf = ({ line, gross, discount, net, iva }: LineTotal): Concept => ({
  ClaveProdServ: line.satProduct,
  ClaveUnidad: line.satUnit,
  Unidad: withoutBars(line.unit),
  Cantidad: quantityOf(line.quantity),
  Descripcion: withoutBars(line.description),
  ValorUnitario: unitPriceOf(line.unitPrice),
  Importe: plainAmount(gross),
  ...(discount > 0 && { Descuento: plainAmount(discount) }),
  // A line that is wholly discounted is one of an activity that bears tax, and causes none: a base of zero is refused.
  ...(net > 0 ? { ObjetoImp: '02', Traslados: [transferred(net, iva, line.iva)] } : { ObjetoImp: '04' }),
})
