import { conceptLabels, methodLabels, receiptSums } from '../../../domain/payments/payment.ts'
import { addressLine } from '../../../domain/projects/address.ts'
import { optionOf } from '../../../domain/quotes/content.ts'
import { totalsOfOption } from '../../../domain/quotes/totals.ts'
import { formatPhone, longDate, money } from '../../../domain/shared/format.ts'
import type { EmailContext } from '../../notifications/email.ts'
import type { ReceiptPaper } from './paper.ts'
import type { PaidPayment } from './queries.ts'

/** Puts a paid payment, or what was given back, into the words of its receipt. */
export function writeReceipt(
  paid: PaidPayment,
  house: Pick<EmailContext, 'brand' | 'settings'>,
): ReceiptPaper {
  const { amount, concept, folio, method, paidAt } = paid
  const { iva, net } = receiptSums(amount, paidFor(paid))
  const isRefund = concept === 'refund'
  return {
    ...{ kind: 'receipt', brand: house.brand, folio },
    title: isRefund ? 'Comprobante de reembolso' : 'Recibo de pago',
    subtitle: `${isRefund ? 'Devuelto' : 'Pagado'} el ${longDate(paidAt)}`,
    amount: { label: isRefund ? 'Te devolvimos' : 'Recibimos', value: money(Math.abs(amount)) },
    people: [
      { label: 'Nombre', value: paid.customer },
      ...(paid.address ? [{ label: 'Domicilio', value: addressLine(paid.address) }] : []),
    ],
    payment: [
      { label: 'Concepto', value: conceptLabels[concept] },
      ...(paid.quote ? [{ label: 'Cotización', value: paid.quote.folio }] : []),
      ...(method ? [{ label: 'Forma de pago', value: methodLabels[method] }] : []),
      ...(paid.trackingKey ? [{ label: 'Clave de rastreo', value: paid.trackingKey }] : []),
    ],
    sums: [
      { label: 'Importe sin IVA', value: money(net) },
      { label: 'IVA', value: money(iva) },
      { label: 'Total', value: money(amount) },
    ],
    notes: [
      'Este recibo no es una factura. Pide tu CFDI en tus pagos, con tus datos fiscales.',
      `Si algo no coincide, llámanos al ${formatPhone(house.settings.support.phone)} o escribe a ${house.settings.support.email}.`,
    ],
  }
}

/** What was agreed of the quote that a payment is for. */
function paidFor({ quote }: PaidPayment) {
  const option = quote && optionOf(quote.content, quote.acceptedOption ?? '')
  return option ? totalsOfOption(option, quote.acceptedAddOns) : null
}
