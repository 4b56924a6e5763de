import { randomUUID } from 'node:crypto'
import { isShared, mayBeShared } from '../../src/appointments/rules/rules.ts'
import { clearSharedVisits } from '../../src/appointments/shared-visit.ts'
import { users, visitCards } from '../../src/platform/database/schema/accounts.ts'
import { appointments, sharedVisits } from '../../src/platform/database/schema/appointments.ts'
import { withoutSecret } from '../../src/platform/http/request-observer.ts'
import { addressInput } from '../../src/projects/rules/schema.ts'
import { memberOf, password } from '../accounts/own.ts'
import { hour, minute, storeVisit, type Visit, visitAtHome } from '../kit/appointments.ts'
import {
  customer,
  db,
  expectNotOnPage,
  expectScreen,
  expectTrail,
  fixture,
  markupOf,
  openEach,
  pageText,
  post,
  realClockAfterEach,
  rowsWhere,
  setRow,
  storeRows,
  technician,
} from '../kit/open.ts'
import { addressForm, type Person } from '../kit/people.ts'
import { expectAnswered, expectShown, expectTwice, expectWords } from '../kit/reading.ts'

/** At ten in the morning of the day after tomorrow, in Mexico City. */
const start = new Date((Math.floor(Date.now() / (24 * hour)) + 2) * 24 * hour + 16 * hour)
const at = (minutes: number) => new Date(start.getTime() + minutes * minute)

describe('the rule', () => {
  const visit = { state: 'assigned', startsAt: start, minutes: 60 } as const
  const day = start.toISOString().slice(0, 10)

  test.each<[object, number, boolean]>([
    [{ state: 'requested' }, 0, true],
    [{ state: 'done' }, 0, false],
    [{ startsAt: at(24 * 60) }, 0, false],
    [{}, 299, true],
    [{}, 300, false],
  ])('a link to %j after %i minutes shows it: %s', (change, now, shows) =>
    expect(isShared({ ...visit, day, ...change }, at(now))).toBe(shows),
  )

  test.each<[object, number, boolean]>([
    [{}, 0, true],
    [{ confirmed: false }, 0, false],
    [{ service: 'videocall' }, 0, false],
    [{ state: 'done' }, 0, false],
    [{}, 300, false],
  ])('%j after %i minutes may be shared: %s', (change, now, may) => {
    const facts = { ...visit, service: 'technical_visit', confirmed: true } as const
    expect(mayBeShared({ ...facts, ...change }, at(now))).toBe(may)
  })
})

openEach()
realClockAfterEach()

const page = '/technics-visit'
let visit: Visit
beforeEach(async () => {
  await storeRows(visitCards, {
    userId: technician.id,
    vehicle: 'Nissan Versa',
    colour: 'Gris',
    plates: 'ABC-12-34',
    photo: Buffer.from('RIFF'),
    photoTag: 'tag',
  })
  visit = await visitAtHome(customer, start, {
    assigneeId: technician.id,
    notes: 'clave 2580',
  })
})

const press = (intent: string, by: Person = customer, appointmentId = visit.id, path = page) =>
  post(path, { intent, appointmentId }, by)
const link = async (by?: Person, id?: string, path?: string) =>
  /http:\/\/carga\.test(\/visita\/[\w-]{43})</.exec((await press('share-visit', by, id, path)).text)![1]!
/** Opened without a session, each time from another address. */
const open = (path: string) => fixture.visit(path, fixture.visitor())
const statusOf = async (path: string) => (await open(path)).status
const set = (change: Partial<Visit>) => setRow(appointments, visit.id, change)
const stored = () => rowsWhere(sharedVisits)

test('the link is shown once with ways to share it, and only its hash is stored', async () => {
  await expectScreen(page, customer, 'Compartir con tu familia')
  const answer = await press('share-visit')
  const [path] = /\/visita\/[\w-]{43}/.exec(answer.text)!
  const encoded = encodeURIComponent(`http://carga.test${path}`)
  expectShown(answer, 200, 'https://wa.me/?text=', encoded, 'No ve tu domicilio', 'Dejar de compartir')
  expect(await markupOf(page, customer)).not.toContain(path)
  const rows = await stored()
  expect([rows.length, JSON.stringify(rows).includes(path.slice(8))]).toEqual([1, false])
})

test('the link stops working when it is replaced or taken back', async () => {
  const first = await link()
  const second = await link()
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
  await expectTwice(() => press('stop-sharing'))
  expect(await statusOf(second)).toBe(404)
  await expectTrail(customer, ['share_visit', 'share_visit', 'stop_sharing_visit'])
})

test('refuses to share a provisional visit', async () => {
  await expectAnswered(press('share-visit', customer, 'x'), 400)
  await set({ state: 'requested', confirmedAt: null })
  expectShown(await press('share-visit'), 409, 'Esta cita no se puede compartir ahora')
  await expectNotOnPage(page, customer, 'Compartir con tu familia')
  expect(await stored()).toEqual([])
})

test('the links of two homes are separate', async () => {
  const projectId = crypto.randomUUID()
  await post(`/address?otro=${projectId}`, addressForm, customer)
  const home = { projectId, addressId: '', address: addressInput.parse(addressForm) }
  const second = await storeVisit(fixture, customer, home, at(180), { assigneeId: technician.id })
  const screen = ({ projectId }: Visit) => `${page}?proyecto=${projectId}`
  const first = await link(customer, visit.id, screen(visit))
  const other = await link(customer, second.id, screen(second))
  expect([await statusOf(first), await statusOf(other)]).toEqual([200, 200])
  await press('stop-sharing', customer, second.id, screen(second))
  expect([await statusOf(first), await statusOf(other)]).toEqual([200, 404])
})

test('the shared page shows who comes and when, never the address, the customer or internal numbers', async () => {
  const path = await link()
  const shown = await open(path)
  expectShown(
    shown,
    200,
    'Visita técnica',
    'Confirmada',
    'Llegamos entre 10:00 y 10:30 a. m.',
    'Tomás',
    'Nissan Versa, gris',
    'Placas ABC-12-34',
    'Llámanos',
    `src="${path}/foto?tag"`,
  )
  const ids = [customer.id, technician.id, visit.id, visit.folio, visit.projectId, customer.name!, 'Prueba']
  const words = ['Calle Ejemplo', 'Coyoacán', '5512345678', 'clave 2580', 'prueba.mx']
  for (const { text } of [shown, await fixture.data(path, fixture.visitor())])
    for (const word of [...ids, ...words]) expect([word, text.includes(word)]).toEqual([word, false])
})

test('the shared page follows the technician on the way, late, at work, and reported missing', async () => {
  const path = await link()
  fixture.at(at(-10))
  await set({ timeSetAt: at(-60), runningLateMinutes: 30, runningLateAt: at(-10) })
  const text = async () => pageText(path, fixture.visitor())
  expect(await text()).toMatch(/Tomás va unos 30 minutos tarde: llega cerca de las? \d/)
  await set({ runningLateMinutes: null, runningLateAt: null, state: 'en_route', setOutAt: at(-20) })
  expectShown(
    await open(path),
    200,
    'En camino',
    'Tomás va en camino.',
    'Es un cálculo y se actualiza solo',
    'http-equiv="refresh" content="60"',
  )
  await set({ state: 'in_progress', startedAt: at(0) })
  expectWords(await text(), 'En curso', 'Tomás ya está ahí.')
  await set({ state: 'en_route', startedAt: null, nobodyCameAt: at(-1) })
  const missed = await text()
  expectWords(missed, 'Nadie llegó', 'Estamos revisando')
  expect(missed).not.toContain('Es un cálculo')
})

test('the shared page names nobody once the technician is provisional again', async () => {
  const path = await link()
  await set({ state: 'requested', confirmedAt: null })
  const text = await pageText(path, fixture.visitor())
  expectWords(text, 'Apartada', 'En cuanto sepamos quién llega')
  expect(text).not.toMatch(/Tomás|ABC-12-34/)
  expect(await statusOf(`${path}/foto`)).toBe(404)
})

test('the link ends with the visit, and then looks like an unknown one', async () => {
  const path = await link()
  await set({ state: 'done', outcome: 'completed' })
  expectShown(await open(path), 404, 'Este enlace ya terminó')
  const unknown = await pageText(`/visita/${'a'.repeat(43)}`, fixture.visitor())
  expect(await pageText(path, fixture.visitor())).toBe(unknown)
  expect((await fixture.data(path, fixture.visitor())).text).not.toContain('Tomás')
  expect(await statusOf(`${path}/foto?tag`)).toBe(404)
  await set({ state: 'assigned', outcome: null })
  const portrait = await open(`${path}/foto?tag`)
  expect([portrait.status, portrait.headers.get('content-type')]).toEqual([200, 'image/webp'])
})

test('the link ends with the account and with its other sessions', async () => {
  const member = await memberOf()
  const home = await fixture.home(member)
  const own = await storeVisit(fixture, member, home, at(180), { assigneeId: technician.id })
  for (const form of [
    { intent: 'close-others' },
    { intent: 'password', currentPassword: password, newPassword: 'otra-frase-mas-larga' },
  ]) {
    const path = await link(member, own.id)
    expect(await statusOf(path)).toBe(200)
    await expectAnswered(post('/cuenta', form, member), 303)
    expect([form.intent, await statusOf(path)]).toEqual([form.intent, 404])
  }
  const path = await link()
  await setRow(users, customer.id, { active: false })
  expect(await statusOf(path)).toBe(404)
})

test('an ended link is deleted', async () => {
  for (const [change, now, left] of [
    [{ state: 'assigned' }, at(0), 1],
    [{ state: 'assigned' }, at(48 * 60), 0],
    [{ state: 'cancelled' }, at(0), 0],
  ] as const) {
    await link()
    await set(change)
    await clearSharedVisits(db, now)
    expect(await stored()).toHaveLength(left)
  }
})

test('answers are neither cached, indexed, logged nor sent as a referrer', async () => {
  const path = await link()
  for (const asked of [path, `${path}.data`, `${path}/foto`]) {
    const { headers } = await open(asked)
    const names = ['referrer-policy', 'cache-control', 'x-robots-tag']
    const sent = names.map((name) => headers.get(name))
    expect([asked, ...sent]).toEqual([asked, 'no-referrer', 'private, no-store', 'noindex'])
    expect(withoutSecret(asked)).toBe('/visita/…')
  }
  expect(withoutSecret(page)).toBe(page)
  expect((await open('/sitemap.xml')).text).not.toContain('visita/')
})

test('limits guesses from one address to 60', async () => {
  const guesser = fixture.visitor()
  const statuses: number[] = []
  for (let n = 0; n < 62; n++) statuses.push((await fixture.data(`/visita/${randomUUID()}`, guesser)).status)
  expect(statuses).toEqual([...Array(60).fill(404), 429, 429])
})
