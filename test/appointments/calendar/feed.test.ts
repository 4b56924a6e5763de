import { sql } from 'drizzle-orm'
import ICAL from 'ical.js'
import { makeCode } from '../../../src/accounts/letter-codes.ts'
import { users } from '../../../src/platform/database/schema/accounts.ts'
import { withoutSecret } from '../../../src/platform/http/request-observer.ts'
import { memberOf, password } from '../../accounts/own.ts'
import { around, hour, storeVisit, type Visit } from '../../kit/appointments.ts'
import {
  customer,
  db,
  expectScreen,
  expectTrail,
  fixture,
  fromNow,
  manager,
  markupOf,
  openEach,
  pageText,
  post,
  runSql,
  sendJobs,
  setRow,
  technician,
  technician2,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectAnswered, expectLeadsTo, expectShown, expectTwice, expectWords } from '../../kit/reading.ts'
import type { Answer } from '../../kit/visitor.ts'

openEach()
sendJobs()

let visit: Visit
beforeEach(async () => {
  const home = await fixture.home(customer)
  const start = fromNow(72 * hour)
  visit = await storeVisit(fixture, customer, home, start, { assigneeId: technician.id, notes: 'clave 2580' })
})

const pageOf = ({ role }: Person) => (role === 'customer' ? '/cuenta' : '/admin/account')
const press = (intent: string, by: Person) => post(pageOf(by), { intent }, by)

/** Makes a link and answers its path. */
const link = async (by: Person) =>
  /http:\/\/carga\.test(\/calendar\/feed\/[\w-]{43}\.ics)/.exec((await press('calendar-link', by)).text)![1]!
const subscribe = (path: string, headers: Record<string, string> = {}) =>
  fixture.send(path, fixture.visitor(), { headers })
const statusOf = async (path: string) => (await subscribe(path)).status
const read = ({ text }: Answer) =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component))
const set = (columns: string) => db.execute(sql.raw(`update appointments set ${columns}`))
const feeds = async () => (await runSql`select * from calendar_feeds`).rows

test('the link is shown once, works without a session, and only its hash is stored', async () => {
  const answer = await press('calendar-link', customer)
  const path = /\/calendar\/feed\/[\w-]{43}\.ics/.exec(answer.text)![0]
  expectShown(answer, 200, 'Copia este enlace ahora', `href="webcal://carga.test${path}"`)
  const page = await fixture.visit('/cuenta', customer)
  expectShown(page, 200, 'Todavía no lo lee ningún calendario')
  expect(page.text).not.toContain(path)
  expect(JSON.stringify(await feeds())).not.toContain(path.slice(15, -4))
  expect(read(await subscribe(path)).map(({ uid }) => uid)).toEqual([`${visit.id}@carga.test`])
  await expectScreen('/cuenta', customer, 'Un calendario lo leyó')
})

test('the link stops working when it is replaced or taken back', async () => {
  const first = await link(technician)
  const second = await link(technician)
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
  await expectTwice(() => press('calendar-unlink', technician))
  expect(await statusOf(second)).toBe(404)
  await expectTrail(technician, ['make_calendar_link', 'make_calendar_link', 'remove_calendar_link'])
})

test('the link ends with the account and with its kind', async () => {
  const first = await link(technician)
  const second = await link(technician2)
  await setRow(users, technician.id, { active: false })
  expect(await statusOf(first)).toBe(404)
  const form = { intent: 'role', role: 'analyst', version: '1' }
  await expectAnswered(post(`/admin/users/${technician2.id}`, form, manager), 303)
  expect(await statusOf(second)).toBe(404)
  expect(await feeds()).toMatchObject([{ user_id: technician.id }])
})

test('the link ends with the other sessions: by a new password, a reset one, and their end', async () => {
  const member = await memberOf()
  for (const form of [
    { intent: 'password', currentPassword: password, newPassword: 'otra-frase-mas-larga' },
    { intent: 'close-others' },
  ]) {
    const path = await link(member)
    await expectAnswered(post('/cuenta', form, member), 303)
    expect([form.intent, await statusOf(path)]).toEqual([form.intent, 404])
    expectWords(
      await pageText('/cuenta', member),
      'Crear enlace',
      'El enlace de tu calendario dejó de servir',
    )
  }
  const path = await link(member)
  const { code: oobCode } = await makeCode(db, 'reset_password', member.id, new Date())
  const reset = { intent: 'password', oobCode, password: 'una-tercera-frase' }
  await expectAnswered(post('/recover-password', reset), 303)
  expect(await statusOf(path)).toBe(404)
})

test('the link does not exist misspelled or guessed, and limits guesses from one address to 60', async () => {
  const path = await link(customer)
  for (const miss of [path.slice(0, -4), `${path}x`, path.replace('feed/', 'feed/x'), '/calendar/feed/.ics'])
    expect([miss, await statusOf(miss)]).toEqual([miss, 404])
  const guesser = fixture.visitor()
  const statuses: number[] = []
  for (let n = 0; n < 62; n++)
    statuses.push((await fixture.visit(`/calendar/feed/${'a'.repeat(40)}${100 + n}.ics`, guesser)).status)
  expect(statuses).toEqual([...Array(60).fill(404), 429, 429])
})

test('the link is neither logged, indexed nor sent as a referrer', async () => {
  const path = await link(customer)
  const { headers } = await subscribe(path)
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-robots-tag')).toBe('noindex')
  for (const asked of [path, `${path}.data`, `${path}/more`])
    expect(withoutSecret(asked)).toBe('/calendar/feed/…')
  expect(withoutSecret('/calendar/x.ics')).toBe('/calendar/x.ics')
})

describe('the feed', () => {
  // A postal code by itself: an id may hold its digits.
  const address = /Calle Ejemplo|Villa|\b04000\b|5512345678|clave 2580|Prueba/

  test('shows a customer time, service and municipality, and a technician also the first name', async () => {
    const own = (await subscribe(await link(customer))).text
    expect(own).toContain('LOCATION:Coyoacán')
    expect(own).not.toMatch(/Tomás|Camila/)
    const theirs = (await subscribe(await link(technician))).text
    expect(theirs).toContain('SUMMARY:Visita técnica · Camila')
    for (const text of [own, theirs]) expect(text).not.toMatch(address)
  })

  test('holds a technician’s own confirmed and cancelled visits from 30 days ago to 60 ahead', async () => {
    const path = await link(technician)
    const held = async () =>
      read(await subscribe(path)).map(
        ({ component, sequence }) => `${component.getFirstPropertyValue('status')} ${sequence}`,
      )
    expect(await held()).toEqual(['CONFIRMED 0'])
    for (const [columns, entries] of [
      [`state = 'cancelled', sequence = 1`, ['CANCELLED 1']],
      [`state = 'requested', confirmed_at = null`, []],
      [`state = 'assigned', confirmed_at = now(), assignee_id = '${technician2.id}'`, []],
      [`assignee_id = '${technician.id}', starts_at = now() - interval '31 days'`, []],
      [`starts_at = now() + interval '61 days'`, []],
      [`starts_at = now() + interval '59 days'`, ['CONFIRMED 1']],
    ] as const) {
      await set(columns)
      expect([columns, await held()]).toEqual([columns, entries])
    }
  })

  test('answers 304 until something changes', async () => {
    const path = await link(customer)
    const first = await subscribe(path)
    const etag = first.headers.get('etag')!
    expect(first.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const again = await subscribe(path, { 'if-none-match': `"other", ${etag}` })
    expect([again.status, again.text]).toEqual([304, ''])
    await set(`starts_at = starts_at + interval '1 hour', sequence = 1`)
    const changed = await subscribe(path, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    const startOf = (answer: Answer) => read(answer)[0]!.startDate.toJSDate()
    expect(startOf(changed)).toEqual(around({ startsAt: startOf(first) }, hour))
  })
})

const file = (by?: Person, id = visit.id) => fixture.visit(`/calendar/${id}.ics`, by)

test('the file of one appointment is for its customer and its technician only', async () => {
  const mine = await file(customer)
  expect(mine.status).toBe(200)
  expect(mine.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(mine.headers.get('content-disposition')).toBe(`inline; filename="${visit.folio}.ics"`)
  expect(mine.headers.get('cache-control')).toBe('private, no-store')
  const [event] = read(mine)
  expect(event!.location).toBe('Calle Ejemplo 12, Villa Coyoacán, 04000 Coyoacán')
  expect(event!.description).toContain('Te atiende Tomás Prueba')
  expect(read(await file(technician))[0]!.summary).toBe('Visita técnica · Camila')
  await expectLeadsTo(file(), '/signin')
  const text = await markupOf('/technics-visit', customer)
  expect(text).toContain(`href="/calendar/${visit.id}.ics"`)
})

test('the file of one appointment neither exists for nor names a provisional technician', async () => {
  await set(`state = 'requested', confirmed_at = null`)
  await expectAnswered(file(technician), 404)
  expect((await file(customer)).text).not.toContain('Tomás')
})
