import { rateOf } from '../shared/cfdi-decimals.ts'
import { plainAmount } from '../shared/format.ts'
import type { Cfdi } from './cfdi-schema.ts'
import type { Share } from './cfdi-shares.ts'
import type { CfdiUse, Regime } from './fiscal.ts'
import { isGeneric } from './rfc.ts'
import { ivaKey } from './sat-catalogues.ts'

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

/** The parties of an earlier request, for what follows from it. */
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
export const partiesOf = <Use extends CfdiUse>({ issuer, receiver }: Parties, use: Use) => ({
  Version: '4.0' as const,
  Exportacion: '01' as const,
  LugarExpedicion: issuer.postalCode,
  Emisor: { Rfc: issuer.rfc, Nombre: withoutBars(issuer.name), RegimenFiscal: issuer.regime },
  Receptor: {
    Rfc: receiver.rfc,
    Nombre: withoutBars(receiver.legalName),
    // Of the generic ones the SAT wants the issuer's own.
    DomicilioFiscalReceptor: isGeneric(receiver.rfc) ? issuer.postalCode : receiver.postalCode,
    RegimenFiscalReceptor: receiver.regime,
    UsoCFDI: use,
  },
})

/** The SAT takes | for a separator and refuses it in any text. */
export const withoutBars = (text: string) => text.replaceAll('|', '/')

/** IVA of a base, both in centavos, for a line or for the whole invoice. */
export const transferred = (base: number, iva: number, percent: 0 | 16) => ({
  Base: plainAmount(base),
  Impuesto: ivaKey as '002',
  TipoFactor: 'Tasa' as const,
  TasaOCuota: rateOf(percent) as '0.160000' | '0.000000',
  Importe: plainAmount(iva),
})

/** The same by rates; a rate of which there is nothing is left out. */
export const transferredOf = ({ base16, iva16, base0 }: Share) => [
  ...(base16 > 0 ? [transferred(base16, iva16, 16)] : []),
  ...(base0 > 0 ? [transferred(base0, 0, 0)] : []),
]

/** What a request is about, in centavos: its total, or what was paid. */
export const amountIn = (request: Cfdi): string =>
  request.TipoDeComprobante === 'P' ? request.Pagos.Totales.MontoTotalPagos : request.Total
