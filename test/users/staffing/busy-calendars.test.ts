import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { confirmProvisional } from '../../../src/appointments/jobs.ts'
import { transaction } from '../../../src/platform/database/client.ts'
import { users } from '../../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { busyCalendars } from '../../../src/platform/database/schema/staff.ts'
import { externalSystems } from '../../../src/platform/external.ts'
import { seal, unseal } from '../../../src/platform/http/sealing.ts'
import { lockAndCheck } from '../../../src/scheduling/choose.ts'
import { currentStaffing } from '../../../src/scheduling/roster.ts'
import { minuteAt, toDate } from '../../../src/shared/calendar.ts'
import { askForCalendars, openCalendars, readCalendar } from '../../../src/users/read-calendars.ts'
import { calendarState, calendarUrl } from '../../../src/users/rules/busy-calendar.ts'
import { agendaOf, assign, book, hour, minute, occupy } from '../../kit/appointments.ts'
import {
  analyst,
  customer,
  db,
  expectNotOnPage,
  expectScreen,
  expectTrail,
  manager,
  markupOf,
  newHome,
  openEach,
  post,
  rowsWhere,
  rowWhere,
  sendJobs,
  setRow,
  storeRows,
  technician,
  technician2,
} from '../../kit/open.ts'
import { type Person, secret } from '../../kit/people.ts'
import { expectPage, expectStatus } from '../../kit/reading.ts'
import { at, workday } from '../../kit/users.ts'

openEach()
sendJobs()

const account = '/admin/account'
const day = workday()
const stamp = (time: string) => `${day.replaceAll('-', '')}T${time}`
const event = (from: string, to: string) =>
  `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Dentista\nDTSTART:${stamp(from)}\nDTEND:${stamp(to)}\nEND:VEVENT\nEND:VCALENDAR\n`

let answer: RequestListener
const server = createServer((request, response) => answer(request, response))
let host: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const says = (status: number, body = '', headers = {}) => {
  answer = (_, response) => void response.writeHead(status, headers).end(body)
}
const reader = () => ({
  ...openCalendars({ baseUrl: 'http://carga.test', secret }),
  trusted: new Set([host]),
})
/** A calendar of theirs at the server of this file. */
async function calendarOf({ id }: Person, path = '/privado-abcd') {
  const url = `http://${host}${path}`
  const row = { personId: id, sealed: seal(reader().key, url), host, ending: url.slice(-4) }
  return (await storeRows(busyCalendars, row))[0]!.id
}
const read = (id: string, now = new Date()) => readCalendar(db, reader(), id, now)
const stored = async (id: string) => (await rowWhere(busyCalendars, { id }))!
const offered = async () => {
  const { chosen } = await agendaOf(customer, day)
  return chosen.starts.filter((start) => start.startsWith(at(day, '11:00').toISOString().slice(0, 10)))
}
/** A day that only the first technician works on, with a calendar that takes from ten to one of it. */
async function busyMorning() {
  await setRow(users, technician2.id, { active: false })
  const id = await calendarOf(technician)
  says(200, event('100000', '130000'), { etag: '"1"' })
  return id
}

test('keeps an address encrypted, and shows its host and its end only, to its owner', async () => {
  const address = 'webcal://8.8.8.8/calendar/ical/tomas%40x/private-5e6f7a8b/basic.ics'
  const add = (by: Person, form = {}) => post(account, { intent: 'busy-add', address, ...form }, by)
  expectStatus(await add(technician), 303)
  expectPage(await add(technician), 400, 'ya está en la lista')
  const [row] = await rowsWhere(busyCalendars)
  expect(JSON.stringify(row)).not.toMatch(/private|tomas/)
  expect(unseal(reader().key, row!.sealed)).toBe(calendarUrl(address))
  await expectScreen(account, technician, '8.8.8.8, termina en .ics')
  expect(await markupOf(account, technician)).not.toContain('private-5e6f')
  await expectScreen(`/admin/users/${technician.id}`, manager, 'Por leer', 'Conectó un calendario suyo')
  await expectNotOnPage(`/admin/users/${technician.id}`, manager, '8.8.8.8', '.ics')
  await expectNotOnPage(account, analyst, '8.8.8.8')
  for (const n of [1, 2, 3])
    expectStatus(await add(technician, { address: `https://8.8.8.8/${n}` }), n < 3 ? 303 : 400)
  expectStatus(await post(account, { intent: 'busy-remove', calendarId: row!.id }, analyst), 404)
  expectStatus(await post(account, { intent: 'busy-remove', calendarId: row!.id }, technician), 303)
  expect(await rowsWhere(busyCalendars)).toHaveLength(2)
})

test.each([
  ['calendario', 'empieza con https'],
  ['http://8.8.8.8/a.ics', 'empieza con https'],
  ['https://ana:clave@8.8.8.8/a.ics', 'empieza con https'],
  ['https://8.8.8.8:25/a.ics', 'empieza con https'],
  ['webcal://192.168.1.1/a.ics', 'red privada'],
  ['https://localhost/a.ics', 'red privada'],
])('refuses the address %s', async (address, words) =>
  expectPage(await post(account, { intent: 'busy-add', address }, technician), 400, words, address),
)

test('takes busy hours from what customers are offered, also under the lock, until the calendar is removed', async () => {
  const id = await busyMorning()
  await newHome(customer)
  const free = await offered()
  const staffing = await currentStaffing(db)
  await read(id)
  const left = await offered()
  expect(free.length - left.length).toBeGreaterThan(5)
  const eleven = at(day, '11:00').toISOString()
  expect([free.includes(eleven), left.includes(eleven)]).toEqual([true, false])
  expectStatus(await book(customer, eleven), 409)
  const placement = { service: 'technical_visit', zone: 3, start: minuteAt(day, '11:00') } as const
  const checked = async (known = staffing) =>
    transaction(db, (tx) => lockAndCheck(tx, known, placement, technician.id, new Date()))
  expect(await checked()).toBeNull()
  expect(await checked(await currentStaffing(db))).toEqual([{ code: 'calendar' }])
  expect((await stored(id)).busy).not.toContain('Dentista')
  await expectScreen(account, technician, 'Bien', 'ocupadas en 7 días')
  expectStatus(await post(account, { intent: 'busy-remove', calendarId: id }, technician), 303)
  expect(await offered()).toEqual(free)
  await expectTrail(technician, ['remove_calendar'])
})

test('leaves an appointment where it is, and lets the manager assign with a reason', async () => {
  const visit = await occupy(technician, at(day, '11:00'))
  await setRow(appointments, visit.id, { state: 'requested', confirmedAt: null })
  await read(await busyMorning())
  expect(await confirmProvisional(db, new Date(at(day, '11:00').getTime() - hour))).toMatchObject({
    confirmed: 1,
  })
  const other = await occupy(technician2, at(day, '12:15'))
  expectPage(await assign(manager, other, technician), 409, 'Ocupado en su calendario')
  expectStatus(await assign(manager, other, technician, { overrideReason: 'Ya lo hablamos' }), 303)
})

test('keeps what was read last while a calendar fails, and says since when', async () => {
  const id = await busyMorning()
  await read(id)
  const { busy } = await stored(id)
  const now = Date.now()
  const after = async (ms: number) => {
    await read(id, new Date(now + ms))
    const row = await stored(id)
    expect(row.busy).toBe(busy)
    return [calendarState(row, new Date(now + ms)), row.fault, row.failures]
  }
  says(304)
  expect(await after(minute)).toEqual(['ok', null, 0])
  says(500)
  for (const n of [1, 2]) expect(await after(n * 10 * minute)).toEqual(['ok', 'status', n])
  expect(await after(30 * minute)).toEqual(['silent', 'status', 3])
  await expectScreen(account, technician, 'Sin respuesta', 'No responde desde', 'lo último que leímos')
  expect(await after(25 * hour)).toEqual(['stopped', 'status', 4])
  says(200, event('100000', '130000'))
  expect(await after(26 * hour)).toEqual(['ok', null, 0])
  says(401)
  expect(await after(26 * hour)).toEqual(['stopped', 'gone', 1])
  await expectScreen(`/admin/users/${technician.id}`, manager, 'Detenido')
  // An hour later it is asked again: most such answers are an outage.
  says(200, event('100000', '130000'))
  expect(await after(27 * hour)).toEqual(['ok', null, 0])
})

test('asks only for what changed, once a day for all of it', async () => {
  const id = await busyMorning()
  const asked: (string | undefined)[] = []
  const inner = answer
  answer = (request, response) => {
    asked.push(request.headers['if-none-match'])
    inner(request, response)
  }
  for (const hours of [0, 0, 24]) await read(id, toDate(minuteAt(day, '09:00') + hours * 60))
  expect(asked).toEqual([undefined, '"1"', undefined])
})

test.each<[string, RequestListener]>([
  ['timeout', () => undefined],
  ['empty', (_, response) => void response.end('x'.repeat(5 * 1024 * 1024 + 1))],
  ['not_calendar', (_, response) => void response.end('<html>')],
  [
    'slow',
    (_, response) =>
      void response.end(
        event('100000', '130000').replace(/BEGIN:VEVENT[\s\S]*END:VEVENT\n/, (one) =>
          one.replace('DTEND', 'RRULE:FREQ=MINUTELY\nDTEND').repeat(2_000),
        ),
      ),
  ],
  ['private', (_, response) => void response.writeHead(302, { location: 'https://169.254.169.254/' }).end()],
  ['private', (_, response) => void response.writeHead(302, { location: 'http://8.8.8.8/' }).end()],
  ['private', (_, response) => void response.writeHead(302, { location: 'https://8.8.8.8:22/' }).end()],
  ['broken', (_, response) => void response.writeHead(302, { location: '/otra' }).end()],
])('stops at an answer that is %s', async (fault, how) => {
  const { answer: usual } = externalSystems.calendars
  externalSystems.calendars.answer = 500
  const id = await calendarOf(technician)
  answer = how
  await read(id)
  expect(await stored(id)).toMatchObject({ fault, failures: 1, readAt: null })
  externalSystems.calendars.answer = usual
})

test('follows three redirections', async () => {
  const id = await calendarOf(technician, '/1')
  answer = ({ url }, response) => {
    const step = Number(url!.slice(1))
    if (step < 4) response.writeHead(302, { location: `/${step + 1}` }).end()
    else response.end(event('100000', '130000'))
  }
  await read(id)
  expect(await stored(id)).toMatchObject({ fault: null, failures: 0 })
})

test('reads calendars that are due, each once, and no private one in production', async () => {
  const ids = [await calendarOf(technician), await calendarOf(analyst)]
  expect(await askForCalendars(db)).toBe(2)
  expect(await askForCalendars(db)).toBe(0)
  await readCalendar(db, openCalendars({ baseUrl: 'http://carga.test', secret }), ids[0]!, new Date())
  expect(await stored(ids[0]!)).toMatchObject({ fault: 'private' })
  await readCalendar(
    db,
    openCalendars({ baseUrl: 'http://carga.test', secret: `${secret}x` }),
    ids[1]!,
    new Date(),
  )
  expect(await stored(ids[1]!)).toMatchObject({ fault: 'sealed' })
})
