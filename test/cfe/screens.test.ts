import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { writeBatch } from '../../src/cfe/case-letters.ts'
import { dataReads } from '../../src/platform/database/schema/accounts.ts'
import { cfeCases, cfePapers } from '../../src/platform/database/schema/cfe.ts'
import { paperKey } from '../../src/platform/storage/drive.ts'
import { log } from '../../src/platform/telemetry/log.ts'
import { rowBox } from '../../src/shared/count.ts'
import { bombPdf, drawnPdf, fileOf, pdf } from '../documents/samples.ts'
import { agreed, type Case, handIn, openedBy, openedCase, paperWords } from '../kit/cfe.ts'
import type { Fixture } from '../kit/fixture.ts'
import {
  analyst,
  customer,
  customer2,
  db,
  expectNotOnPage,
  fixture,
  gester,
  manager,
  openOnce,
  people,
  rowsWhere,
  rowWhere,
  sendJobsOnce,
  setRow,
  technician,
} from '../kit/open.ts'
import { sendForm } from '../kit/payments.ts'
import type { Person } from '../kit/people.ts'
import { expectAnswered, expectLeadsTo, expectPage, expectWords, readable } from '../kit/reading.ts'
import { completeSheet } from '../kit/reports.ts'
import type { Answer } from '../kit/visitor.ts'
import { textOf } from '../reports/pdf-text.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()
let visitId: string
let quoteId: string
let one: Case
let path: string
beforeAll(async () => {
  const { analyst: maker } = people
  const { quote, visit } = await agreed({ customer, technician, maker }, { loadIncrease: true })
  one = await openedBy()
  visitId = visit.id
  quoteId = quote.id
  path = `/admin/gesties/${one.id}`
})

const read = async (address: string, by: Person, of: Pick<Fixture, 'visit'> = fixture) =>
  readable(await of.visit(address, by))
const change = (values: Partial<Case>) => setRow(cfeCases, one, values)

test('nothing of the module is there when it is off', async () => {
  const off = fixture.under({ MODULES: '' })
  for (const address of ['/admin/gesties', path, `/papers/solicitud/${one.id}.pdf`])
    await expectAnswered(off.visit(address, gester), 404)
  expect(await read('/installation', customer, off)).not.toContain('Trámite ante CFE')
  expect(await read('/admin', gester, off)).not.toContain('Trámites')
  const form = { intent: 'hand-in-case-paper', caseId: one.id, paper: 'bill' }
  await expectAnswered(off.post('/installation', form, customer), 404)
})

test('the page of a gester warns managers of open cases', async () => {
  const page = ({ id }: Person) => `/admin/users/${id}`
  expect(await read(page(gester), manager)).toContain('Lleva 1 trámite ante CFE abierto')
  await expectNotOnPage(page(gester), analyst, 'Lleva 1 trámite')
  const off = fixture.under({ MODULES: '' })
  expect(await read(page(gester), manager, off)).not.toContain('Lleva 1 trámite')
})

test('a gester reads the visit and the quote of a project with a case, and no amount', async () => {
  const quote = `/admin/cotizations/detail-quote/${quoteId}`
  for (const address of [`/admin/appointments-done/${visitId}`, quote, path, '/admin/cotizations'])
    for (const request of [fixture.visit, fixture.data]) {
      const { status, text } = await request(address, gester)
      expect({ address, status }).toEqual({ address, status: 200 })
      expect(text).not.toMatch(
        /\$\d|\b1,?160\b|\b116_?000\b|\b58_?000\b|unitPrice|acceptedTotal|depositAmount/,
      )
    }
  expect(await read('/admin/appointments-done', gester)).toContain('Camila')
  await expectAnswered(fixture.visit(`/papers/quote/${quoteId}.pdf`, gester), 404)
})

test('the customer reads whose turn it is and hands in papers; a file of another type is refused', async () => {
  const page = await read('/installation', customer)
  expectWords(page, 'Trámite ante CFE: aumento de carga', 'Sigue: sube los documentos que faltan')
  expect(page).not.toContain('Ficha técnica del cargador')
  const send = (file: File | null, by = customer, paper = 'bill') =>
    sendForm(fixture, '/installation', { intent: 'hand-in-case-paper', caseId: one.id, paper }, by, file)
  expectPage(await send(fileOf('hola', 'nota.txt', 'text/plain')), 400, 'No pudimos leer ese archivo')
  expectPage(await send(null), 400, 'Elige el archivo.')
  const bill = fileOf(pdf(), 'recibo.pdf')
  await expectAnswered(send(bill, customer2), 404)
  await expectLeadsTo(send(bill), '/installation')
  expect(await paperWords(one)).toContain('bill received')
  const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#9ab' } })
    .jpeg()
    .toBuffer()
  const photo = fileOf(new Uint8Array(bytes), 'ine.jpg', 'image/jpeg')
  await expectLeadsTo(send(photo, customer, 'official_id'), '/installation')
})

test('opens the rows of papers where something is to be done or was refused', async () => {
  const { analyst: maker, customer2: customer } = people
  await agreed({ customer, technician, maker }, { loadIncrease: true })
  const other = await openedBy()
  const page = `/admin/gesties/${other.id}`
  const open = ({ text }: Answer) =>
    [...text.matchAll(/<details open="" class="group"><summary[^>]*><span[^>]*><span[^>]*>([^<]+)/g)].map(
      ([, label]) => label,
    )
  expect(open(await fixture.visit(page, manager))).toEqual(['Ficha técnica del cargador'])
  await handIn(customer, other, 'bill')
  await handIn(customer, other, 'constancia')
  const given = ['Recibo de CFE sin adeudo', 'Constancia de Situación Fiscal']
  const received = await fixture.visit(page, manager)
  expect(open(received)).toEqual(given)
  expectWords(readable(received), 'Lo entrega el cliente', 'Revísalo', 'Súbelo')
  const refused = await sendForm(fixture, page, { intent: 'case.hand-in', paper: 'official_id' }, manager)
  expect([refused.status, open(refused)]).toEqual([400, ['Identificación oficial del titular', ...given]])
})

test('the letters state the facts of the case', async () => {
  await completeSheet({ id: visitId, service: 'technical_visit', assigneeId: technician.id })
  await change({
    holderName: 'Rosa Niño',
    poleMetres: 40,
    isThreePhase: false,
    serviceNumber: '123456789012',
    contractedKilowatts: 5,
    requestedKilowatts: 9.4,
    tariff: '1C',
  })
  const text = async (letter: string) => {
    const answer = await fixture.open(`/papers/${letter}/${one.id}.pdf`, gester)
    return (await textOf(Buffer.from(await answer.arrayBuffer()))).replace(/\s+/g, ' ')
  }
  const request = await text('solicitud')
  expectWords(
    request,
    'Solicitud: aumento de carga',
    'Rosa Niño',
    '123456789012',
    'factibilidad',
    'Calle Ejemplo 12',
    'tiene contratados 5 kW, en tarifa 1C, y se pide que queden en 9.4 kW',
    'Bifásico, 220 V',
    'según la memoria de cálculo anexa',
  )
  expectWords(
    await text('memoria'),
    'Memoria de cálculo',
    'Calculado conforme a la NOM-001-SEDE-2012',
    'Superficie construida',
    'La fase del cargador',
    '(220-83, 625-21)',
  )
  const memoria = `/papers/memoria/${one.id}.pdf`
  for (const who of ['customer', 'manager', 'analyst'] as const)
    await expectAnswered(fixture.open(memoria, people[who]), 200)
  for (const who of ['customer2', 'technician', 'ally'] as const)
    await expectAnswered(fixture.open(memoria, people[who]), 404)
  // Without the day of the week.
  expect(request).toMatch(/Ciudad de México, a \d{1,2} de [a-z]+ de \d{4}/)
  const power = await text('carta-poder')
  expectWords(power, 'Yo, Rosa Niño, otorgo a Camila Prueba y a Gerardo Prueba', 'de los dos testigos')
  expect(request + power).not.toContain('$')
  await change({ kind: 'second_meter' })
  expectWords(await text('solicitud'), 'un segundo medidor en el domicilio ubicado en', 'Servicio existente')
  await change({ kind: 'load_increase' })
})

/** The file of some cases for CFE's office. */
async function printed(by: Person, ...ids: string[]) {
  const boxes = ids.map((id) => `${rowBox}${id}=`).join('&')
  const answer = await fixture.open(`/papers/tramites/ventanilla.pdf?${boxes}`, by)
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, type: answer.headers.get('content-type'), bytes }
}

const chargerSheet = async (file: File) => {
  await handIn(gester, one, 'charger_sheet', file)
  return (await rowWhere(cfePapers, { caseId: one.id, name: 'charger_sheet' }))!.documentId!
}

test('prints the letters and papers of visible cases in one file', async () => {
  await chargerSheet(fileOf(pdf(), 'ficha.pdf'))
  const { bytes, type } = await printed(gester, one.id, randomUUID())
  expect(type).toBe('application/pdf')
  const text = await textOf(new Uint8Array(bytes))
  expect(bytes.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(1)
  for (const bound of ['Identificación oficial del titular', 'Ficha técnica del cargador'])
    expect(text.indexOf('Carta poder')).toBeLessThan(text.lastIndexOf(bound))
  expectWords(
    text,
    'Para la ventanilla de CFE',
    one.folio,
    'Va en este archivo',
    'Falta',
    'Solicitud: aumento de carga',
  )
  expect(text).not.toMatch(/\$|imprímelo aparte/)
  await expectAnswered(printed(gester, randomUUID()), 404)
  const list = await read('/admin/gesties', gester)
  expect(list).toContain('Imprimir para CFE')
  expect(list).not.toContain('Exportar')
})

test('groups cases by whose turn it is, what the office can do first, each with its validated papers', async () => {
  await change({ waitingOn: 'cfe' })
  const { one: other } = await openedCase()
  const list = await read('/admin/gesties', manager)
  expect(list.indexOf(other.folio)).toBeLessThan(list.indexOf(one.folio))
  expect(list).toMatch(/CFE Marcar .* 0\/\d/s)
})

test('records the printing of a Constancia as a look at fiscal data', async () => {
  await handIn(customer, one, 'constancia', fileOf(await drawnPdf(), 'constancia.pdf'))
  expect(await rowsWhere(dataReads)).toEqual([])
  await printed(gester, one.id)
  expect(await rowsWhere(dataReads)).toMatchObject([{ readerId: gester.id, what: 'constancia' }])
})

test.each([
  ['No se pudo abrir', () => bombPdf(300)],
  ['Está protegido', () => drawnPdf({ userPassword: 'secreta' })],
])('links a paper that was stored though it cannot be bound in: %s', async (why, made) => {
  const documentId = await chargerSheet(fileOf(pdf(), 'ficha.pdf'))
  await fixture.drive.put(paperKey({ id: documentId }), await made(), 'application/pdf')
  const before = process.memoryUsage.rss()
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss() - before)
  }, 20)
  const { bytes } = await printed(gester, one.id)
  clearInterval(watch)
  // What unpacks to 300 MB takes about twice as much where nothing stops it.
  expect(most).toBeLessThan(5e8)
  expect(bytes.toString('latin1')).toContain(`/documents/${documentId}`)
  expectWords(
    await textOf(new Uint8Array(bytes)),
    `${why}: imprímelo aparte`,
    'hasta 80 hojas, 20 de cada uno',
    'Carta poder',
  )
})

test('names a paper whose file is missing without a link, and logs an error', async () => {
  const id = await chargerSheet(fileOf(pdf(), 'ficha.pdf'))
  await fixture.drive.delete(paperKey({ id }))
  const logged = vi.spyOn(log, 'error').mockImplementation(() => undefined)
  const from = { db, drive: fixture.drive, brand: 'Carga en Casa', baseUrl: 'http://carga.test' }
  const { cases } = await writeBatch(from, gester.actor, [one.id], new Date())
  expect(cases[0]!.papers).toContainEqual(
    expect.objectContaining({
      label: 'Ficha técnica del cargador',
      value: 'No encontramos el archivo: pide que lo suban otra vez',
      link: null,
    }),
  )
  expect(logged.mock.calls).toEqual([[{ document: id }, 'a stored document is missing']])
  logged.mockRestore()
})
