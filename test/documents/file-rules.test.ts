import { randomBytes } from 'node:crypto'
import type { DocumentPurpose } from '../../src/documents/rules/document.ts'
import { faultOfPdf, isEncrypted, readUpload } from '../../src/documents/rules/file-rules.ts'
import { heic, jpeg, png, webp } from '../platform/storage/samples.ts'
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

test('pictures that end too early are refused, and whole ones taken, with what phones add behind them', async () => {
  const thumbnail = await jpeg({ width: 160 })
  const photo = await jpeg()
  // A marker that is padded, and metadata with a smaller picture.
  const head = Buffer.from([0xff, 0xff, 0xe1, 0, 0])
  head.writeUInt16BE(thumbnail.length + 2, 3)
  const withPreview = Buffer.concat([photo.subarray(0, 2), head, thumbnail, photo.subarray(2)])
  for (const picture of [photo, withPreview, heic('wall'), await png(), await webp()]) {
    expect(await read(picture)).toEqual({ kind: 'picture' })
    for (const lost of [9, picture.length >> 1])
      expect(await read(picture.subarray(0, -lost))).toEqual({ fault: cutPicture })
    expect(await read(Buffer.concat([picture, randomBytes(200_000)]))).toEqual({
      kind: 'picture',
    })
  }
})

test('reads a picture of countless parts in few pieces', async () => {
  const jpegs = Buffer.from(`\xff\xd8${'\xff\xe1\0\x02'.repeat(2_500_000)}`, 'latin1')
  const boxes = Buffer.concat([heic('wall').subarray(0, 28), Buffer.from('\0\0\0\x08free'.repeat(1_000_000))])
  for (const bytes of [jpegs, boxes]) {
    const file = fileOf(bytes, 'x')
    const slice = vi.spyOn(file, 'slice')
    await readUpload(file, 'payment_proof')
    expect(slice.mock.calls.length).toBeLessThan(2_000)
  }
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
