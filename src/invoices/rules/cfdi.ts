import type { LineTotal, Totals } from '../../quotes/rules/totals.ts'
import { timeZone } from '../../shared/calendar.ts'
import { plainAmount } from '../../shared/format.ts'
import {
  centavosIn,
  cfdiQuantity as quantityOf,
  rateOf,
  cfdiUnitPrice as unitPriceOf,
} from '../../shared/money.ts'
import type { Cfdi, CfdiConcept, CreditNoteCfdi, IncomeCfdi, PaymentCfdi } from './cfdi-schema.ts'
import { activityUnit, billingProduct, ivaKey, type PaymentForm, type Relation } from './sat-catalogues.ts'
import { type CfdiUse, cfdiUseFits, isGeneric, kindOfRfc, type Regime } from './taxpayer.ts'

/** A payment received, in centavos. */
export type PaidAmount = { amount: number; form: PaymentForm }
type Terms =
  | { MetodoPago: 'PUE'; FormaPago: Exclude<PaymentForm, '99'> }
  | { MetodoPago: 'PPD'; FormaPago: '99' }

/**
 * The payment terms of an invoice: PUE with the payment's form where one payment covers the total; else PPD, whose
 * payments are reported later.
 */
function termsOf(total: number, payments: readonly PaidAmount[]): Terms {
  const [only, ...others] = payments
  if (only && others.length === 0 && only.amount >= total && only.form !== '99')
    return { MetodoPago: 'PUE', FormaPago: only.form }
  return { MetodoPago: 'PPD', FormaPago: '99' }
}

/**
 * The invoice of an accepted quote. Each line is the quote's own: the SAT computes its amount from quantity and price
 * and accepts one rounded to centavos, and likewise its IVA, so the sums are the quote's. Null when there is nothing to
 * invoice.
 */
export function incomeOf(
  parties: Parties,
  totals: Totals,
  payments: readonly PaidAmount[],
): IncomeCfdi | null {
  if (totals.total === 0) return null
  // The SAT accepts no line with amount zero.
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

const conceptOf = ({ line, gross, discount, net, iva }: LineTotal): CfdiConcept => ({
  ClaveProdServ: line.satProduct,
  ClaveUnidad: line.satUnit,
  Unidad: withoutBars(line.unit),
  Cantidad: quantityOf(line.quantity),
  Descripcion: withoutBars(line.description),
  ValorUnitario: unitPriceOf(line.unitPrice),
  Importe: plainAmount(gross),
  ...(discount > 0 && { Descuento: plainAmount(discount) }),
  // A fully discounted line belongs to a taxed activity but causes no tax: the SAT refuses a base of zero.
  ...(net > 0 ? { ObjetoImp: '02', Traslados: [transferred(net, iva, line.iva)] } : { ObjetoImp: '04' }),
})

/** A payment covered by a complement: centavos, and when it was received. */
type ToldPayment = { amount: number; form: PaymentForm; paidAt: Date }

/**
 * The invoice paid in parts: its total, the parts that earlier complements reported, and the number of the next part.
 */
type PaidInvoice = { uuid: string; whole: Share; before: readonly Share[]; installment: number }

/**
 * The complement of one payment: the amount owed, the part paid and the remainder, with their taxes. An excess over the
 * amount owed is no payment of this invoice; null when nothing was owed.
 */
export function complementOf(parties: Parties, invoice: PaidInvoice, told: ToldPayment): PaymentCfdi | null {
  const before = together(invoice.before)
  const owed = shareTotal(invoice.whole) - shareTotal(before)
  const amount = Math.min(told.amount, owed)
  if (amount <= 0 || told.form === '99') return null
  const share = nextShare(invoice.whole, before, amount)
  const taxes = taxesOf(share)
  return {
    TipoDeComprobante: 'P',
    ...partiesOf(parties, 'CP01'),
    Moneda: 'XXX',
    SubTotal: '0',
    Total: '0',
    Conceptos: [paymentConcept],
    Pagos: {
      Version: '2.0',
      Totales: { ...totalsOf(share), MontoTotalPagos: plainAmount(amount) },
      Pago: [
        {
          FechaPago: mexicoTime(told.paidAt),
          FormaDePagoP: told.form,
          MonedaP: 'MXN',
          TipoCambioP: '1',
          Monto: plainAmount(amount),
          DoctoRelacionado: [
            {
              IdDocumento: invoice.uuid,
              MonedaDR: 'MXN',
              EquivalenciaDR: '1',
              NumParcialidad: String(invoice.installment),
              ImpSaldoAnt: plainAmount(owed),
              ImpPagado: plainAmount(amount),
              ImpSaldoInsoluto: plainAmount(owed - amount),
              ObjetoImpDR: '02',
              ImpuestosDR: { TrasladosDR: taxes.map(ofDocument) },
            },
          ],
          ImpuestosP: { TrasladosP: taxes.map(ofPayment) },
        },
      ],
    },
  }
}

/** The payment of an earlier complement; null for any other request. */
export function shareToldBy(request: Cfdi): Share | null {
  if (request.TipoDeComprobante !== 'P') return null
  const { Totales } = request.Pagos
  return {
    base16: read(Totales.TotalTrasladosBaseIVA16),
    iva16: read(Totales.TotalTrasladosImpuestoIVA16),
    base0: read(Totales.TotalTrasladosBaseIVA0),
  }
}

const paymentConcept = {
  ClaveProdServ: billingProduct,
  ClaveUnidad: activityUnit,
  Cantidad: '1',
  Descripcion: 'Pago',
  ValorUnitario: '0',
  Importe: '0',
  ObjetoImp: '01',
} as const

const read = (pesos: string | undefined) => (pesos && centavosIn(pesos)) || 0

type Tax = { base: number; iva: number; percent: 0 | 16 }
const taxesOf = ({ base16, iva16, base0 }: Share): Tax[] => [
  ...(base16 > 0 ? [{ base: base16, iva: iva16, percent: 16 as const }] : []),
  ...(base0 > 0 ? [{ base: base0, iva: 0, percent: 0 as const }] : []),
]
const totalsOf = ({ base16, iva16, base0 }: Share) => ({
  ...(base16 > 0 && {
    TotalTrasladosBaseIVA16: plainAmount(base16),
    TotalTrasladosImpuestoIVA16: plainAmount(iva16),
  }),
  ...(base0 > 0 && {
    TotalTrasladosBaseIVA0: plainAmount(base0),
    TotalTrasladosImpuestoIVA0: plainAmount(0),
  }),
})
const ofDocument = ({ base, iva, percent }: Tax) => ({
  BaseDR: plainAmount(base),
  ...({ ImpuestoDR: '002', TipoFactorDR: 'Tasa' } as const),
  TasaOCuotaDR: rateOf(percent) as '0.160000' | '0.000000',
  ImporteDR: plainAmount(iva),
})
const ofPayment = ({ base, iva, percent }: Tax) => ({
  BaseP: plainAmount(base),
  ...({ ImpuestoP: '002', TipoFactorP: 'Tasa' } as const),
  TasaOCuotaP: rateOf(percent) as '0.160000' | '0.000000',
  ImporteP: plainAmount(iva),
})

/** "2026-11-24T16:30:00", local time in Mexico City. */
const mexicoTime = (at: Date) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })

/** The invoice of a refund: its total, and what earlier credit notes credited of it. */
type CreditedInvoice = { uuid: string; whole: Share; before: readonly Share[] }

/** The refunded amount in centavos; `about` is the description of the line. */
type GivenBack = { amount: number; form: PaymentForm; relation: Relation; about: string }

/** The credit note of a refund, never more than the rest of the invoice; null when nothing is left of it. */
export function creditNoteOf(
  parties: Parties,
  { uuid, whole, before }: CreditedInvoice,
  { amount, form, relation, about }: GivenBack,
): CreditNoteCfdi | null {
  const credited = together(before)
  const most = Math.min(amount, shareTotal(whole) - shareTotal(credited))
  if (most <= 0 || form === '99') return null
  const share = nextShare(whole, credited, most)
  return {
    TipoDeComprobante: 'E',
    ...partiesOf(parties, creditUse(parties)),
    Moneda: 'MXN',
    SubTotal: plainAmount(share.base16 + share.base0),
    Total: plainAmount(shareTotal(share)),
    Conceptos: conceptsOf(share, withoutBars(about)),
    Impuestos: {
      TotalImpuestosTrasladados: plainAmount(share.iva16),
      Traslados: transferredOf(share),
    },
    MetodoPago: 'PUE',
    FormaPago: form,
    CfdiRelacionados: [{ TipoRelacion: relation, UUID: [uuid] }],
  }
}

/** The amount credited by an earlier credit note; null for any other request. */
export function shareCreditedBy(request: Cfdi): Share | null {
  return request.TipoDeComprobante === 'E' ? shareOfTransfers(request.Impuestos.Traslados) : null
}

/** The sums of a request's lines, by rate. */
export const shareOfTransfers = (
  transfers: readonly { TasaOCuota: string; Base: string; Importe: string }[],
) =>
  together(
    transfers.map(({ TasaOCuota, Base, Importe }) =>
      TasaOCuota === '0.160000'
        ? { base16: centavosIn(Base) ?? 0, iva16: centavosIn(Importe) ?? 0, base0: 0 }
        : { base16: 0, iva16: 0, base0: centavosIn(Base) ?? 0 },
    ),
  )

/** "Devoluciones, descuentos o bonificaciones", where the receiver's régimen allows it. */
const creditUse = ({ receiver: { rfc, regime } }: Parties) =>
  cfdiUseFits('G02', regime, kindOfRfc(rfc)) ? 'G02' : 'S01'

const conceptsOf = ({ base16, iva16, base0 }: Share, about: string): CfdiConcept[] => [
  ...(base16 > 0 ? [creditNoteConcept(about, base16, iva16, 16)] : []),
  ...(base0 > 0 ? [creditNoteConcept(about, base0, 0, 0)] : []),
]
const creditNoteConcept = (about: string, base: number, iva: number, percent: 0 | 16): CfdiConcept => ({
  ClaveProdServ: billingProduct,
  ClaveUnidad: activityUnit,
  Cantidad: '1',
  Descripcion: about,
  ValorUnitario: `${plainAmount(base)}00`,
  Importe: plainAmount(base),
  ObjetoImp: '02',
  Traslados: [transferred(base, iva, percent)],
})

/** Issuer and recipient of an invoice, as the SAT knows them. */
export type Issuer = { rfc: string; name: string; regime: Regime; postalCode: string }
export type Receiver = {
  rfc: string
  legalName: string
  postalCode: string
  regime: Regime
  cfdiUse: CfdiUse
}
export type Parties = { issuer: Issuer; receiver: Receiver }

/** The parties of an earlier request, for the requests that follow from it. */
export const partiesIn = ({ Emisor, LugarExpedicion, Receptor }: Cfdi): Parties => ({
  issuer: {
    rfc: Emisor.Rfc,
    name: Emisor.Nombre,
    regime: Emisor.RegimenFiscal,
    postalCode: LugarExpedicion,
  },
  receiver: {
    rfc: Receptor.Rfc,
    legalName: Receptor.Nombre,
    postalCode: Receptor.DomicilioFiscalReceptor,
    regime: Receptor.RegimenFiscalReceptor,
    cfdiUse: Receptor.UsoCFDI,
  },
})

/** The part of every request with issuer, recipient and place of issue. */
const partiesOf = <Use extends CfdiUse>({ issuer, receiver }: Parties, use: Use) => ({
  Version: '4.0' as const,
  Exportacion: '01' as const,
  LugarExpedicion: issuer.postalCode,
  Emisor: { Rfc: issuer.rfc, Nombre: withoutBars(issuer.name), RegimenFiscal: issuer.regime },
  Receptor: {
    Rfc: receiver.rfc,
    Nombre: withoutBars(receiver.legalName),
    // For generic RFCs the SAT requires the issuer's own postal code.
    DomicilioFiscalReceptor: isGeneric(receiver.rfc) ? issuer.postalCode : receiver.postalCode,
    RegimenFiscalReceptor: receiver.regime,
    UsoCFDI: use,
  },
})

/** The SAT uses | as a separator and refuses it in any text. */
const withoutBars = (text: string) => text.replaceAll('|', '/')

/** IVA of a base, both in centavos, for a line or for the whole invoice. */
const transferred = (base: number, iva: number, percent: 0 | 16) => ({
  Base: plainAmount(base),
  Impuesto: ivaKey as '002',
  TipoFactor: 'Tasa' as const,
  TasaOCuota: rateOf(percent) as '0.160000' | '0.000000',
  Importe: plainAmount(iva),
})

/** The same by rate; a rate without an amount is left out. */
const transferredOf = ({ base16, iva16, base0 }: Share) => [
  ...(base16 > 0 ? [transferred(base16, iva16, 16)] : []),
  ...(base0 > 0 ? [transferred(base0, 0, 0)] : []),
]

/** The amount of a request, in pesos with two decimals: its total, or the amount paid. */
export const amountIn = (request: Cfdi): string =>
  request.TipoDeComprobante === 'P' ? request.Pagos.Totales.MontoTotalPagos : request.Total

/** The composition of an amount, in centavos: the base at 16 % and its IVA, and the base at 0 %. */
export type Share = { base16: number; iva16: number; base0: number }

export const shareTotal = ({ base16, iva16, base0 }: Share) => base16 + iva16 + base0
const noShare: Share = { base16: 0, iva16: 0, base0: 0 }
const together = (shares: readonly Share[]): Share =>
  shares.reduce(
    (sum, one) => ({
      base16: sum.base16 + one.base16,
      iva16: sum.iva16 + one.iva16,
      base0: sum.base0 + one.base0,
    }),
    noShare,
  )

/** The sums of a quote's lines, by rate. */
export const shareOfLines = ({ lines }: Pick<Totals, 'lines'>): Share =>
  together(
    lines.map(({ line, net, iva }) =>
      line.iva === 16 ? { base16: net, iva16: iva, base0: 0 } : { base16: 0, iva16: 0, base0: net },
    ),
  )

/**
 * The next part of a whole, after the earlier parts: its components add up to the amount exactly, those of all parts to
 * the whole. Its IVA follows the whole's as closely as the SAT allows: it requires the IVA of each part to be 16 % of
 * its base except for the rounding of one figure, and the whole's IVA was rounded line by line.
 */
function nextShare(whole: Share, before: Share, amount: number): Share {
  const reached = shareTotal(before) + amount
  const base0 = Math.min(amount, Math.max(0, portion(whole.base0, reached, shareTotal(whole)) - before.base0))
  const gross = amount - base0
  const gross16 = whole.base16 + whole.iva16
  const wished = portion(whole.iva16, gross + before.base16 + before.iva16, gross16) - before.iva16
  const iva16 = allowedNear(wished, gross)
  return { base16: gross - iva16, iva16, base0 }
}

/** part · of / whole, half-up. */
const portion = (part: number, of: number, whole: number) =>
  whole === 0 ? 0 : Number((2n * BigInt(part) * BigInt(of) + BigInt(whole)) / (2n * BigInt(whole)))

/** The IVA nearest to the wished one that the SAT accepts for a part including IVA, in centavos. */
function allowedNear(wished: number, gross: number): number {
  const middle = portion(16, gross, 116)
  const allowed = [middle, middle - 1, middle + 1, middle - 2, middle + 2].filter(
    (iva) => iva >= 0 && iva < Math.max(gross, 1) && isIvaOf(gross - iva, iva),
  )
  return allowed.sort((a, b) => Math.abs(a - wished) - Math.abs(b - wished))[0] ?? middle
}

/**
 * Whether the SAT accepts an IVA as 16 % of a base, both with two decimals: within half a centavo of the base, rounded
 * outwards.
 */
const isIvaOf = (base: number, iva: number) =>
  iva >= Math.floor((base * 16 - 8) / 100) && iva <= Math.ceil((base * 16 + 8) / 100)
