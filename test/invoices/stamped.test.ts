import { readStamped } from '../../src/invoices/issue.ts'
import { comparedFields, differencesOf } from '../../src/invoices/rules/cfdi-amounts.ts'
import type { Cfdi } from '../../src/invoices/rules/cfdi-schema.ts'
import { cfdi, stampedXml, tfd } from './stamped-xml.ts'

const uuid = '5F2C1D0A-8A0B-4C9E-9B0F-0A1B2C3D4E5F'
const read = (text: string | Uint8Array) =>
  readStamped(typeof text === 'string' ? new TextEncoder().encode(text) : text)
const why = (text: string | Uint8Array) => {
  const stamped = read(text)
  return 'wrong' in stamped ? stamped.wrong : 'read'
}
const tax = { Impuesto: '002', TipoFactor: 'Tasa' }
const taxed = { ...tax, Base: '25000.76', TasaOCuota: '0.160000', Importe: '4000.12' }
const asked = {
  Version: '4.0',
  TipoDeComprobante: 'I',
  MetodoPago: 'PPD',
  FormaPago: '99',
  Moneda: 'MXN',
  SubTotal: '27000.76',
  Descuento: '2000.00',
  Total: '29000.88',
  Emisor: { Rfc: 'EKU9003173C9' },
  Receptor: {
    Rfc: 'A&Ñ7605101P8',
    Nombre: 'MARÍA ÑÚÑEZ & HIJOS',
    DomicilioFiscalReceptor: '04000',
    RegimenFiscalReceptor: '601',
    UsoCFDI: 'G03',
  },
  Conceptos: [{}],
  Impuestos: { TotalImpuestosTrasladados: '4000.12', Traslados: [taxed] },
}
const good = stampedXml(asked, uuid)

/** How a file differs from what was asked for, in words; or why it is not read. */
function differences(text: string, of: object = asked) {
  const stamped = read(text)
  return 'wrong' in stamped ? [stamped.wrong] : differencesOf(comparedFields(of as Cfdi, stamped))
}

test.each([
  ['a byte order mark', `\uFEFF${good}`],
  ['other prefixes', good.replaceAll('cfdi:', 'x:').replace('xmlns:cfdi', 'xmlns:x')],
  ['no prefix', good.replaceAll('cfdi:', '').replace('xmlns:cfdi', 'xmlns')],
  ['neither declaration nor prefix', good.replaceAll(/^<\?.*|cfdi:/gm, '').replace('xmlns:cfdi', 'xmlns')],
  ['blanks before its declaration', `\r\n \t${good}`],
  ['garbage before its declaration', `\u0001ï»¿xml ${good}`],
  ['NULs at its end', `${good}\0\0\0`],
  [
    'a document type in a text of its addenda',
    good.replace('<cfdi:Compl', '<x><![CDATA[<!DOCTYPE html>]]></x><cfdi:Compl'),
  ],
  ['numeric references', good.replaceAll('Ñ', '&#209;').replaceAll('Ú', '&#xDA;')],
  ['six decimals', good.replace('29000.88', '29000.880000').replace('0.160000', '0.16')],
  ['a name without accents', good.replace('MARÍA ÑÚÑEZ', 'Maria  Ñuñez')],
  [
    'what it replaces',
    good.replace('<cfdi:Emisor', '<cfdi:CfdiRelacionados TipoRelacion="04"/><cfdi:Emisor'),
  ],
  ['a base that was stamped for its tax', good.replace('"25000.76"', '"25000.70"')],
])('reads a stamped CFDI with %s as what was asked for', (_, text) => expect(differences(text)).toEqual([]))

test('reads a reference that was written as text as text', () => {
  const [said] = differences(good.replace('MARÍA', 'MAR&amp;#205;A'))
  expect(said).toBe(
    'Nombre de quien recibe: pedimos MARÍA ÑÚÑEZ & HIJOS y el XML dice MAR&#205;A ÑÚÑEZ & HIJOS.',
  )
})

test.each([
  ['MetodoPago="PPD"', 'MetodoPago="PUE"', 'Método de pago: pedimos PPD y el XML dice PUE.'],
  ['FormaPago="99"', 'FormaPago="03"', 'Forma de pago: pedimos 99 y el XML dice 03.'],
  ['"G03"', '"S01"', 'Uso: pedimos G03 y el XML dice S01.'],
  ['27000.76', '25000.76', 'Subtotal: pedimos $27,000.76 y el XML dice $25,000.76.'],
  [' Descuento="2000.00"', '', 'Descuento: pedimos $2,000.00 y el XML dice nada.'],
  [
    'Trasladados="4000.12"',
    'Trasladados="0"',
    'Impuestos trasladados: pedimos $4,000.12 y el XML dice $0.00.',
  ],
  ['Importe="4000.12"', 'Importe="4000.13"', 'IVA al 16\u00a0%: pedimos $4,000.12 y el XML dice $4,000.13.'],
  ['"25000.76"', '"25000.68"', 'Base del IVA al 16\u00a0%: pedimos $25,000.76 y el XML dice $25,000.68.'],
  [
    '</cfdi:Traslados>',
    '<cfdi:Traslado Impuesto="003" TasaOCuota="0.08"/></cfdi:Traslados>',
    'Otros impuestos trasladados: pedimos nada y el XML dice 003 0.080000.',
  ],
  [
    'Trasladados=',
    'Retenidos="9.00" TotalImpuestosTrasladados=',
    'Impuestos retenidos: pedimos nada y el XML dice $9.00.',
  ],
  [
    'ÑÚÑEZ',
    'PÉREZ',
    'Nombre de quien recibe: pedimos MARÍA ÑÚÑEZ & HIJOS y el XML dice MARÍA PÉREZ & HIJOS.',
  ],
  ['"04000"', '"04001"', 'Código postal de quien recibe: pedimos 04000 y el XML dice 04001.'],
  ['"601"', '"612"', 'Régimen de quien recibe: pedimos 601 y el XML dice 612.'],
])('an income with %s stamped as %s differs, in words', (from, to, words) =>
  expect(differences(good.replace(from, to))).toEqual([words]),
)

test('an income without its IVA differs in each figure that carries it', () => {
  const untaxed = { ...asked, SubTotal: '29000.88', Descuento: '0.00', Impuestos: {} }
  expect(differences(stampedXml(untaxed, uuid)).map((words) => words.split(':')[0])).toEqual([
    'Subtotal',
    'Descuento',
    'Base del IVA al 16\u00a0%',
    'IVA al 16\u00a0%',
    'Impuestos trasladados',
  ])
})

test('a credit note has to have its relation, and a complement its payment and invoice', () => {
  const other = uuid.replace('5F', '6F')
  const note = { ...asked, TipoDeComprobante: 'E', CfdiRelacionados: [{ TipoRelacion: '01', UUID: [uuid] }] }
  const ofNote = stampedXml(note, uuid).replace('Relacion="01"', 'Relacion="03"').replace(uuid, other)
  const relation = `Factura relacionada: pedimos ${uuid} y el XML dice ${other}.`
  expect(differences(ofNote, note)).toEqual(['Tipo de relación: pedimos 01 y el XML dice 03.', relation])
  const document = { IdDocumento: uuid, NumParcialidad: '1', ImpPagado: '500.00' }
  const Pagos = {
    Totales: { MontoTotalPagos: '500.00', TotalTrasladosImpuestoIVA16: '68.97' },
    Pago: [{ FormaDePagoP: '03', DoctoRelacionado: [document] }],
  }
  const { Descuento, FormaPago, Impuestos, MetodoPago, ...plain } = asked
  const complement = { ...plain, TipoDeComprobante: 'P', Moneda: 'XXX', SubTotal: '0', Total: '0', Pagos }
  const xml = stampedXml(complement, uuid)
  expect(differences(xml.replace('68.97', '68.96').replace(uuid, uuid.toLowerCase()), complement)).toEqual([])
  const wrong = xml.replace('PagoP="03"', 'PagoP="01"').replace('68.97', '0').replace('idad="1"', 'idad="2"')
  expect(differences(wrong.replace(uuid, other), complement)).toEqual([
    'Forma del pago: pedimos 03 y el XML dice 01.',
    'IVA pagado al 16\u00a0%: pedimos $68.97 y el XML dice $0.00.',
    'Parcialidad: pedimos 1 y el XML dice 2.',
    relation,
  ])
})

describe('refused, in words', () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>`
  const deep = `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`
  const other = `<tfd:TimbreFiscalDigital xmlns:tfd="${tfd}" UUID="${uuid}" SelloCFD="c2VsbG8="/>`
  test.each([
    ['entities of its own', good.replace('?>\n', `?>\n${bomb}\n`), 'no se puede leer'],
    [
      'a file of the server',
      good.replace('?>\n', '?>\n<!DOCTYPE x SYSTEM "file:///etc/passwd">\n'),
      'no se puede leer',
    ],
    [
      'far too large',
      good.replace('</cfdi:Complemento>', `${' '.repeat(600_000)}</cfdi:Complemento>`),
      'pesa demasiado',
    ],
    ['nested without end', good.replace('<cfdi:Emisor', `${deep}<cfdi:Emisor`), 'no se puede leer'],
    ['an attribute twice', good.replace('Total=', 'Total="1.00" Total='), 'no se puede leer'],
    ['two roots', `${good}<x/>`, 'no se puede leer'],
    ['nothing', '', 'no se puede leer'],
    ['not in UTF-8', new Uint8Array([0x3c, 0x61, 0xff, 0x3e]), 'no se puede leer'],
    ['CFDI 3.3', good.replace(cfdi, 'http://www.sat.gob.mx/cfd/3'), 'no es un CFDI 4.0'],
    ['another version', stampedXml({ ...asked, Version: '3.3' }, uuid), 'no es un CFDI 4.0'],
    ['no namespace', good.replace(` xmlns:cfdi="${cfdi}"`, ''), 'no es un CFDI 4.0'],
    ['not stamped', good.replace(/<tfd:[^>]+>/, ''), 'no está timbrado'],
    ['a stamp of another namespace', good.replace(tfd, 'http://otro.example/'), 'no está timbrado'],
    [
      'a stamp elsewhere',
      good.replace(/<tfd:[^>]+>/, '').replace('<cfdi:Emisor', `${other}<cfdi:Emisor`),
      'no está timbrado',
    ],
    ['two stamps', good.replace('</cfdi:Complemento>', `${other}</cfdi:Complemento>`), 'no está timbrado'],
    ['no folio', good.replace(uuid, 'x'), 'no está timbrado'],
    [
      'the stamp of another',
      good.replace('SelloCFD="c2VsbG8="', 'SelloCFD="b3Rybw=="'),
      'es de otro comprobante',
    ],
  ])('%s', (_, text, words) => expect(why(text)).toContain(words))
})
