import { describe, expect, test } from 'vitest'
import { readStamped } from '../../src/server/invoices/issue.ts'
import { cfdi, stampedXml, tfd } from './stamped-xml.ts'

const uuid = '5F2C1D0A-8A0B-4C9E-9B0F-0A1B2C3D4E5F'
const stamp = { type: 'I', total: '20525.28', issuer: 'EKU9003173C9', receiver: 'A&Ñ7605101P8', uuid }
const read = (text: string | Uint8Array) =>
  readStamped(typeof text === 'string' ? new TextEncoder().encode(text) : text)
const why = (text: string | Uint8Array) => {
  const stamped = read(text)
  return 'wrong' in stamped ? stamped.wrong : 'read'
}
const good = stampedXml(stamp)

test('reads a stamped CFDI by its namespaces, with any prefixes', () => {
  const { total: amount, ...rest } = stamp
  const expected = { ...rest, currency: 'MXN', amount, relatesTo: [] }
  expect(read(good)).toEqual(expected)
  expect(read(`\uFEFF${good}`)).toEqual(expected)
  expect(read(good.replaceAll('cfdi:', 'x:').replace('xmlns:cfdi', 'xmlns:x'))).toEqual(expected)
  expect(read(good.replaceAll('cfdi:', '').replace('xmlns:cfdi', 'xmlns'))).toEqual(expected)
  expect(read(good.replace(uuid, uuid.toLowerCase()))).toEqual(expected)
})

test('reads the payment and invoice of a complement, and the invoice of a credit note', () => {
  const paid = { ...stamp, type: 'P', total: '0', currency: 'XXX', paid: { amount: '500.00', of: uuid } }
  expect(read(stampedXml(paid))).toMatchObject({
    type: 'P',
    currency: 'XXX',
    amount: '500.00',
    relatesTo: [uuid],
  })
  expect(read(stampedXml({ ...stamp, type: 'E', credits: uuid }))).toMatchObject({ relatesTo: [uuid] })
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
    ['another version', stampedXml({ ...stamp, version: '3.3' }), 'no es un CFDI 4.0'],
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
