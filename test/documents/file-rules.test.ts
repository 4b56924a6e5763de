import { expect, test } from 'vitest'
import type { DocumentPurpose } from '../../src/domain/documents/document.ts'
import { faultOfPdf, isEncrypted, readUpload } from '../../src/domain/documents/file-rules.ts'
import { jpeg, png, webp } from '../platform/storage/samples.ts'
import { fileOf, pdf, xml } from './samples.ts'

const read = (bytes: Uint8Array | string, purpose: DocumentPurpose = 'payment_proof') =>
  readUpload(fileOf(bytes, 'x'), purpose)
const cutPdf = /^Este PDF está dañado o incompleto\. Descárgalo otra vez, o mándanos una captura/
const cutPicture = 'Esta foto está dañada o incompleta. Tómala de nuevo o elige otra.'

test.each([
  ['a mail header', 'Content-Type: application/pdf\r\n\r\n'],
  ['a byte order mark', '\ufeff'],
  ['1,000 blanks', ' '.repeat(1000)],
])('a PDF behind %s is taken from its own beginning on', async (_, junk) => {
  const taken = await read(Buffer.concat([Buffer.from(junk), pdf()]))
  expect('bytes' in taken && pdf().equals(Buffer.from(taken.bytes))).toBe(true)
})

test('a PDF that begins behind the first 1,024 bytes is none', async () => {
  const fault = { fault: expect.stringMatching(/^No pudimos leer ese archivo/) }
  expect(await read(`${' '.repeat(1024)}${pdf()}`)).toEqual(fault)
})

test('a PDF without its end is refused with what to do, and one with bytes behind it is not', async () => {
  const whole = pdf()
  const cut = { fault: expect.stringMatching(cutPdf) }
  expect(await read(whole.subarray(0, -10))).toEqual(cut)
  expect(await read(Buffer.concat([whole, Buffer.alloc(5000)]))).toMatchObject({ kind: 'pdf' })
  // Made for the web: an end stands near its beginning, too.
  const linear = Buffer.from(`%PDF-1.7\n1 0 obj <</Linearized 1/L 9000>>\n%%EOF\n${' '.repeat(2000)}`)
  expect(await read(linear)).toEqual(cut)
})

test('pictures that are shorter than they say are refused, and whole ones taken', async () => {
  for (const picture of [await png(), await webp()]) {
    expect(await read(picture)).toMatchObject({ kind: 'picture' })
    expect(await read(picture.subarray(0, -20))).toEqual({ fault: cutPicture })
  }
  expect(await read(await jpeg())).toMatchObject({ kind: 'picture' })
})

test('an XML is taken from its first tag on, and may have neither declaration nor prefix', async () => {
  for (const text of [` \n${xml}`, '<Comprobante Version="4.0"/>', `${xml}\0`])
    expect(await read(text, 'invoice_xml')).toMatchObject({ kind: 'xml' })
  const declared = '<?xml version="1.0"?><!-- <![CDATA[ --><!DOCTYPE x><!-- ]]> --><x/>'
  expect(await read(declared, 'invoice_xml')).toEqual({ fault: expect.stringMatching(/no se puede leer/) })
})

test('says what to do with a PDF that asks for a password, by what else may come', () => {
  expect(isEncrypted(pdf('/Encrypt'))).toBe(true)
  expect(isEncrypted(pdf())).toBe(false)
  expect(faultOfPdf('locked', 'payment_proof')).toBe(
    'Este PDF pide una contraseña. Mándanos una captura de la transferencia, o guárdalo sin contraseña (Imprimir → Guardar como PDF).',
  )
  expect(faultOfPdf('locked', 'constancia')).toBe(
    'Este PDF pide una contraseña. Guárdalo sin contraseña (Imprimir → Guardar como PDF).',
  )
})
