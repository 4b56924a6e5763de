import { timeZone } from '../shared/calendar.ts'
import { centavosIn, rateOf } from '../shared/cfdi-decimals.ts'
import { plainAmount } from '../shared/format.ts'
import { type Parties, partiesOf } from './cfdi-parts.ts'
import type { Cfdi, PaymentCfdi } from './cfdi-schema.ts'
import { nextShare, type Share, together, totalOf } from './cfdi-shares.ts'
import { activityUnit, billingProduct, type PaymentForm } from './sat-catalogues.ts'

/** A payment covered by a complement: centavos, and when it was received. */
export type ToldPayment = { amount: number; form: PaymentForm; paidAt: Date }
/** The invoice that is paid in parts, what it comes to, the parts that complements told of before, and which one comes next. */
export type PaidInvoice = { uuid: string; whole: Share; before: readonly Share[]; installment: number }

/**
 * The complement of one payment: what was owed, what of it is paid and what remains, with its taxes. More than was owed is
 * no payment of this invoice; null when nothing was.
 */
export function complementOf(parties: Parties, invoice: PaidInvoice, told: ToldPayment): PaymentCfdi | null {
  const before = together(invoice.before)
  const owed = totalOf(invoice.whole) - totalOf(before)
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

/** "2026-11-24T16:30:00", as the clock in Mexico City shows it. */
const mexicoTime = (at: Date) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
