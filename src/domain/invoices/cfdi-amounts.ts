import { money } from '../shared/format.ts'
import { centavosIn } from '../shared/money.ts'
import { amountIn } from './cfdi.ts'
import type { Cfdi } from './cfdi-schema.ts'

/** The data of a stamped CFDI. */
export type Stamped = {
  type: string
  currency: string
  issuer: string
  receiver: string
  /** Its total, as written; for a payment complement, the amount paid. */
  amount: string
  /** The folios fiscales it relates to: the invoice of a credit note or of a complement. */
  relatesTo: readonly string[]
  uuid: string
}

const typeNames: Record<string, string> = { I: 'ingreso', E: 'egreso', P: 'pago', T: 'traslado', N: 'nómina' }
const named = (type: string) => (Object.hasOwn(typeNames, type) ? `${type} (${typeNames[type]})` : type)

/** The differences between a stamped CFDI and the requested one, in words; empty when there are none. */
export function differencesOf(request: Cfdi, stamped: Stamped): string[] {
  const related = relatedIn(request)
  const differs = (what: string, asked: string, found: string) =>
    asked === found ? [] : [`${what}: pedimos ${asked} y el XML dice ${found || 'nada'}.`]
  return [
    ...differs('Tipo', named(request.TipoDeComprobante), named(stamped.type)),
    ...differs('RFC de quien emite', request.Emisor.Rfc, stamped.issuer),
    ...differs('RFC de quien recibe', request.Receptor.Rfc, stamped.receiver),
    ...differs('Moneda', request.Moneda, stamped.currency),
    ...(centavosIn(stamped.amount) === centavosIn(amountIn(request))
      ? []
      : differs(
          request.TipoDeComprobante === 'P' ? 'Monto pagado' : 'Total',
          inPesos(amountIn(request)),
          inPesos(stamped.amount),
        )),
    // Other replaced invoices are a matter between the issuer and the SAT.
    ...(related ? differs('Factura relacionada', related, stamped.relatesTo.join(', ').toUpperCase()) : []),
  ]
}

/** "$29,000.88" of the decimals that a CFDI writes; what is none stays as it was written. */
function inPesos(amount: string): string {
  const centavos = centavosIn(amount)
  return centavos === null ? amount : money(centavos)
}

/** The folio fiscal that a request relates to; blank when there is none. */
function relatedIn(request: Cfdi): string {
  const related =
    request.TipoDeComprobante === 'P'
      ? request.Pagos.Pago.flatMap(({ DoctoRelacionado }) =>
          DoctoRelacionado.map(({ IdDocumento }) => IdDocumento),
        )
      : request.TipoDeComprobante === 'E'
        ? request.CfdiRelacionados.flatMap(({ UUID }) => UUID)
        : []
  return related.join(', ').toUpperCase()
}
