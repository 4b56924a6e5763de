import type { Visit } from '../../kit/appointments.ts'
import type { Fixture } from '../../kit/fixture.ts'
import { fixture, manager, newPerson, openOnce, technician } from '../../kit/open.ts'
import { visitUnderWay } from '../../kit/photos.ts'
import { expectStatus } from '../../kit/reading.ts'

const megabyte = 1024 * 1024
openOnce()
let visit: Visit
beforeAll(async () => {
  visit = (await visitUnderWay(technician)).visit
})

/** A form with a file of so many megabytes, which says nothing that its screen understands. */
async function post(path: string, megabytes: number, as = technician as Parameters<Fixture['send']>[1]) {
  const body = new FormData()
  body.set('photo', new File([new Uint8Array(megabytes * megabyte)], 'foto.jpg', { type: 'image/jpeg' }))
  return fixture.send(path, as, { method: 'POST', headers: { origin: 'http://carga.test' }, body })
}

test('forms with a photo or a paper may be larger than others, at the screens that have one, and for whoever is signed in', async () => {
  const screen = `/admin/appointments-pending/${visit.id}`
  const screens = [screen, `${screen}.data`, `/admin/appointments-done/${visit.id}`]
  for (const path of screens) expect([400, 404, 405], path).toContain((await post(path, 12)).status)
  for (const path of screens) {
    const { status, text } = await post(path, 14)
    expect([status, text]).toEqual([413, expect.stringContaining('Puede pesar hasta 13\u00a0MB')])
  }
  for (const path of [
    '/address',
    '/admin/users',
    `/admin/assignations/${visit.id}`,
    `${screen}/x`,
    '/installation/x',
  ])
    expect((await post(path, 2)).status, path).toBe(413)
  expectStatus(await post(screen, 2, fixture.visitor()), 413)
  const customer = await newPerson()
  for (const path of ['/installation', '/fiscal', '/payments', '/payments.data'])
    expect((await post(path, 12, customer)).status, path).not.toBe(413)
  const quote = `/admin/cotizations/detail-quote/${visit.id}`
  const commissions = `/admin/agency/${visit.id}/comisiones`
  for (const path of [quote, commissions, `${commissions}.data`, '/admin/payments/banco'])
    expect((await post(path, 12, manager)).status, path).not.toBe(413)
  // A form of another sort has no photo in it.
  const long = { method: 'POST', body: `note=${'x'.repeat(2 * megabyte)}` }
  const headers = { origin: 'http://carga.test', 'content-type': 'application/x-www-form-urlencoded' }
  expectStatus(await fixture.send(screen, technician, { ...long, headers }), 413)
})

test('nobody takes all places by sending much at once, and another is let in meanwhile', async () => {
  const screen = `/admin/appointments-pending/${visit.id}`
  const many = Array.from({ length: 8 }, () => post(screen, 8))
  const other = await post('/installation', 2, await newPerson())
  const statuses = (await Promise.all(many)).map(({ status }) => status)
  expect(statuses).toContain(503)
  expect(statuses.filter((status) => status !== 503).length).toBeGreaterThanOrEqual(2)
  expect([413, 503]).not.toContain(other.status)
  expect([413, 503]).not.toContain((await post(screen, 2)).status)
})
