import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { refreshClients } from '../../../src/customers/clients.ts'
import { noteCall } from '../../../src/customers/pipeline.ts'
import { users } from '../../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { quotes } from '../../../src/platform/database/schema/payments.ts'
import { projectStandings, tasks } from '../../../src/platform/database/schema/projects.ts'
import { callAgainAt, isCallDue } from '../../../src/projects/rules/pipeline.ts'
import { type Stage, stageLabels, stages } from '../../../src/projects/rules/stages.ts'
import { localDay, shortDate } from '../../../src/shared/format.ts'
import { hour, storeVisit, type Visit } from '../../kit/appointments.ts'
import {
  ago,
  ally,
  analyst,
  db,
  expectLed,
  expectScreen,
  fixture,
  fromNow,
  gester,
  manager,
  markupOf,
  newHome,
  newPerson,
  openOnce,
  pageText,
  rowsWhere,
  rowWhere,
  sendJobsOnce,
  technician,
} from '../../kit/open.ts'
import { acceptQuote, day } from '../../kit/payments.ts'
import type { Home, Person } from '../../kit/people.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { expectAnswered, expectPage, expectTwice, expectWords, readable } from '../../kit/reading.ts'

openOnce({ MODULES: 'clients,gesties' })
sendJobsOnce()

type Client = { who: Person; home: Home }
/** A customer who saw a quote, one with a visit ahead, and one with paperwork for the gester. */
let nora: Client & { quote: typeof quotes.$inferSelect }
let oscar: Client
let pilar: Client
const list = '/admin/clients'

/** A quote of a visit's that was sent, for fifteen days. */
const sendOf = (visit: Visit, set: Partial<typeof quotes.$inferInsert> = {}) =>
  storeDraft(fixture, visit, analyst, {
    state: 'sent',
    digest: 'a'.repeat(64),
    sentAt: new Date(),
    sentBy: analyst.id,
    validUntil: fromNow(15 * day),
    ...set,
  })
const changeQuotes = (set: Partial<typeof quotes.$inferInsert>, { who }: Client) =>
  db.update(quotes).set(set).where(eq(quotes.customerId, who.id))

beforeAll(async () => {
  const newClient = async (name: string, lastname: string, phone: string, agencyId?: string) => {
    const who = await newPerson({ name, lastname, phone })
    return { who, home: await newHome(who, {}, agencyId) }
  }
  const first = await newClient('Nora', 'Núñez', '5511112222', ally.agencyId!)
  const visit = await visited(first.who, technician, first.home)
  nora = { ...first, quote: await sendOf(visit, { state: 'viewed', viewedAt: new Date() }) }
  oscar = await newClient('Óscar', 'Olmos', '5511113333')
  const assigneeId = technician.id
  await storeVisit(fixture, oscar.who, oscar.home, fromNow(40 * hour), { assigneeId })
  pilar = await newClient('Pilar', 'Paz', '5511114444')
  await sendOf(await visited(pilar.who, technician, pilar.home, { meterChoice: 'second' }))
  const quirino = await newPerson({ name: 'Quirino' })
  await acceptQuote(quirino, await newHome(quirino))
})

// The stages themselves: test/agencies/clients/standing.test.ts.
test('the list of clients has each stage with its clients, after any change', async () => {
  const set = { state: 'en_route', setOutAt: new Date() } as const
  await db.update(appointments).set(set).where(eq(appointments.customerId, oscar.who.id))
  await changeQuotes({ state: 'rejected', answeredAt: new Date() }, pilar)
  await refreshClients(db, new Date())
  for (const stage of stages) await expectAnswered(fixture.data(`${list}?stage=${stage}`, manager), 200)
  const text = await markupOf(list, analyst)
  const counts = Map.groupBy(await rowsWhere(projectStandings, {}), ({ stage }) => stage as Stage)
  expect(counts.size).toBeGreaterThan(2)
  for (const [stage, { length }] of counts) {
    const link = `href="/admin/clients\\?stage=${stage}"[^>]*>${stageLabels[stage]}<span[^>]*>${length}<`
    expect(text).toMatch(new RegExp(link))
  }
  expect(text.match(/\?stage=\w+"/g)).toHaveLength(counts.size)
})

const file = (id: string) => `${list}/${id}`
const page = ({ home, who }: Client) => `/admin/users/${who.id}/cliente?proyecto=${home.projectId}`

test('a project is shown whole to managers and analysts', async () => {
  for (const who of [manager, analyst]) {
    await expectLed(file(nora.home.projectId), who, page(nora))
    const words = [
      'Nora Núñez',
      '551 111 22 22',
      nora.quote.folio,
      'Pagos',
      'Datos fiscales',
      'Historial',
      '$',
    ]
    await expectScreen(page(nora), who, ...words)
  }
})

test('a project is shown to a gester if it has paperwork, without prices, calls or figures', async () => {
  for (const path of [file(nora.home.projectId), page(nora)])
    await expectAnswered(fixture.data(path, gester), 404)
  await expectLed(file(pilar.home.projectId), gester, page(pilar))
  await expectScreen(page(pilar), gester, 'Pilar Paz')
  const shown = await fixture.visit(page(pilar), gester)
  const raw = shown.text + (await fixture.data(page(pilar), gester)).text
  for (const secret of ['$1,', '116000', '232000', 'Pagos ', 'lowestTotal":1'])
    expect(raw).not.toContain(secret)
  const all = await fixture.visit(list, gester)
  expectWords(readable(all), 'Pilar ')
  expect(readable(all)).not.toMatch(/Nora |Óscar |Llamar hoy/)
  expect(all.text).not.toContain('aria-label="Etapas"')
  for (const part of ['?parte=llamar', '?parte=cifras'])
    expect(await pageText(list + part, gester)).not.toMatch(/Anotar llamada|Puntualidad/)
})

test('a project is not found under an unknown id, or without the module', async () => {
  await expectAnswered(fixture.data(file(randomUUID()), manager), 404)
  const off = fixture.under({ MODULES: '' })
  for (const path of [file(nora.home.projectId), `${list}.csv`])
    await expectAnswered(off.visit(path, manager), 404)
})

const part = `${list}?parte=llamar`
const calls = () => pageText(part, analyst)
const none = 'No hay a quién llamar hoy'
const note = (form: object, who = analyst) =>
  fixture.post(part, { quoteId: nora.quote.id, seen: '', result: 'Lo piensa', ...form }, who)
const notes = () => rowsWhere(tasks, { quoteId: nora.quote.id })
const last = async () => (await notes()).at(-1)!.id

test.each([
  [null, true],
  [47.9, false],
  [48, true],
])('calls are due after a call %s hours ago: %s', (hours, due) => {
  const now = new Date()
  const again = hours === null ? null : callAgainAt(new Date(now.getTime() - hours * hour), null)
  expect(isCallDue(again, now)).toBe(due)
})

test('calls are due on an agreed day from midnight in Mexico City', () => {
  const again = callAgainAt(new Date('2026-11-23T18:00:00Z'), '2026-11-28')
  expect(isCallDue(again, new Date('2026-11-28T05:59:59Z'))).toBe(false)
  expect(isCallDue(again, new Date('2026-11-28T06:00:00Z'))).toBe(true)
})

test('a customer who viewed a quote without an answer is called; each call is noted once, by one who has read the last note', async () => {
  expectWords(await calls(), 'Anotar llamada')
  expectPage(await note({ result: ' ' }), 400, 'Escribe en qué quedaron.')
  await expectTwice(() => note({}))
  const noted = { result: 'Lo piensa', takenBy: analyst.id, reason: 'quote_call' }
  expect(await notes()).toMatchObject([noted])
  expectWords(await calls(), 'Ya llamados (1)')
  const late = { result: 'No contesta' }
  expectPage(await note(late, manager), 409, 'Alguien más anotó una llamada')
  await expectAnswered(note({ ...late, seen: await last() }, manager), 303)
  const about = { again: null, quoteId: nora.quote.id, seen: await last() }
  const racing = [analyst, manager].map(({ actor, kind }) =>
    noteCall(db, actor, { ...about, result: `Yo, ${kind}` }, new Date()),
  )
  const tried = await Promise.allSettled(racing)
  expect(tried.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await notes()).every(({ doneAt }) => doneAt !== null)).toBe(true)
})

test('a customer is called again on the agreed day with the last note, before the quote expires', async () => {
  const inDays = (days: number) => localDay(fromNow(days * day))
  const seen = await last()
  const agree = (again: string) => note({ seen, again, result: 'Pidió tiempo' })
  for (const again of [inDays(0), inDays(91), '2026-02-31'])
    expectPage(await agree(again), 400, 'value="Pidió tiempo"')
  expectPage(await agree(inDays(20)), 409, 'Elige un día antes')
  await expectAnswered(agree(inDays(5)), 303)
  const on = shortDate(callAgainAt(new Date(), inDays(5)))
  const { fullName } = (await rowWhere(users, { id: analyst.id }))!
  expect(await calls()).toMatch(new RegExp(`Pidió tiempo ?${fullName}, .{3,20}\\. Volver a llamar el ${on}`))
  expectWords(await calls(), none)
  fixture.at(fromNow(5 * day))
  expect(await calls()).not.toContain(none)
  fixture.at(ago(5 * day))
  // No calls about an answered quote.
  await changeQuotes({ state: 'rejected', answeredAt: new Date(), reason: 'Caro' }, nora)
  expectWords(await calls(), none)
  await expectAnswered(note({ seen: '' }), 409)
})
