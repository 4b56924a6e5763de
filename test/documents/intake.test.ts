import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import type { CustomerPurpose } from '../../src/domain/documents/document.ts'
import type { Refusal } from '../../src/domain/shared/refusal.ts'
import { attach, attachInstead, takeDocument } from '../../src/server/documents/documents.ts'
import { transaction } from '../../src/server/platform/database/client.ts'
import { documents } from '../../src/server/platform/database/schema/payments.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { keysKept, sha256 } from '../kit/photos.ts'
import { hostile, jpeg, png, uprightWithPlace } from '../platform/storage/samples.ts'
import { fileOf, pdf, xml } from './samples.ts'

openOnce()
let projectId: string
beforeAll(async () => {
  projectId = (await world.home(people.customer)).projectId
})

type Wish = { purpose?: CustomerPurpose; by?: Person; project?: string | null; of?: Person }

const take = (
  file: File,
  { purpose = 'payment_proof', by, of = people.customer, project = projectId }: Wish = {},
) =>
  takeDocument(world.db, world.drive, (by ?? people.customer).actor, {
    file,
    purpose,
    customerId: of.id,
    projectId: project,
  })

/** What is said of a file that is not taken. */
const refused = (file: File, wish?: Wish) =>
  take(file, wish).then(
    () => 'taken',
    ({ code, description, details }: Refusal) => [code, description, details],
  )
const saidInBox = (message: string) => ['invalid-argument', message, { errors: { file: message } }]

test('a PDF is kept as it came, its bytes before its row', async () => {
  const bytes = pdf()
  const taken = await take(fileOf(bytes, 'comprobante.pdf'))
  expect(taken).toMatchObject({
    type: 'application/pdf',
    name: 'comprobante.pdf',
    bytes: bytes.length,
    sha256: sha256(bytes),

    customerId: people.customer.id,
    uploadedBy: people.customer.id,
    projectId,
    purpose: 'payment_proof',
  })
  expect(await keysKept(world)).toContain(`documents/${taken.id}`)
  expect(await world.db.select().from(documents)).toEqual([])
  await transaction(world.db, (tx) => attach(tx, taken))
  expect(await world.db.select().from(documents)).toMatchObject([{ id: taken.id, replacedAt: null }])
})

test('a picture is made anew, without the place it was taken at', async () => {
  const taken = await take(fileOf(await uprightWithPlace(), 'IMG_1.HEIC', 'image/heic'))
  expect([taken.type, taken.name]).toEqual(['image/jpeg', 'IMG_1.jpg'])
  const kept = Buffer.from((await world.drive.get(`documents/${taken.id}`))!)
  expect(kept.includes('TelefonoDePrueba')).toBe(false)
  expect(await sharp(kept).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 1600 })
  expect([taken.bytes, taken.sha256]).toEqual([kept.length, sha256(kept)])
})

test('what it is, its own bytes say, not its name', async () => {
  const wrong = saidInBox(
    'No pudimos leer ese archivo. Sube PDF de hasta 5\u00a0MB o foto de hasta 12\u00a0MB.',
  )
  const page = '<!doctype html><script>alert(1)</script>'
  for (const [name, bytes] of [
    ['pagina.pdf', page],
    ['foto.jpg', page],
    ['dibujo.pdf', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['hoja.pdf', 'PK\x03\x04'],
    ['programa.pdf', 'MZ\x90'],
    ['factura.pdf', xml],
    // A page that pretends to be a PDF further on.
    ['mezcla.pdf', `${page}%PDF-1.7`],
  ] as const)
    expect([name, await refused(fileOf(bytes, name))]).toEqual([name, wrong])
  expect((await take(fileOf(pdf(), 'x.html', 'text/html'))).name).toBe('x.pdf')
  expect((await take(fileOf(await png(), 'x.pdf'))).type).toBe('image/jpeg')
})

test('pictures that harm whoever opens them are refused in the box', async () => {
  for (const name of [
    'an SVG under the first bytes of a JPEG',
    'half a JPEG',
    'animation',
    'a PNG of 900 megapixels',
  ]) {
    const bytes = await hostile[name]!.bytes()
    const said = (await refused(fileOf(bytes, 'foto.jpg'))) as unknown as [string, string, object]
    expect([name, said[1]]).toEqual([name, expect.stringMatching(hostile[name]!.said)])
    expect(said[2]).toEqual({ errors: { file: said[1] } })
  }
})

test('nothing and too much are refused', async () => {
  expect(await refused(fileOf('', 'x.pdf'))).toEqual(saidInBox('El archivo está vacío. Elige otro.'))
  const long = (size: number) => fileOf(Buffer.concat([pdf(), Buffer.alloc(size - pdf().length)]), 'x.pdf')
  const limit = 5 * 1024 * 1024
  expect(await refused(long(limit))).toBe('taken')
  const tooMuch = 'El archivo pesa demasiado. Sube PDF de hasta 5\u00a0MB.'
  expect(await refused(long(limit + 1), { purpose: 'constancia', project: null })).toEqual(saidInBox(tooMuch))
})

test('a purpose takes its own kinds: of a Constancia no photo, of an invoice its XML without declarations', async () => {
  const constancia = { purpose: 'constancia', project: null } as const
  expect(await refused(fileOf(await jpeg(), 'x.jpg'), constancia)).toEqual(
    saidInBox('No pudimos leer ese archivo. Sube PDF de hasta 5\u00a0MB.'),
  )
  const stamped = { purpose: 'invoice_xml', by: people.analyst } as const
  expect((await take(fileOf(xml, 'A.XML'), stamped)).type).toBe('application/xml')
  expect((await take(fileOf(`\ufeff${xml}`, 'A.xml'), stamped)).type).toBe('application/xml')
  const unreadable = saidInBox('Este XML no se puede leer. Sube el que te dio quien timbra.')
  const entity = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'
  expect(await refused(fileOf(entity, 'x.xml'), stamped)).toEqual(unreadable)
  expect(await refused(fileOf(Buffer.from([...Buffer.from(xml), 0xff]), 'x.xml'), stamped)).toEqual(
    unreadable,
  )
})

test('customers hand in their own, of what is asked of them; the office anything; nobody else', async () => {
  const { ally, analyst, customer2, gester, manager, technician } = people
  const file = () => fileOf(pdf(), 'x.pdf')
  for (const by of [customer2, technician, gester, ally])
    expect((await refused(file(), { by }))[0]).toBe('permission-denied')
  for (const purpose of ['refund_proof', 'invoice_pdf'] as const)
    expect((await refused(file(), { purpose }))[0]).toBe('permission-denied')
  for (const by of [manager, analyst])
    for (const purpose of ['payment_proof', 'refund_proof', 'invoice_pdf'] as const)
      expect(await refused(file(), { by, purpose })).toBe('taken')
  // Somebody else's project is none of theirs.
  expect((await refused(file(), { by: customer2, of: customer2 }))[0]).toBe('not-found')
  expect((await refused(file(), { by: manager, project: randomUUID() }))[0]).toBe('not-found')
})

test('names say nothing to a system, and end as what they are', async () => {
  const name = async (sent: string) => (await take(fileOf(pdf(), sent))).name
  expect(await name('../../etc/passwd')).toBe('passwd.pdf')
  expect(await name('C:\\facturas\\Año 2026.PDF')).toBe('Año 2026.pdf')
  expect(await name('a"b;\r\nx: y<z>.exe')).toBe('ab x yz.pdf')
  expect(await name('fdp.\u202exe')).toBe('fdp.pdf')
  expect(await name('...')).toBe('documento.pdf')
  expect((await name(`${'ñ'.repeat(500)}.pdf`)).length).toBe(124)
})

test('where there is one at a time, the later takes the place; the very same sent again is the same', async () => {
  const constancia = { purpose: 'constancia', project: null } as const
  const put = async (bytes: Buffer) => {
    const taken = await take(fileOf(bytes, 'constancia.pdf'), constancia)
    return transaction(world.db, (tx) => attachInstead(tx, taken, new Date()))
  }
  const first = await put(pdf())
  expect(await put(pdf())).toBe(first)
  const second = await put(pdf('<</S/Named>>'))
  const rows = await world.db.select().from(documents)
  const standing = rows.filter(({ purpose, replacedAt }) => purpose === 'constancia' && replacedAt === null)
  expect(standing.map(({ id }) => id)).toEqual([second])
  expect(rows.find(({ id }) => id === first)?.replacedAt).toBeInstanceOf(Date)
})

test('whoever takes a paper in lets go of what its change did not keep', () => {
  const root = path.resolve(import.meta.dirname, '../../src/server')
  const takers = globSync('**/*.ts', { cwd: root })
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
    .filter(({ text }) => /\bawait take(Agency)?Document\(|drive\.put\(paperKey/.test(text))
  expect(takers.length).toBeGreaterThan(5)
  // What the provider stamped goes through `issue`, which does.
  for (const { file, text } of takers)
    expect([file, /\bkeepPapers\b|await issue\(/.test(text)]).toEqual([file, true])
})
