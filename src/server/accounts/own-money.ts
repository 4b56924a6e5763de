import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm'
import { documentPurposes } from '../../domain/documents/document.ts'
import { invoiceKindLabels, invoiceStateFacts } from '../../domain/invoices/invoice.ts'
import { cfdiUseLabel, fiscalStateFacts, regimeLabel } from '../../domain/invoices/taxpayer.ts'
import {
  conceptOf,
  methodLabels,
  paymentStateFacts,
  refundStateFacts,
} from '../../domain/payments/payment.ts'
import { isCharged, optionNames } from '../../domain/quotes/content.ts'
import { quoteStateFacts } from '../../domain/quotes/quote.ts'
import { totalsOfOption } from '../../domain/quotes/totals.ts'
import { money } from '../../domain/shared/format.ts'
import type { Db } from '../platform/database/client.ts'
import {
  documents,
  fiscalData,
  invoices,
  payments,
  quotes,
  refunds,
} from '../platform/database/schema/payments.ts'

const amountOf = (centavos: number | null) => (centavos === null ? null : money(centavos))

/** Quotes that were sent to somebody, with what each option offered; a draft is the office's. */
async function quotesOf(db: Db, customerId: string) {
  const rows = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.customerId, customerId), isNotNull(quotes.sentAt)))
    .orderBy(asc(quotes.sentAt))
  return rows.map((quote) => ({
    Folio: quote.folio,
    Versión: String(quote.revision),
    Estado: quoteStateFacts[quote.state].label,
    'Para quién': quote.addressee,
    Enviada: quote.sentAt,
    'La viste': quote.viewedAt,
    Vence: quote.validUntil,
    ...Object.fromEntries(
      quote.content.options.map((option) => [
        `Opción ${optionNames[option.id]}`,
        `${money(totalsOfOption(option).total)}: ${option.lines
          .filter(isCharged)
          .map(({ description }) => description)
          .join('; ')}`,
      ]),
    ),
    'Lo que dijiste': quote.reason,
    Aceptada: quote.acceptedAt,
    'Nombre con que aceptaste': quote.acceptedName,
    'Dirección de red al aceptar': quote.acceptedIp,
    'Total aceptado': amountOf(quote.acceptedTotal),
    Anticipo: amountOf(quote.depositAmount),
    'Huella SHA-256': quote.digest,
  }))
}

async function paymentsOf(db: Db, customerId: string) {
  const rows = await db
    .select()
    .from(payments)
    .where(eq(payments.customerId, customerId))
    .orderBy(asc(payments.createdAt))
  return rows.map((payment) => ({
    Folio: payment.folio,
    Concepto: conceptOf(payment),
    Monto: money(payment.amount),
    Estado: paymentStateFacts[payment.state].label,
    Forma: payment.method && methodLabels[payment.method],
    Banco: payment.bank,
    'Clave de rastreo': payment.trackingKey,
    'Por qué se rechazó el comprobante': payment.rejectedReason,
    Pedido: payment.createdAt,
    'Límite de pago': payment.dueAt,
    Pagado: payment.paidAt,
    Corregido: payment.reversedAt,
  }))
}

async function refundsOf(db: Db, customerId: string) {
  const rows = await db
    .select()
    .from(refunds)
    .where(eq(refunds.customerId, customerId))
    .orderBy(asc(refunds.createdAt))
  return rows.map((refund) => ({
    Folio: refund.folio,
    Monto: money(refund.amount),
    Estado: refundStateFacts[refund.state].label,
    Motivo: refund.reason,
    CLABE: refund.clabe,
    Beneficiario: refund.beneficiary,
    'Por qué no procede': refund.refusedReason,
    Solicitado: refund.createdAt,
    Pagado: refund.paidAt,
  }))
}

async function fiscalOf(db: Db, customerId: string) {
  const rows = await db.select().from(fiscalData).where(eq(fiscalData.customerId, customerId))
  return rows.map((fiscal) => ({
    RFC: fiscal.rfc,
    'Nombre fiscal': fiscal.legalName,
    Régimen: regimeLabel(fiscal.regime),
    'Uso del CFDI': cfdiUseLabel(fiscal.cfdiUse),
    'Código postal': fiscal.postalCode,
    'Correo para facturas': fiscal.email,
    Estado: fiscalStateFacts[fiscal.state].label,
    'Qué hay que corregir': fiscal.rejectedReason,
  }))
}

async function invoicesOf(db: Db, customerId: string) {
  const rows = await db
    .select()
    .from(invoices)
    .where(eq(invoices.customerId, customerId))
    .orderBy(asc(invoices.createdAt))
  return rows.map((invoice) => ({
    Qué: invoiceKindLabels[invoice.kind],
    Estado: invoiceStateFacts[invoice.state].label,
    Total: money(invoice.total),
    'Folio fiscal': invoice.uuid,
    'A nombre de': receiverOf(invoice.request),
    Pedida: invoice.createdAt,
    Emitida: invoice.issuedAt,
    Cancelada: invoice.cancelledAt,
  }))
}

/** Whom it was asked for, as it was asked. */
function receiverOf(request: unknown): string | null {
  const { Receptor } = request as { Receptor?: { Rfc?: string; Nombre?: string } }
  return Receptor ? [Receptor.Rfc, Receptor.Nombre].filter(Boolean).join(', ') : null
}

/** Those that a later one replaced are gone. */
async function papersOf(db: Db, customerId: string) {
  const rows = await db
    .select()
    .from(documents)
    .where(and(eq(documents.customerId, customerId), isNull(documents.replacedAt)))
    .orderBy(asc(documents.createdAt))
  return rows.map(({ createdAt, name, purpose, sha256 }) => ({
    Qué: documentPurposes[purpose].label,
    Archivo: name,
    Recibido: createdAt,
    'Huella SHA-256': sha256,
  }))
}

/** What we hold of somebody's quotes and money, under headings. */
export async function ownMoney(db: Db, customerId: string) {
  const parts = [
    ['Cotizaciones', quotesOf],
    ['Pagos', paymentsOf],
    ['Reembolsos', refundsOf],
    ['Datos fiscales', fiscalOf],
    ['Facturas', invoicesOf],
    ['Documentos', papersOf],
  ] as const
  return Promise.all(
    parts.map(async ([heading, read]) => ({ heading, holdings: await read(db, customerId) })),
  )
}
