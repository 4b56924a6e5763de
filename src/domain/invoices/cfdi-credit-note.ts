import { centavosIn } from '../shared/cfdi-decimals.ts'
import { plainAmount } from '../shared/format.ts'
import { type Parties, partiesOf, transferred, transferredOf, withoutBars } from './cfdi-parts.ts'
import type { Cfdi, Concept, CreditNoteCfdi } from './cfdi-schema.ts'
import { nextShare, type Share, together, totalOf } from './cfdi-shares.ts'
import { cfdiUseFits } from './fiscal.ts'
import { kindOfRfc } from './rfc.ts'
import { activityUnit, billingProduct, type PaymentForm, type Relation } from './sat-catalogues.ts'

/** The invoice of which something is given back, what it comes to, and what earlier credit notes gave back of it. */
export type CreditedInvoice = { uuid: string; whole: Share; before: readonly Share[] }
/** The refunded amount in centavos; `about` is the description of the line. */
export type GivenBack = { amount: number; form: PaymentForm; relation: Relation; about: string }

/** The credit note of what was given back, never more than the invoice; null when there is nothing of it. */
export function creditNoteOf(
  parties: Parties,
  { uuid, whole, before }: CreditedInvoice,
  { amount, form, relation, about }: GivenBack,
): CreditNoteCfdi | null {
  const credited = together(before)
  const most = Math.min(amount, totalOf(whole) - totalOf(credited))
  if (most <= 0 || form === '99') return null
  const share = nextShare(whole, credited, most)
  return {
    TipoDeComprobante: 'E',
    ...partiesOf(parties, creditUse(parties)),
    Moneda: 'MXN',
    SubTotal: plainAmount(share.base16 + share.base0),
    Total: plainAmount(totalOf(share)),
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

/** What an earlier credit note gave back, or nothing of any other request. */
export function shareCreditedBy(request: Cfdi): Share | null {
  return request.TipoDeComprobante === 'E' ? shareOfTransfers(request.Impuestos.Traslados) : null
}

/** What a request with lines comes to, by its rates. */
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

/** "Devoluciones, descuentos o bonificaciones", where the receiver's régimen has it. */
const creditUse = ({ receiver: { rfc, regime } }: Parties) =>
  cfdiUseFits('G02', regime, kindOfRfc(rfc)) ? 'G02' : 'S01'

const conceptsOf = ({ base16, iva16, base0 }: Share, about: string): Concept[] => [
  ...(base16 > 0 ? [conceptOf(about, base16, iva16, 16)] : []),
  ...(base0 > 0 ? [conceptOf(about, base0, 0, 0)] : []),
]
const conceptOf = (about: string, base: number, iva: number, percent: 0 | 16): Concept => ({
  ClaveProdServ: billingProduct,
  ClaveUnidad: activityUnit,
  Cantidad: '1',
  Descripcion: about,
  ValorUnitario: `${plainAmount(base)}00`,
  Importe: plainAmount(base),
  ObjetoImp: '02',
  Traslados: [transferred(base, iva, percent)],
})
