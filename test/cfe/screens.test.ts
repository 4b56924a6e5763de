import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, expect, test, vi } from 'vitest'
import { loadDemo } from '../../seeds/world.ts'
import { rowBox } from '../../src/domain/appointments/list.ts'
import { dataReads } from '../../src/server/platform/database/schema/accounts.ts'
import { cfeCases, cfePapers } from '../../src/server/platform/database/schema/cfe.ts'
import { writeBatch } from '../../src/server/platform/pdf/case-letters.ts'
import { paperKey } from '../../src/server/platform/storage/drive.ts'
import { log } from '../../src/server/platform/telemetry/log.ts'
import { bombPdf, drawnPdf, fileOf, pdf } from '../documents/samples.ts'
import { agreed, type Case, caseOf, handIn, openedBy, paperWords } from '../kit/cfe.ts'
import { demoDatabase, freshDatabase } from '../kit/fresh-database.ts'
import { openOnce, people, sendJobsOnce, world } from '../kit/open.ts'
import { sendForm } from '../kit/payments.ts'
import type { Person } from '../kit/people.ts'
import { expectWords, readable } from '../kit/reading.ts'
import type { Answer } from '../kit/visitor.ts'
import type { World } from '../kit/world.ts'
import { textOf } from '../reports/pdf-text.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()
let visitId: string
let quoteId: string
let one: Case
beforeAll(async () => {
  const { analyst: maker, customer, technician } = people
  const { quote, visit } = await agreed(world, { customer, technician, maker }, { loadIncrease: true })
  ;[visitId, quoteId] = [visit.id, quote.id]
  one = await openedBy(world)
})

const kinds = ['customer', 'manager', 'analyst', 'technician', 'gester', 'ally'] as const
/** What each hears of an address, in the order of `kinds`. */
async function heardAt(address: string, of: Pick<World, 'visit'> = world) {
  const heard = []
  for (const who of kinds) {
    const { location, status } = await of.visit(address, people[who])
    heard.push(location ?? status)
  }
  return heard.join(' ')
}

test('the list and a case are for gesters and managers; who sees what follows the table of kinds', async () => {
  expect(await heardAt('/admin/gesties')).toBe('/ 200 /admin /admin 200 /admin')
  expect(await heardAt(`/admin/gesties/${one.id}`)).toBe('/ 200 /admin /admin 200 /admin')
  const other = await world.person({ kind: 'gester' })
  expect((await world.visit(`/admin/gesties/${one.id}`, other)).status).toBe(404)
  for (const letter of ['solicitud', 'carta-poder'])
    expect(await heardAt(`/papers/${letter}/${one.id}.pdf`)).toBe('200 200 200 404 200 404')
})

test('switched off, nothing of it is there', async () => {
  const off = world.under({ MODULES: '' })
  expect(await heardAt('/admin/gesties', off)).toBe('/ 404 404 404 404 404')
  expect(await heardAt(`/papers/solicitud/${one.id}.pdf`, off)).toBe('404 404 404 404 404 404')
  expect(readable(await off.visit('/installation', people.customer))).not.toContain('Trámite ante CFE')
  expect(readable(await off.visit('/admin', people.gester))).not.toContain('Trámites')
  const headers = { origin: 'http://carga.test' }
  const form = new URLSearchParams({ intent: 'hand-in-case-paper', caseId: one.id, paper: 'bill' })
  const sent = await off.send('/installation', people.customer, {
    method: 'POST',
    body: form.toString(),
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(sent.status).toBe(404)
})

test('what a gester handles is said to the manager before they are taken off', async () => {
  const { analyst, gester, manager, technician } = people
  const seen = async (person: Person, by: Person, of: Pick<World, 'visit'> = world) =>
    readable(await of.visit(`/admin/users/${person.id}`, by))
  expect(await seen(gester, manager)).toContain('Lleva 1 trámite ante CFE abierto')
  expect((await world.visit(`/admin/users/${gester.id}`, manager)).text).toContain('href="/admin/gesties"')
  for (const page of [
    await seen(technician, manager),
    await seen(gester, analyst),
    await seen(gester, manager, world.under({ MODULES: '' })),
  ])
    expect(page).not.toContain('Lleva 1 trámite')
})

test('a gester reads the visit and the quote of a project with a case, and no amount', async () => {
  const { gester } = people
  const pages = [`/admin/appointments-done/${visitId}`, `/admin/cotizations/detail-quote/${quoteId}`]
  for (const address of [...pages, `/admin/gesties/${one.id}`, '/admin/cotizations', '/admin/gesties']) {
    for (const answer of [await world.visit(address, gester), await world.data(address, gester)]) {
      expect([address, answer.status]).toEqual([address, 200])
      expect(answer.text).not.toMatch(
        /\$\d|\b1,?160\b|\b116_?000\b|\b58_?000\b|unitPrice|acceptedTotal|depositAmount/,
      )
    }
  }
  expect(readable(await world.visit('/admin/appointments-done', gester))).toContain('Camila')
  expect((await world.visit(`/papers/quote/${quoteId}.pdf`, gester)).status).toBe(404)
})

test('the customer sees whose turn it is and hands in what is missing; a wrong file keeps the form', async () => {
  const { customer } = people
  const page = readable(await world.visit('/installation', customer))
  expectWords(page, 'Trámite ante CFE: aumento de carga', 'Sigue: sube los documentos que faltan')
  expect(page).not.toContain('Ficha técnica del cargador')
  const fields = { intent: 'hand-in-case-paper', caseId: one.id, paper: 'bill' }
  const send = (file: File | null, by: Person = customer) =>
    sendForm(world, '/installation', fields, by, file)
  const wrong = await send(fileOf('hola', 'nota.txt', 'text/plain'))
  expect([wrong.status, wrong.text.includes('No pudimos leer ese archivo')]).toEqual([400, true])
  expect((await send(null)).text).toContain('Elige el archivo.')
  expect((await send(fileOf(pdf(), 'recibo.pdf'), people.customer2)).status).toBe(404)
  expect((await send(fileOf(pdf(), 'recibo.pdf'))).location).toBe('/installation')
  expect(await paperWords(world, one)).toContain('bill received')
  const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#9ab' } })
    .jpeg()
    .toBuffer()
  const photo = fileOf(new Uint8Array(bytes), 'ine.jpg', 'image/jpeg')
  const given = { ...fields, paper: 'official_id' }
  expect((await sendForm(world, '/installation', given, customer, photo)).location).toBe('/installation')
})

test('a gester works on it through the screen', async () => {
  const { gester } = people
  const path = `/admin/gesties/${one.id}`
  const page = readable(await world.visit(path, gester))
  expect(page).toMatch(/Faltan \d documentos por validar/)
  expectWords(page, 'Notas e historial', 'Llegó: Recibo de CFE sin adeudo')
  const send = (form: Record<string, string>, file: File | null = null) =>
    sendForm(world, path, form, gester, file)
  await send({ intent: 'case.hand-in', paper: 'charger_sheet' }, fileOf(pdf(), 'ficha.pdf'))
  expect(await paperWords(world, one)).toContain('charger_sheet validated')
  const nameless = await send({ intent: 'case.ask-paper', asked: 'other', label: ' ', askedFrom: 'gester' })
  expect([nameless.status, nameless.text.includes('Escribe qué documento es.')]).toEqual([400, true])
  await send({ intent: 'case.ask-paper', asked: 'other', label: 'Plano de la cochera', askedFrom: 'gester' })
  expectWords(readable(await world.visit(path, gester)), 'Plano de la cochera', 'Lo pidió CFE')
  const { version } = await caseOf(world, one)
  const held = await send({ intent: 'case.move', move: 'hold', version: String(version), reason: '' })
  expect([held.status, held.text.includes('Escribe por qué.')]).toEqual([400, true])
  await send({ intent: 'case.move', move: 'hold', version: String(version), reason: 'Vacaciones de CFE.' })
  expect(await caseOf(world, one)).toMatchObject({ state: 'on_hold', holdReason: 'Vacaciones de CFE.' })
})

test('the papers of a case are rows: open where something is to be done, or where a form came back', async () => {
  const { analyst: maker, customer2: customer, manager, technician } = people
  await agreed(world, { customer, technician, maker }, { loadIncrease: true })
  const other = await openedBy(world)
  const path = `/admin/gesties/${other.id}`
  const open = (page: Answer) =>
    [...page.text.matchAll(/<details( open="")? class="group"><summary[^>]*><span[^>]*><span[^>]*>([^<]+)/g)]
      .filter(([, isOpen]) => isOpen)
      .map(([, , label]) => label)
  const seen = async () => open(await world.visit(path, manager))
  // The customer's are waited for; of ours, the first.
  expect(await seen()).toEqual(['Ficha técnica del cargador'])
  await handIn(world, customer, other, 'bill')
  await handIn(world, customer, other, 'constancia')
  const given = ['Recibo de CFE sin adeudo', 'Constancia de Situación Fiscal']
  expect(await seen()).toEqual(given)
  expectWords(readable(await world.visit(path, manager)), 'Lo entrega el cliente', 'Revísalo', 'Súbelo')
  const empty = { intent: 'case.hand-in', paper: 'official_id' }
  const refused = await sendForm(world, path, empty, manager, null)
  expect([refused.status, open(refused)]).toEqual([400, ['Identificación oficial del titular', ...given]])
  // A case on hold has its files, and nothing to do.
  const { version } = await caseOf(world, other)
  const hold = { intent: 'case.move', move: 'hold', version: `${version}`, reason: 'Vacaciones de CFE.' }
  await sendForm(world, path, hold, manager)
  const held = await world.visit(path, manager)
  expect([open(held), held.text.match(/\/documents\//g)?.length]).toEqual([[], 2])
})

test('the letters carry what the case says, and lines where nothing is known', async () => {
  await world.db
    .update(cfeCases)
    .set({
      holderName: 'Rosa Niño',
      poleMetres: 40,
      isThreePhase: false,
      serviceNumber: '123456789012',
      contractedKilowatts: 5,
      requestedKilowatts: 9.4,
      tariff: '1C',
    })
    .where(sql`${cfeCases.id} = ${one.id}`)
  const text = async (letter: string) => {
    const { bytes } = await bytesOf(`/papers/${letter}/${one.id}.pdf`)
    return (await textOf(bytes)).replace(/\s+/g, ' ')
  }
  const request = await text('solicitud')
  for (const said of [
    'Solicitud: aumento de carga',
    'Rosa Niño',
    '123456789012',
    'factibilidad',
    'Calle Ejemplo 12',
    'tiene contratados 5 kW, en tarifa 1C, y se pide que queden en 9.4 kW',
    'Bifásico, 220 V',
  ])
    expect(request).toContain(said)
  // The city and the day, without the day of the week.
  expect(request).toMatch(/Ciudad de México, a \d{1,2} de [a-z]+ de \d{4}/)
  const power = await text('carta-poder')
  expect(power).toContain('Yo, Rosa Niño, otorgo a Camila Prueba y a Gerardo Prueba')
  for (const said of ['Primer testigo', 'Acepto el poder', 'de los dos testigos', 'Ciudad de México, a '])
    expect(power).toContain(said)
  expect(request + power).not.toContain('$')
})

const printed = (by: Person, ...ids: string[]) =>
  world.open(`/papers/tramites/ventanilla.pdf?${ids.map((id) => `${rowBox}${id}=`).join('&')}`, by)

test('what is taken to the office on one day is one file, of cases that one may see', async () => {
  const answer = await printed(people.gester, one.id, randomUUID())
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  const file = Buffer.from(await answer.arrayBuffer())
  const text = await textOf(new Uint8Array(file))
  // The papers are bound in, behind the letters, photos as well as PDFs.
  expect(file.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(1)
  for (const bound of ['Identificación oficial del titular', 'Ficha técnica del cargador'])
    expect(text.indexOf('Carta poder')).toBeLessThan(text.lastIndexOf(bound))
  for (const said of [
    'Para la ventanilla de CFE',
    one.folio,
    'Va en este archivo',
    'Falta',
    'Solicitud: aumento de carga',
    'Carta poder',
  ])
    expect(text).toContain(said)
  expect(text).not.toMatch(/\$|imprímelo aparte/)
  for (const [by, id] of [
    [people.gester, randomUUID()],
    [people.customer, one.id],
    [people.technician, one.id],
    [people.analyst, one.id],
  ] as const)
    expect((await printed(by, id)).status).toBe(404)
  const list = await world.visit('/admin/gesties', people.gester)
  expect(list.text).toContain('Imprimir para CFE')
  expect(list.text).not.toContain('Exportar')
})

test('whose turn it is, is said to its gester as theirs: in the list, at the case and in the customer’s file', async () => {
  await world.db.update(cfeCases).set({ waitingOn: 'gester' }).where(eq(cfeCases.id, one.id))
  const { gester, manager } = people
  const file = `/admin/users/${people.customer.id}/cliente`
  const words = /(?:te toca(?: a ti)?|(?:le toca a: )?Gestor)(?= (?:Desde el|hace|ahora|en un|el) )/i
  const said = async (address: string, who: Person) =>
    words.exec(readable(await world.visit(address, who)))?.[0]
  for (const [address, ofIts, ofOthers] of [
    ['/admin/gesties', 'Te toca', 'Gestor'],
    [`/admin/gesties/${one.id}`, 'Te toca a ti', 'Le toca a: Gestor'],
    [file, 'te toca a ti', 'le toca a: Gestor'],
  ] as const)
    expect([address, await said(address, gester), await said(address, manager)]).toEqual([
      address,
      ofIts,
      ofOthers,
    ])
})

test('a constancia in the file is a look at fiscal data, which is noted', async () => {
  const looks = async () =>
    (await world.db.select().from(dataReads)).map(({ readerId, what }) => ({ readerId, what }))
  await world.db
    .update(cfeCases)
    .set({ state: 'gathering', holdReason: null, heldFrom: null })
    .where(eq(cfeCases.id, one.id))
  await handIn(world, people.customer, one, 'constancia', fileOf(await drawnPdf(), 'constancia.pdf'))
  expect(await looks()).toEqual([])
  await (await printed(people.gester, one.id)).arrayBuffer()
  expect(await looks()).toEqual([{ readerId: people.gester.id, what: 'constancia' }])
})

test.each([
  ['No se pudo abrir', () => bombPdf(600)],
  ['Está protegido', () => drawnPdf({ userPassword: 'secreta' })],
])('a paper that cannot be bound in is named with its link: %s', async (why, made) => {
  await world.db
    .update(cfeCases)
    .set({ state: 'gathering', holdReason: null, heldFrom: null })
    .where(eq(cfeCases.id, one.id))
  await handIn(world, people.gester, one, 'charger_sheet', fileOf(await made(), 'ficha.pdf'))
  const before = process.memoryUsage.rss()
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss() - before)
  }, 20)
  const answer = await printed(people.gester, one.id)
  clearInterval(watch)
  expect(answer.status).toBe(200)
  // What unpacks to 600 MB takes some two times as much where nobody ends it.
  expect(most).toBeLessThan(1e9)
  const batch = Buffer.from(await answer.arrayBuffer())
  const [paper] = await world.db
    .select()
    .from(cfePapers)
    .where(and(eq(cfePapers.caseId, one.id), eq(cfePapers.name, 'charger_sheet')))
  expect(batch.toString('latin1')).toContain(`/documents/${paper!.documentId}`)
  const text = await textOf(new Uint8Array(batch))
  for (const said of [`${why}: imprímelo aparte`, 'hasta 80 hojas, 20 de cada uno', 'Carta poder'])
    expect(text).toContain(said)
})

test('a paper whose file is gone is named as such, without a link, and is an error in the log', async () => {
  const of = and(eq(cfePapers.caseId, one.id), eq(cfePapers.name, 'charger_sheet'))
  await handIn(world, people.gester, one, 'charger_sheet', fileOf(pdf(), 'ficha.pdf'))
  const [paper] = await world.db.select().from(cfePapers).where(of)
  await world.drive.delete(paperKey({ id: paper!.documentId! }))
  const logged = vi.spyOn(log, 'error').mockImplementation(() => undefined)
  const from = { db: world.db, drive: world.drive, brand: 'Carga en Casa', baseUrl: 'http://carga.test' }
  const { cases } = await writeBatch(from, people.gester.actor, [one.id], new Date())
  expect(cases[0]!.papers.find(({ label }) => label === 'Ficha técnica del cargador')).toMatchObject({
    value: 'No encontramos el archivo: pide que lo suban otra vez',
    link: null,
  })
  expect(logged.mock.calls).toEqual([[{ document: paper!.documentId }, 'a stored document is missing']])
  logged.mockRestore()
})

const bytesOf = async (address: string) => {
  const answer = await world.open(address, people.gester)
  return { bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('the demo world has cases in several states, where the module is on', async () => {
  const [on, off] = [await freshDatabase(), await demoDatabase()]
  try {
    await loadDemo(on, new Date(), undefined, new Set(['gesties']))
    const states = (await on.select().from(cfeCases)).map(({ state }) => state)
    expect(states.toSorted()).toEqual(['approved', 'closed', 'filed', 'gathering', 'gathering', 'observed'])
    expect(await off.select().from(cfeCases)).toEqual([])
  } finally {
    await on.$client.end()
    await off.$client.end()
  }
})
