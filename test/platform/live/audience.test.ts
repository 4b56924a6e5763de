import { setTimeout as wait } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { visibleTo } from '../../../src/appointments/visibility.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { projects } from '../../../src/platform/database/schema/projects.ts'
import { localDate, toMinutes } from '../../../src/shared/calendar.ts'
import { around, assign, book, move, slots, type Visit, visitOf } from '../../kit/appointments.ts'
import { db, fixture, newPerson, openBare, type People, post } from '../../kit/open.ts'
import { addressForm, type Person } from '../../kit/people.ts'
import { expectStatus } from '../../kit/reading.ts'
import { changed, type Ear, listenAs } from './ear.ts'

openBare()
let people: People & { otherAlly: Person; customer: Person }
let ears: Map<string, Ear>
beforeAll(async () => {
  const other = await fixture.agency({ name: 'Otra concesionaria' })
  people = {
    ...(await fixture.people()),
    otherAlly: await newPerson({ kind: 'alliate', agencyId: other.id }),
  }
  ears = new Map()
  for (const [name, person] of Object.entries(people)) ears.set(name, await listenAs(fixture, person))
})
afterAll(async () => {
  for (const ear of ears.values()) await ear.close()
})

let visit: Visit
beforeEach(async () => {
  fixture.at(new Date())
  people.customer = await newPerson({ name: 'Camila' })
  await fixture.home(people.customer, {}, people.ally.agencyId!)
  ears.get('customer')?.close()
  ears.set('customer', await listenAs(fixture, people.customer))
})

let day = 0
/** Each on a day of its own, so that both technicians are free. */
const bookOne = async () => {
  const answer = await book(people.customer, (await slots(people.customer, day++))[2]!)
  visit = await visitOf(people.customer)
  return answer
}

/** Who may see the visit as it is stored now. */
async function viewers() {
  const seen: string[] = []
  for (const [name, { actor }] of Object.entries(people)) {
    const rows = await db
      .select({ id: appointments.id })
      .from(appointments)
      .innerJoin(projects, eq(projects.id, appointments.projectId))
      .where(and(eq(appointments.customerId, people.customer.id), visibleTo(actor)))
    if (rows.length > 0) seen.push(name)
  }
  return seen
}

/** Lets a form change something, and expects some people, or whoever may see the visit before or after, to hear it, and no one else a single byte. */
async function expectHeard(change: () => Promise<{ status: number }>, names?: readonly string[]) {
  // What was announced before still travels.
  await wait(80)
  for (const ear of ears.values()) ear.forget()
  const before = names ?? (await viewers())
  expectStatus(await change(), 303)
  const allowed = new Set([...before, ...(names ?? (await viewers()))])
  await Promise.all([...allowed].map((name) => ears.get(name)!.hears()))
  await wait(80)
  const told = [...ears].filter(([, ear]) => ear.heard() !== '')
  expect(told.map(([name]) => name).toSorted()).toEqual([...allowed].toSorted())
  for (const [, ear] of told) expect(ear.heard().replaceAll(changed, '')).toBe('')
}

const nobodyElse = ['analyst', 'manager']

test('a booking notifies its customer, the office and the customer’s allies', async () => {
  await expectHeard(bookOne)
  expect((await viewers()).toSorted()).toEqual(['ally', 'customer', ...nobodyElse].toSorted())
})

test('an assignment and its change notify both technicians', async () => {
  const { manager, technician, technician2 } = people
  await bookOne()
  await expectHeard(() => assign(manager, visit, technician))
  visit = await visitOf(people.customer)
  await expectHeard(() => assign(manager, visit, technician2))
  visit = await visitOf(people.customer)
  expect(visit.assigneeId).toBe(technician2.id)
})

test('each step of a visit notifies those who see it', async () => {
  const { manager, technician } = people
  await bookOne()
  await assign(manager, visit, technician)
  fixture.at(around(visit, 0))
  for (const name of ['setOut', 'start']) await expectHeard(() => move(technician, visit, name))
})

test('a new address notifies no provisional technician', async () => {
  await bookOne()
  const to = { ...addressForm, version: '1', moveVisit: 'on', postalCode: '03100' }
  await expectHeard(() => post('/address', to, people.customer))
  expect(await visitOf(people.customer)).toMatchObject({ municipality: 'benito-juarez' })
})

test('analysts are not notified of what only managers may see', async () => {
  const { customer, technician } = people
  const date = localDate(toMinutes(new Date()) + 9 * 24 * 60)
  const notices = { intent: 'notices', version: '1', whatsapp: 'on' }
  await expectHeard(() => post('/cuenta', notices, customer), ['customer', 'manager'])
  const ask = { intent: 'time-off-ask', from: date, to: date, reason: 'Una boda' }
  await expectHeard(() => post('/admin/account', ask, technician), ['technician', 'manager'])
})

test('a new name notifies the technician, the office and the agency', async () => {
  const { manager, technician } = people
  await bookOne()
  await assign(manager, visit, technician)
  const form = { intent: 'profile', name: 'Camelia', lastname: 'Otra', phone: '5512345678', version: '1' }
  const readers = ['customer', 'technician', 'ally', ...nobodyElse]
  await expectHeard(() => post('/cuenta', form, people.customer), readers)
})
