import { money } from '../../shared/format.ts'
import { centavosIn } from '../../shared/money.ts'
import { withoutAccents } from '../../shared/text.ts'
import type { Cfdi } from './cfdi-schema.ts'

/** An element of a CFDI, named with the prefix that its namespace usually has: `cfdi:Receptor`, `pago20:Pago`. */
export type CfdiElement = {
  name: string
  attributes: Readonly<Record<string, string>>
  children: readonly CfdiElement[]
}

/** A stamped CFDI: its folio fiscal and its root. */
export type Stamped = { uuid: string; root: CfdiElement }

/** What was asked for in one field, and what the XML says there; blank where it is absent. */
export type ComparedField = { label: string; asked: string; stamped: string; differs: boolean }

type Field = {
  label: string
  asked: (request: Cfdi) => string | undefined
  stamped: (root: CfdiElement) => string
  /** By default the same text. */
  equal?: (asked: string, stamped: string, request: Cfdi) => boolean
  /** By default as it is written. */
  shown?: (value: string) => string
}

const typeNames: Record<string, string> = { I: 'ingreso', E: 'egreso', P: 'pago', T: 'traslado', N: 'nómina' }
const named = (type: string) => (Object.hasOwn(typeNames, type) ? `${type} (${typeNames[type]})` : type)

/** "$29,000.88" of the decimals that a CFDI writes; other text stays as it was written. */
function inPesos(amount: string): string {
  const centavos = centavosIn(amount)
  return centavos === null ? amount : money(centavos)
}

/** Amounts that differ by at most so many centavos; an absent one is zero. */
const pesosWithin = (most: (request: Cfdi) => number): Pick<Field, 'equal' | 'shown'> => ({
  shown: inPesos,
  equal: (asked, stamped, request) => {
    const wanted = centavosIn(asked || '0')
    const found = centavosIn(stamped || '0')
    return wanted !== null && found !== null && Math.abs(wanted - found) <= most(request)
  },
})
const pesos = pesosWithin(() => 0)
/** The SAT accepts the tax of a line within a centavo: for it to be ours, its base is stamped with up to seven more or less. */
const base = pesosWithin(({ Conceptos }) => 7 * Conceptos.length)
/** The SAT accepts the tax of a part within a centavo. */
const taxOfPart = pesosWithin(() => 1)

const folded = (name: string) => withoutAccents(name).replace(/\s+/g, ' ')
const name = { equal: (asked: string, stamped: string) => folded(asked) === folded(stamped) }
const folio = {
  shown: (uuid: string) => uuid.toUpperCase(),
  equal: (a: string, b: string) => a.toUpperCase() === b.toUpperCase(),
}

/** The elements on a path from the root. */
export const elementsAt = (root: CfdiElement, ...path: readonly string[]) =>
  path.reduce<readonly CfdiElement[]>(
    (found, step) => found.flatMap(({ children }) => children.filter((child) => child.name === step)),
    [root],
  )
const at =
  (attribute: string, ...path: readonly string[]): Field['stamped'] =>
  (root) =>
    elementsAt(root, ...path)
      .flatMap(({ attributes }) => attributes[attribute] ?? [])
      .join(', ')

const transferOf = (rate: string, part: 'Base' | 'Importe'): Pick<Field, 'asked' | 'stamped'> => ({
  asked: (request) =>
    charged(request)?.Impuestos.Traslados.find(({ TasaOCuota }) => TasaOCuota === rate)?.[part],
  stamped: (root) =>
    transfersIn(root)
      .filter(({ attributes }) => kindOfTransfer(attributes) === `002 ${rate}`)
      .flatMap(({ attributes }) => attributes[part] ?? [])
      .join(', '),
})
const transfersIn = (root: CfdiElement) =>
  elementsAt(root, 'cfdi:Impuestos', 'cfdi:Traslados', 'cfdi:Traslado')
/** "002 0.160000", however many decimals its rate was written with. */
const kindOfTransfer = ({ Impuesto = '', TasaOCuota, TipoFactor = '' }: CfdiElement['attributes']) =>
  `${Impuesto} ${TasaOCuota ? Number(TasaOCuota).toFixed(6) : TipoFactor}`
const ivaKinds = new Set(['002 0.160000', '002 0.000000'])

const charged = (request: Cfdi) => (request.TipoDeComprobante === 'P' ? null : request)
const paid = (request: Cfdi) => (request.TipoDeComprobante === 'P' ? request.Pagos : null)
const payments = ['cfdi:Complemento', 'pago20:Pagos', 'pago20:Pago'] as const
const paidTotal = (
  key: 'TotalTrasladosBaseIVA16' | 'TotalTrasladosImpuestoIVA16' | 'TotalTrasladosBaseIVA0',
) => ({
  asked: (request: Cfdi) => paid(request)?.Totales[key],
  stamped: at(key, 'cfdi:Complemento', 'pago20:Pagos', 'pago20:Totales'),
})
const installment = (
  key: 'IdDocumento' | 'ImpSaldoAnt' | 'ImpPagado' | 'ImpSaldoInsoluto' | 'NumParcialidad',
) => ({
  asked: (request: Cfdi) => paid(request)?.Pago[0]?.DoctoRelacionado[0]?.[key],
  stamped: at(key, ...payments, 'pago20:DoctoRelacionado'),
})
const receiver = (key: keyof Cfdi['Receptor']) => ({
  asked: ({ Receptor }: Cfdi) => Receptor[key],
  stamped: at(key, 'cfdi:Receptor'),
})
/** The invoices that an income replaces are a matter between its issuer and the SAT. */
const ofCreditNote =
  (read: Field['stamped']): Field['stamped'] =>
  (root) =>
    root.attributes.TipoDeComprobante === 'E' ? read(root) : ''
const ofCredit = (request: Cfdi) =>
  request.TipoDeComprobante === 'E' ? request.CfdiRelacionados[0] : undefined

/** Every field that is compared. One that neither was asked for nor is in the XML is not shown. */
const fields: readonly Field[] = [
  { label: 'Tipo', asked: (of) => of.TipoDeComprobante, stamped: at('TipoDeComprobante'), shown: named },
  { label: 'RFC de quien emite', asked: ({ Emisor }) => Emisor.Rfc, stamped: at('Rfc', 'cfdi:Emisor') },
  { label: 'RFC de quien recibe', ...receiver('Rfc') },
  { label: 'Nombre de quien recibe', ...receiver('Nombre'), ...name },
  { label: 'Código postal de quien recibe', ...receiver('DomicilioFiscalReceptor') },
  { label: 'Régimen de quien recibe', ...receiver('RegimenFiscalReceptor') },
  { label: 'Uso', ...receiver('UsoCFDI') },
  { label: 'Método de pago', asked: (of) => charged(of)?.MetodoPago, stamped: at('MetodoPago') },
  { label: 'Forma de pago', asked: (of) => charged(of)?.FormaPago, stamped: at('FormaPago') },
  { label: 'Moneda', asked: ({ Moneda }) => Moneda, stamped: at('Moneda') },
  { label: 'Subtotal', asked: ({ SubTotal }) => SubTotal, stamped: at('SubTotal'), ...pesos },
  { label: 'Descuento', asked: (of) => charged(of)?.Descuento, stamped: at('Descuento'), ...pesos },
  { label: 'Base del IVA al 16\u00a0%', ...transferOf('0.160000', 'Base'), ...base },
  { label: 'IVA al 16\u00a0%', ...transferOf('0.160000', 'Importe'), ...pesos },
  { label: 'Base del IVA al 0\u00a0%', ...transferOf('0.000000', 'Base'), ...base },
  {
    label: 'Otros impuestos trasladados',
    asked: () => '',
    stamped: (root) =>
      transfersIn(root)
        .map(({ attributes }) => kindOfTransfer(attributes))
        .filter((kind) => !ivaKinds.has(kind))
        .join(', '),
  },
  {
    label: 'Impuestos trasladados',
    asked: (of) => charged(of)?.Impuestos.TotalImpuestosTrasladados,
    stamped: at('TotalImpuestosTrasladados', 'cfdi:Impuestos'),
    ...pesos,
  },
  {
    label: 'Impuestos retenidos',
    asked: () => '',
    stamped: at('TotalImpuestosRetenidos', 'cfdi:Impuestos'),
    ...pesos,
  },
  { label: 'Total', asked: ({ Total }) => Total, stamped: at('Total'), ...pesos },
  {
    label: 'Monto pagado',
    asked: (of) => paid(of)?.Totales.MontoTotalPagos,
    stamped: at('MontoTotalPagos', 'cfdi:Complemento', 'pago20:Pagos', 'pago20:Totales'),
    ...pesos,
  },
  {
    label: 'Forma del pago',
    asked: (of) => paid(of)?.Pago[0]?.FormaDePagoP,
    stamped: at('FormaDePagoP', ...payments),
  },
  { label: 'Base pagada al 16\u00a0%', ...paidTotal('TotalTrasladosBaseIVA16'), ...taxOfPart },
  { label: 'IVA pagado al 16\u00a0%', ...paidTotal('TotalTrasladosImpuestoIVA16'), ...taxOfPart },
  { label: 'Base pagada al 0\u00a0%', ...paidTotal('TotalTrasladosBaseIVA0'), ...taxOfPart },
  { label: 'Parcialidad', ...installment('NumParcialidad') },
  { label: 'Saldo anterior', ...installment('ImpSaldoAnt'), ...pesos },
  { label: 'Pagado de la factura', ...installment('ImpPagado'), ...pesos },
  { label: 'Saldo que queda', ...installment('ImpSaldoInsoluto'), ...pesos },
  { label: 'Factura relacionada', ...installment('IdDocumento'), ...folio },
  {
    label: 'Tipo de relación',
    asked: (of) => ofCredit(of)?.TipoRelacion,
    stamped: ofCreditNote(at('TipoRelacion', 'cfdi:CfdiRelacionados')),
  },
  {
    label: 'Factura relacionada',
    asked: (of) => ofCredit(of)?.UUID.join(', '),
    stamped: ofCreditNote(at('UUID', 'cfdi:CfdiRelacionados', 'cfdi:CfdiRelacionado')),
    ...folio,
  },
]

/** A request and its stamped CFDI side by side, field by field. */
export const comparedFields = (request: Cfdi, { root }: Stamped): ComparedField[] =>
  fields.flatMap(
    ({ asked: askedIn, equal = Object.is, label, shown = (value) => value, stamped: stampedIn }) => {
      const asked = askedIn(request) ?? ''
      const stamped = stampedIn(root)
      if (asked === '' && stamped === '') return []
      return [
        { label, asked: shown(asked), stamped: shown(stamped), differs: !equal(asked, stamped, request) },
      ]
    },
  )

/** The fields that differ, in words: "Método de pago: pedimos PPD y el XML dice PUE." */
export const differencesOf = (compared: readonly ComparedField[]): string[] =>
  compared
    .filter(({ differs }) => differs)
    .map(
      ({ asked, label, stamped }) =>
        `${label}: pedimos ${asked || 'nada'} y el XML dice ${stamped || 'nada'}.`,
    )
