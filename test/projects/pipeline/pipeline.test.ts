import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { callAgainAt, isCallDue } from '../../../src/domain/projects/pipeline.ts'
import { type Stage, stageLabels, stages } from '../../../src/domain/projects/stages.ts'
import { localDay, shortDate } from '../../../src/domain/shared/format.ts'
import { refreshClients } from '../../../src/server/agencies/clients.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { quotes } from '../../../src/server/platform/database/schema/payments.ts'
import { tasks } from '../../../src/server/platform/database/schema/projects.ts'
import { leadingStatuses, projectStatusesOf } from '../../../src/server/projects/overview.ts'
import { noteCall } from '../../../src/server/projects/pipeline.ts'
import { hour, storeVisit, type Visit } from '../../kit/appointments.ts'
import { expectLed, openOnce, pageText, people, sendJobsOnce, world } from '../../kit/open.ts'
import { acceptQuote, day } from '../../kit/payments.ts'
import type { Home, Person } from '../../kit/people.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { expectAnswered, expectPage, expectWords, readable, rowIn, rowsIn } from '../../kit/reading.ts'

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
  storeDraft(world, visit, people.analyst, {
    state: 'sent',
    digest: 'a'.repeat(64),
    sentAt: new Date(),
    sentBy: people.analyst.id,
    validUntil: new Date(Date.now() + 15 * day),
    ...set,
  })
const changeQuotes = (set: Partial<typeof quotes.$inferInsert>, { who }: Client) =>
  world.db.update(quotes).set(set).where(eq(quotes.customerId, who.id))

beforeAll(async () => {
  const { ally, technician } = people
  const newClient = async (name: string, lastname: string, phone: string, agencyId?: string) => {
    const who = await world.person({ name, lastname, phone })
    return { who, home: await world.home(who, {}, agencyId) }
  }
  const first = await newClient('Nora', 'Núñez', '5511112222', ally.agencyId!)
  const visit = await visited(world, first.who, technician, first.home)
  nora = { ...first, quote: await sendOf(visit, { state: 'viewed', viewedAt: new Date() }) }
  oscar = await newClient('Óscar', 'Olmos', '5511113333')
  const assigneeId = technician.id
  await storeVisit(world, oscar.who, oscar.home, new Date(Date.now() + 40 * hour), { assigneeId })
  pilar = await newClient('Pilar', 'Paz', '5511114444')
  await sendOf(await visited(world, pilar.who, technician, pilar.home, { meterChoice: 'second' }))
  const quirino = await world.person({ name: 'Quirino' })
  await acceptQuote(world, quirino, await world.home(quirino))
})

test('the list of clients has the stage and turn of each customer’s own home, after any change', async () => {
  const set = { state: 'en_route', setOutAt: new Date() } as const
  await world.db.update(appointments).set(set).where(eq(appointments.customerId, oscar.who.id))
  await changeQuotes({ state: 'rejected', answeredAt: new Date() }, pilar)
  await Promise.all(Array.from({ length: 4 }, () => refreshClients(world.db, new Date())))
  const { rows } = await world.db.execute<{ id: string; stage: Stage; waiting: string }>(
    sql`select customer_id as id, stage, waiting_on as waiting from project_standings`,
  )
  expect(rows.length).toBeGreaterThan(3)
  const ids = rows.map(({ id }) => id)
  const statuses = leadingStatuses(await projectStatusesOf(world.db, ids, new Date()))
  for (const { id, stage, waiting } of rows)
    expect(statuses.get(id)).toMatchObject({ stage, waitingOn: waiting })

  for (const stage of stages) await expectAnswered(world.data(`${list}?stage=${stage}`, people.manager), 200)
  const { text } = await world.visit(list, people.analyst)
  const counts = Map.groupBy(rows, ({ stage }) => stage)
  for (const [stage, { length }] of counts)
    expect(text).toMatch(
      new RegExp(`href="/admin/clients\\?stage=${stage}"[^>]*>${stageLabels[stage]}<span[^>]*>${length}<`),
    )
  expect(text.match(/\?stage=\w+"/g)).toHaveLength(counts.size)
})

describe('a project', () => {
  const file = (id: string) => `${list}/${id}`
  const page = ({ home, who }: Client) => `/admin/users/${who.id}/cliente?proyecto=${home.projectId}`

  test('is shown whole to managers and analysts', async () => {
    for (const who of [people.manager, people.analyst]) {
      await expectLed(file(nora.home.projectId), who, page(nora))
      const text = await pageText(page(nora), who)
      expectWords(text, 'Nora Núñez', '551 111 22 22', 'Citas', nora.quote.folio)
      expectWords(text, 'Pagos', 'Datos fiscales', 'Historial', '$')
    }
  })

  test('is shown to a gester if it has paperwork, without prices, calls or figures', async () => {
    const { gester } = people
    const status = async (path: string) => (await world.data(path, gester)).status
    for (const path of [file(nora.home.projectId), page(nora)]) expect(await status(path)).toBe(404)
    await expectLed(file(pilar.home.projectId), gester, page(pilar))
    const shown = await world.visit(page(pilar), gester)
    expect(shown.status).toBe(200)
    expect(readable(shown)).toContain('Pilar Paz')
    const raw = shown.text + (await world.data(page(pilar), gester)).text
    for (const secret of ['$1,', '116000', '232000', 'Pagos ', 'lowestTotal":1'])
      expect(raw).not.toContain(secret)
    const all = await world.visit(list, gester)
    expect(readable(all)).toContain('Pilar ')
    expect(readable(all)).not.toMatch(/Nora |Óscar |Llamar hoy/)
    expect(all.text).not.toContain('aria-label="Etapas"')
    for (const part of ['?parte=llamar', '?parte=cifras'])
      expect(await pageText(list + part, gester)).not.toMatch(/Anotar llamada|Puntualidad/)
  })

  test('does not exist under an unknown id, or without the module', async () => {
    for (const id of [randomUUID(), 'x']) await expectAnswered(world.data(file(id), people.manager), 404)
    const off = world.under({ MODULES: '' })
    for (const path of [list, file(nora.home.projectId), `${list}.csv`])
      expect([path, (await off.visit(path, people.manager)).status]).toEqual([path, 404])
  })
})

describe('the customers to call', () => {
  const part = `${list}?parte=llamar`
  const calls = () => pageText(part, people.analyst)
  const none = 'No hay a quién llamar hoy'
  const note = (form: object, who = people.analyst) =>
    world.post(part, { quoteId: nora.quote.id, seen: '', result: 'Lo piensa', ...form }, who)
  const notes = () => rowsIn(world, tasks, { quoteId: nora.quote.id })
  const last = async () => (await notes()).at(-1)!.id

  test.each([
    [null, true],
    [47.9, false],
    [48, true],
  ])('are due after a call %s hours ago: %s', (hours, due) => {
    const now = new Date()
    const again = hours === null ? null : callAgainAt(new Date(now.getTime() - hours * hour), null)
    expect(isCallDue(again, now)).toBe(due)
  })

  test('are due on an agreed day from midnight in Mexico City', () => {
    const again = callAgainAt(new Date('2026-11-23T18:00:00Z'), '2026-11-28')
    expect(isCallDue(again, new Date('2026-11-28T05:59:59Z'))).toBe(false)
    expect(isCallDue(again, new Date('2026-11-28T06:00:00Z'))).toBe(true)
  })

  test('viewed a quote without an answer; each call is noted once, by one who has read the last note', async () => {
    expect(await calls()).toContain('Anotar llamada')
    expectPage(await note({ result: ' ' }), 400, 'Escribe en qué quedaron.')
    for (let n = 0; n < 2; n++) await expectAnswered(note({}), 303)
    const noted = { result: 'Lo piensa', takenBy: people.analyst.id, reason: 'quote_call' }
    expect(await notes()).toMatchObject([noted])
    expect(await calls()).toContain('Ya llamados (1)')
    const late = { result: 'No contesta' }
    expectPage(await note(late, people.manager), 409, 'Alguien más anotó una llamada')
    await expectAnswered(note({ ...late, seen: await last() }, people.manager), 303)
    const about = { again: null, quoteId: nora.quote.id, seen: await last() }
    const racing = [people.analyst, people.manager].map(({ actor, kind }) =>
      noteCall(world.db, actor, { ...about, result: `Yo, ${kind}` }, new Date()),
    )
    const tried = await Promise.allSettled(racing)
    expect(tried.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await notes()).every(({ doneAt }) => doneAt !== null)).toBe(true)
  })

  test('return on the agreed day with the last note, before the quote expires', async () => {
    const inDays = (days: number) => localDay(new Date(Date.now() + days * day))
    const seen = await last()
    const agree = (again: string) => note({ seen, again, result: 'Pidió tiempo' })
    for (const again of [inDays(0), inDays(91), '2026-02-31'])
      expectPage(await agree(again), 400, 'value="Pidió tiempo"')
    expectPage(await agree(inDays(20)), 409, 'Elige un día antes')
    await expectAnswered(agree(inDays(5)), 303)
    const on = shortDate(callAgainAt(new Date(), inDays(5)))
    const { fullName } = (await rowIn(world, users, { id: people.analyst.id }))!
    const words = new RegExp(`Pidió tiempo ?${fullName}, .{3,20}\\. Volver a llamar el ${on}`)
    expect(await calls()).toMatch(words)
    expect(await calls()).toContain(none)
    world.at(new Date(Date.now() + 5 * day))
    expect(await calls()).not.toContain(none)
    world.at(new Date(Date.now() - 5 * day))
    // No calls about an answered quote.
    await changeQuotes({ state: 'rejected', answeredAt: new Date(), reason: 'Caro' }, nora)
    expect(await calls()).toContain(none)
    await expectAnswered(note({ seen: '' }), 409)
  })
})
