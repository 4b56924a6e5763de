import { sql } from 'drizzle-orm'
import ICAL from 'ical.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeCode } from '../../../src/server/accounts/letter-codes.ts'
import { withoutSecret } from '../../../src/server/platform/http/request-observer.ts'
import { memberOf, password } from '../../accounts/own.ts'
import { hour, storeVisit, type Visit } from '../../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectWords, readable } from '../../kit/reading.ts'
import type { Answer } from '../../kit/visitor.ts'

openEach()
sendJobs()

const day = 24 * hour
let visit: Visit
beforeEach(async () => {
  const { customer, technician } = people
  const home = await world.home(customer)
  const start = new Date(Date.now() + 3 * day)
  visit = await storeVisit(world, customer, home, start, { assigneeId: technician.id, notes: 'clave 2580' })
})

const pageOf = ({ role }: Person) => (role === 'customer' ? '/cuenta' : '/admin/account')
const press = (intent: string, by: Person) => world.post(pageOf(by), { intent }, by)

/** Makes a link and answers its path. */
async function link(by: Person): Promise<string> {
  const [, path] = /http:\/\/carga\.test(\/calendar\/feed\/[\w-]{43}\.ics)/.exec(
    (await press('calendar-link', by)).text,
  )!
  return path!
}

const subscribe = (path: string, headers: Record<string, string> = {}) =>
  world.send(path, world.visitor(), { headers })

const read = ({ text }: Answer) =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component))
const statusOf = ({ component }: ICAL.Event) => component.getFirstPropertyValue('status')

describe('the link', () => {
  test('is shown once, and serves without a session; kept is only its hash', async () => {
    const { customer } = people
    const answer = await press('calendar-link', customer)
    expect(answer.status).toBe(200)
    expect(readable(answer)).toContain('Copia este enlace ahora')
    expect(answer.text).toMatch(/href="webcal:\/\/carga\.test\/calendar\/feed\/[\w-]{43}\.ics"/)
    const path = /\/calendar\/feed\/[\w-]{43}\.ics/.exec(answer.text)![0]
    const page = await world.visit('/cuenta', customer)
    expect(readable(page)).toContain('Todavía no lo lee ningún calendario')
    expect(page.text).not.toContain(path)
    const { rows } = await world.db.execute(sql`select secret_hash from calendar_feeds`)
    expect(JSON.stringify(rows)).not.toContain(path.slice(15, -4))
    const calendar = await subscribe(path)
    expect(calendar.status).toBe(200)
    expect(read(calendar).map(({ uid }) => uid)).toEqual([`${visit.id}@carga.test`])
    expect(readable(await world.visit('/cuenta', customer))).toContain('Un calendario lo leyó')
  })

  test('changed, the one before serves no more; taken back, none does', async () => {
    const { technician } = people
    const first = await link(technician)
    const second = await link(technician)
    expect((await subscribe(first)).status).toBe(404)
    expect((await subscribe(second)).status).toBe(200)
    expect((await press('calendar-unlink', technician)).status).toBe(303)
    expect((await subscribe(second)).status).toBe(404)
    expect((await press('calendar-unlink', technician)).status).toBe(303)
    const { rows } = await world.db.execute(
      sql`select name from events where entity_id = ${technician.id} order by id`,
    )
    expect(rows.map(({ name }) => name)).toEqual([
      'make_calendar_link',
      'make_calendar_link',
      'remove_calendar_link',
    ])
  })

  test('is for customers and for who carries appointments out', async () => {
    const { manager, gester, ally, analyst } = people
    for (const person of [manager, gester, ally]) {
      expect((await press('calendar-link', person)).status).toBe(403)
      expect((await press('calendar-unlink', person)).status).toBe(403)
      expect(readable(await world.visit('/admin/account', person))).not.toContain('Crear enlace')
    }
    expect((await press('calendar-link', analyst)).status).toBe(200)
  })

  test('ends with the account’s rights: deactivated, or another kind', async () => {
    const { technician, technician2, manager } = people
    const [first, second] = [await link(technician), await link(technician2)]
    await world.db.execute(sql`update users set active = false where id = ${technician.id}`)
    expect((await subscribe(first)).status).toBe(404)
    const form = { intent: 'role', role: 'analyst', version: '1' }
    expect((await world.post(`/admin/users/${technician2.id}`, form, manager)).status).toBe(303)
    expect((await subscribe(second)).status).toBe(404)
    const { rows } = await world.db.execute(
      sql`select 1 from calendar_feeds where user_id = ${technician2.id}`,
    )
    expect(rows).toEqual([])
  })

  test('ends with the other sessions: a new password, a letter’s too, and "Cerrar las demás"', async () => {
    const member = await memberOf(world)
    const changes = {
      password: { currentPassword: password, newPassword: 'otra-frase-mas-larga' },
      'close-others': {},
    }
    for (const [intent, form] of Object.entries(changes)) {
      const path = await link(member)
      const answer = await world.post(pageOf(member), { intent, ...form }, member)
      expect([intent, answer.status, (await subscribe(path)).status]).toEqual([intent, 303, 404])
      const page = readable(await world.visit('/cuenta', member))
      expectWords(page, 'Crear enlace', 'El enlace de tu calendario dejó de servir')
    }
    const path = await link(member)
    const oobCode = await makeCode(world.db, 'reset_password', member.id, new Date())
    const letter = { intent: 'password', oobCode, password: 'una-tercera-frase' }
    expect((await world.post('/recover-password', letter)).status).toBe(303)
    expect((await subscribe(path)).status).toBe(404)
  })

  test('guessed, misspelt or without its ending: not there, the same for all, and not for ever', async () => {
    const path = await link(people.customer)
    const misses = [
      path.slice(0, -4),
      `${path}x`,
      path.replace('feed/', 'feed/x'),
      '/calendar/feed/.ics',
      '/calendar/feed/a.ics',
    ]
    for (const miss of misses) expect((await subscribe(miss)).status).toBe(404)
    const guesser = world.visitor()
    const statuses = []
    for (let n = 0; n < 62; n++)
      statuses.push((await world.visit(`/calendar/feed/${'a'.repeat(40)}${100 + n}.ics`, guesser)).status)
    expect([statuses.filter((one) => one === 404).length, statuses.at(-1)]).toEqual([60, 429])
  })
})

describe('what it tells', () => {
  // A postal code by itself: a random id may hold its digits.
  const whereAndHow = /Calle Ejemplo|Villa|\b04000\b|5512345678|clave 2580/

  test('a customer: when, what and in which part of town, and nothing else', async () => {
    const { customer, technician } = people
    const { text } = await subscribe(await link(customer))
    expect(text).toContain('LOCATION:Coyoacán')
    expect(text).not.toMatch(whereAndHow)
    for (const word of [technician.name!, customer.name!, 'Prueba']) expect(text).not.toContain(word)
  })

  test('a technician: also for whom, by the first name', async () => {
    const { text } = await subscribe(await link(people.technician))
    expect(text).toContain('SUMMARY:Visita técnica · Camila')
    expect(text).not.toMatch(whereAndHow)
    expect(text).not.toContain('Prueba')
  })

  test('one’s own, confirmed, of the last and the next weeks; cancelled ones struck out', async () => {
    const { technician, technician2 } = people
    const path = await link(technician)
    expect(read(await subscribe(path)).map(statusOf)).toEqual(['CONFIRMED'])
    await world.db.execute(sql`update appointments set state = 'cancelled', sequence = 1`)
    const [struck] = read(await subscribe(path))
    expect([statusOf(struck!), struck!.sequence]).toEqual(['CANCELLED', 1])
    const set = (text: string) => world.db.execute(sql.raw(`update appointments set ${text}`))
    await set(`state = 'requested', confirmed_at = null`)
    expect(read(await subscribe(path))).toEqual([])
    await set(`state = 'assigned', confirmed_at = now(), assignee_id = '${technician2.id}'`)
    expect(read(await subscribe(path))).toEqual([])
    await set(`assignee_id = '${technician.id}', starts_at = now() - interval '31 days'`)
    expect(read(await subscribe(path))).toEqual([])
    await set(`starts_at = now() + interval '61 days'`)
    expect(read(await subscribe(path))).toEqual([])
    await set(`starts_at = now() + interval '59 days'`)
    expect(read(await subscribe(path))).toHaveLength(1)
  })
})

describe('over the wire', () => {
  test('read again unchanged: 304; changed: anew', async () => {
    const path = await link(people.customer)
    const first = await subscribe(path)
    const etag = first.headers.get('etag')!
    expect(first.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const again = await subscribe(path, { 'if-none-match': `"other", ${etag}` })
    expect([again.status, again.text]).toEqual([304, ''])
    await world.db.execute(
      sql`update appointments set starts_at = starts_at + interval '1 hour', sequence = 1`,
    )
    const changed = await subscribe(path, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect(
      read(changed)[0]!.startDate.toJSDate().getTime() - read(first)[0]!.startDate.toJSDate().getTime(),
    ).toBe(hour)
  })

  test('the secret goes nowhere else: no referrer, and not into the log', async () => {
    const path = await link(people.customer)
    const { headers } = await subscribe(path)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    for (const asked of [path, `${path}.data`, `${path}/more`])
      expect(withoutSecret(asked)).toBe('/calendar/feed/…')
    expect(withoutSecret('/calendar/x.ics')).toBe('/calendar/x.ics')
  })
})

describe('one appointment as a file', () => {
  const file = (by?: Person, id = visit.id) => world.visit(`/calendar/${id}.ics`, by)

  test('for its customer and whoever carries it out; for others it does not exist', async () => {
    const { customer, customer2, technician, technician2, manager, analyst, gester, ally } = people
    const mine = await file(customer)
    expect(mine.status).toBe(200)
    expect(mine.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(mine.headers.get('content-disposition')).toBe(`inline; filename="${visit.folio}.ics"`)
    expect(mine.headers.get('cache-control')).toBe('private, no-store')
    expect(read(mine)[0]!.location).toBe('Calle Ejemplo 12, Villa Coyoacán, 04000 Coyoacán')
    expect(read(mine)[0]!.description).toContain('Te atiende Tomás Prueba')
    expect(read(await file(technician))[0]!.summary).toBe('Visita técnica · Camila')
    for (const person of [customer2, technician2, manager, analyst, gester, ally])
      expect((await file(person)).status).toBe(404)
    expect((await file()).location).toBe('/signin')
    expect((await file(customer, '01900000-0000-7000-8000-000000000009')).status).toBe(404)
    expect((await world.visit(`/calendar/${visit.id}`, customer)).status).toBe(404)
    expect((await world.visit('/calendar/x.ics', customer)).status).toBe(404)
  })

  test('a provisional person is neither told nor named', async () => {
    await world.db.execute(sql`update appointments set state = 'requested', confirmed_at = null`)
    expect((await file(people.technician)).status).toBe(404)
    expect((await file(people.customer)).text).not.toContain('Tomás')
  })

  test('the customer’s page leads to it', async () => {
    const { text } = await world.visit('/technics-visit', people.customer)
    expect(text).toContain(`href="/calendar/${visit.id}.ics"`)
  })
})
