import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { attach, takeDocument } from '../../src/documents/documents.ts'
import type { CustomerPurpose } from '../../src/documents/rules/document.ts'
import { faultOfPdf } from '../../src/documents/rules/file-rules.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { documents } from '../../src/platform/database/schema/payments.ts'
import type { Refusal } from '../../src/shared/refusal.ts'
import {
  ally,
  analyst,
  customer,
  customer2,
  db,
  expectRowsIn,
  fixture,
  gester,
  manager,
  openOnce,
  setRow,
  technician,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { keysKept, sha256 } from '../kit/photos.ts'
import { expectAnswered } from '../kit/reading.ts'
import { hostile, jpeg, png, uprightWithPlace } from '../platform/storage/samples.ts'
import { sourcesOf } from '../sources.ts'
import { drawnPdf, fileOf, pdf, pdfWithScript, xml } from './samples.ts'

openOnce()
let projectId: string
beforeAll(async () => {
  projectId = (await fixture.home(customer)).projectId
})

type Options = { purpose?: CustomerPurpose; by?: Person; project?: string | null; of?: Person }

const take = (
  file: File,
  { purpose = 'payment_proof', by, of = customer, project = projectId }: Options = {},
) =>
  takeDocument(db, fixture.drive, (by ?? customer).actor, {
    file,
    purpose,
    customerId: of.id,
    projectId: project,
  })

/** What is said of a file that is not taken. */
const refused = (file: File, options?: Options) =>
  take(file, options).then(
    () => 'taken',
    ({ code, description, details }: Refusal) => [code, description, details],
  )
const inBox = (message: string) => ['invalid-argument', message, { errors: { file: message } }]

test('stores a PDF unchanged, its bytes before its row', async () => {
  const bytes = pdf()
  const taken = await take(fileOf(bytes, 'comprobante.pdf'))
  expect(taken).toMatchObject({
    type: 'application/pdf',
    name: 'comprobante.pdf',
    bytes: bytes.length,
    sha256: sha256(bytes),
    customerId: customer.id,
    uploadedBy: customer.id,
    projectId,
    purpose: 'payment_proof',
  })
  expect(await keysKept(fixture)).toContain(`documents/${taken.id}`)
  await expectRowsIn(documents, {}, [])
  await transaction(db, (tx) => attach(tx, taken))
  await expectRowsIn(documents, {}, [{ id: taken.id, replacedAt: null }])
})

test('encodes a picture anew, without its location', async () => {
  const taken = await take(fileOf(await uprightWithPlace(), 'IMG_1.HEIC', 'image/heic'))
  const kept = Buffer.from((await fixture.drive.get(`documents/${taken.id}`))!)
  expect(kept.includes('TelefonoDePrueba')).toBe(false)
  expect(await sharp(kept).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 1600 })
  const stored = { type: 'image/jpeg', name: 'IMG_1.jpg', bytes: kept.length, sha256: sha256(kept) }
  expect(taken).toMatchObject(stored)
})

test('judges a file by its bytes, not its name', async () => {
  const wrong = inBox('No pudimos leer ese archivo. Sube PDF de hasta 5\u00a0MB o foto de hasta 12\u00a0MB.')
  const page = '<!doctype html><script>alert(1)</script>'
  for (const [name, bytes] of [
    ['pagina.pdf', page],
    ['foto.jpg', page],
    ['dibujo.pdf', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['hoja.pdf', 'PK\x03\x04'],
    ['programa.pdf', 'MZ\x90'],
    ['factura.pdf', xml],
  ] as const)
    expect([name, await refused(fileOf(bytes, name))]).toEqual([name, wrong])
  expect((await take(fileOf(pdf(), 'x.html', 'text/html'))).name).toBe('x.pdf')
  expect((await take(fileOf(await png(), 'x.pdf'))).type).toBe('image/jpeg')
})

test('refuses a PDF that asks for a password or can not be read, and takes one that is locked against changes', async () => {
  const constancia = { purpose: 'constancia', project: null } as const
  const taken = async (options: PDFKit.PDFDocumentOptions) =>
    refused(fileOf(await drawnPdf(options), 'x.pdf'), constancia)
  for (const pdfVersion of ['1.3', '1.7', '1.7ext3'] as const) {
    expect(await taken({ pdfVersion, userPassword: 'secreta' })).toEqual(
      inBox(faultOfPdf('locked', 'constancia')),
    )
    expect(await taken({ pdfVersion, ownerPassword: 'secreta', permissions: {} })).toBe('taken')
  }
  // The second is a page that pretends to be a PDF further on.
  for (const bytes of ['%PDF-1.7\n%%EOF', '<!doctype html><script>alert(1)</script>%PDF-1.7'])
    expect(await refused(fileOf(bytes, 'x.pdf'))).toEqual(inBox(faultOfPdf('broken', 'payment_proof')))
})

test('refuses hostile pictures', async () => {
  for (const name of ['an SVG under the first bytes of a JPEG', 'animation', 'a PNG of 900 megapixels']) {
    const bytes = await hostile[name]!.bytes()
    const answer = inBox(expect.stringMatching(hostile[name]!.said))
    expect([name, await refused(fileOf(bytes, 'foto.jpg'))]).toEqual([name, answer])
  }
})

test('refuses empty and too large files', async () => {
  expect(await refused(fileOf('', 'x.pdf'))).toEqual(inBox('El archivo está vacío. Elige otro.'))
  const long = (size: number) => fileOf(Buffer.concat([pdf(), Buffer.alloc(size - pdf().length)]), 'x.pdf')
  const limit = 5 * 1024 * 1024
  expect(await refused(long(limit))).toBe('taken')
  const tooMuch = 'El archivo pesa demasiado. Sube PDF de hasta 5\u00a0MB.'
  expect(await refused(long(limit + 1), { purpose: 'constancia', project: null })).toEqual(inBox(tooMuch))
})

test('accepts the types of each purpose: no photo of a Constancia, XML of an invoice without declarations', async () => {
  const constancia = { purpose: 'constancia', project: null } as const
  expect(await refused(fileOf(await jpeg(), 'x.jpg'), constancia)).toEqual(
    inBox('No pudimos leer ese archivo. Sube PDF de hasta 5\u00a0MB.'),
  )
  const stamped = { purpose: 'invoice_xml', by: analyst } as const
  expect((await take(fileOf(xml, 'A.XML'), stamped)).type).toBe('application/xml')
  expect((await take(fileOf(`\ufeff${xml}`, 'A.xml'), stamped)).type).toBe('application/xml')
  const unreadable = inBox('Este XML no se puede leer. Sube el que te dio quien timbra.')
  const entity = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'
  expect(await refused(fileOf(entity, 'x.xml'), stamped)).toEqual(unreadable)
  expect(await refused(fileOf(Buffer.from([...Buffer.from(xml), 0xff]), 'x.xml'), stamped)).toEqual(
    unreadable,
  )
})

test('accepts documents of customers for their own purposes, of the office for all, and no others', async () => {
  const file = () => fileOf(pdf(), 'x.pdf')
  for (const by of [customer2, technician, gester, ally])
    expect((await refused(file(), { by }))[0]).toBe('permission-denied')
  for (const purpose of ['refund_proof', 'invoice_pdf'] as const)
    expect((await refused(file(), { purpose }))[0]).toBe('permission-denied')
  for (const by of [manager, analyst])
    for (const purpose of ['payment_proof', 'refund_proof', 'invoice_pdf'] as const)
      expect(await refused(file(), { by, purpose })).toBe('taken')
  // Another customer's project.
  expect((await refused(file(), { by: customer2, of: customer2 }))[0]).toBe('not-found')
  expect((await refused(file(), { by: manager, project: randomUUID() }))[0]).toBe('not-found')
})

test('cleans names, and ends them with their type', async () => {
  for (const [sent, name] of [
    ['../../etc/passwd', 'passwd.pdf'],
    ['C:\\facturas\\Año 2026.PDF', 'Año 2026.pdf'],
    ['a"b;\r\nx: y<z>.exe', 'ab x yz.pdf'],
    ['fdp.\u202exe', 'fdp.pdf'],
    ['...', 'documento.pdf'],
    [`${'ñ'.repeat(500)}.pdf`, `${'ñ'.repeat(120)}.pdf`],
  ] as const)
    expect((await take(fileOf(pdf(), sent))).name).toBe(name)
})

test('each command that accepts a file deletes it where its change fails', () => {
  const takers = sourcesOf('server').filter(({ text }) =>
    /\bawait take(Agency)?Document\(|drive\.put\(paperKey/.test(text),
  )
  expect(takers.length).toBeGreaterThan(5)
  // What the provider stamped goes through `issue`, which does.
  for (const { file, text } of takers)
    expect([file, /\bkeepPapers\b|await issue\(/.test(text)]).toEqual([file, true])
})

async function stored(purpose: CustomerPurpose, name = 'x.pdf') {
  const taken = await take(fileOf(pdfWithScript, name), { purpose, by: manager, project: null })
  return transaction(db, (tx) => attach(tx, taken))
}

const ask = (id: string, by?: Person) => fixture.open(`/documents/${id}`, by)

test('a PDF with a script is downloaded, and never opened as a page of the site', async () => {
  const answer = await ask(await stored('payment_proof', 'Pagó "Núñez".pdf'), customer)
  expect(answer.status).toBe(200)
  expect(pdfWithScript.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="Pago Nunez.pdf"; filename*=UTF-8''Pag%C3%B3%20N%C3%BA%C3%B1ez.pdf`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  })
})

test('its customer, analysts and managers read a document; nobody else finds it', async () => {
  for (const purpose of ['payment_proof', 'constancia', 'invoice_pdf', 'condominium_permit'] as const) {
    const id = await stored(purpose)
    for (const person of [customer, analyst, manager]) await expectAnswered(ask(id, person), 200)
    for (const person of [customer2, technician, gester, ally]) await expectAnswered(ask(id, person), 404)
    expect((await ask(id)).headers.get('location')).toBe('/signin')
  }
})

test('access is decided at every read, and a replaced document is not found', async () => {
  const id = await stored('constancia')
  const analyst = await fixture.person({ kind: 'analyst' })
  await expectAnswered(ask(id, analyst), 200)
  await setRow(users, analyst, { kind: 'tecnician' })
  await expectAnswered(ask(id, analyst), 404)
  await setRow(documents, id, { replacedAt: new Date() })
  for (const person of [customer, manager]) await expectAnswered(ask(id, person), 404)
})

test('an invalid or unknown id, or a missing file, is not found', async () => {
  const id = await stored('constancia')
  await fixture.drive.delete(`documents/${id}`)
  for (const one of ['x', '%2e%2e%2fsecret', '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f', id])
    await expectAnswered(ask(one, manager), 404)
})
