import { and, eq, isNull } from 'drizzle-orm'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { addresses, events, projects } from '../../../src/platform/database/schema/projects.ts'
import { book, slots } from '../../kit/appointments.ts'
import {
  db,
  expectCount,
  expectRowsIn,
  fixture,
  newPerson,
  openOnce,
  post,
  rowWhere,
  runSql,
} from '../../kit/open.ts'
import { addressForm, type Person } from '../../kit/people.ts'
import { expectAnswered, expectShown, statusesOf } from '../../kit/reading.ts'

openOnce()
let customer: Person
beforeEach(async () => {
  customer = await newPerson()
})

const save = (form: Record<string, string> = {}, as = customer) =>
  post('/address', { ...addressForm, ...form }, as)
const stored = async () => {
  const rows = await db
    .select({ address: addresses })
    .from(addresses)
    .innerJoin(projects, eq(projects.id, addresses.projectId))
    .where(eq(projects.customerId, customer.id))
  return rows.map(({ address }) => address)
}

test('the first address opens the project, each with its event', async () => {
  // State and region come from the postal code.
  const former = { municipality: 'Monterrey', state: 'nuevo-leon', regionGroup: 'edomex' }
  await expectAnswered(
    save({ ...former, receiverPhone: '+52 55 8765 4321', cfeServiceNumber: '123' }),
    303,
    '/technics-visit',
  )
  expect(await stored()).toMatchObject([
    {
      postalCode: '04000',
      municipality: 'coyoacan',
      regionGroup: 'cdmx',
      state: 'cdmx',
      area: 'served',
      receiverPhone: '5587654321',
      version: 1,
    },
  ])
  await expectRowsIn(events, { actorId: customer.id }, [
    { entity: 'project', name: 'open' },
    { entity: 'address', name: 'create' },
  ])
})

test('refuses a second first address and malformed versions', async () => {
  await save()
  for (const form of [{}, { version: '9' }]) await expectAnswered(save(form), 409)
  for (const version of ['x', '0', '1.5']) await expectAnswered(save({ version }), 400)
  expect(await stored()).toMatchObject([{ version: 1 }])
})

test('five first addresses sent at once make one project with one address', async () => {
  const answers = [1, 2, 3, 4, 5].map((n) => save({ outerNumber: String(n) }))
  expect(await statusesOf(...answers)).toEqual([303, 409, 409, 409, 409])
  expect(await stored()).toHaveLength(1)
  await expectCount(projects, { customerId: customer.id }, 1)
})

test('a postal code outside the area is the only error, and is kept for the notice of arrival', async () => {
  for (const form of [{}, { colonia: '', street: '', outerNumber: '', dwelling: '', parking: '' }]) {
    const answer = await save({ postalCode: '64000', ...form })
    expectShown(answer, 400, 'Todavía no llegamos al 64000.', 'Avísame cuando lleguen', 'Agendar asesoría')
    expect(answer.text).not.toMatch(/Escribe la calle|Escribe el municipio|Elige tu estado/)
  }
  expect(await stored()).toEqual([])
  const notice = (postalCode: string) => post('/address', { intent: 'notice', postalCode }, customer)
  expectShown(await notice('00000'), 400, 'no existe')
  expectShown(await notice('04000'), 400, 'sí llegamos')
  await expectAnswered(notice('64000'), 303, '/address')
  expect(await stored()).toMatchObject([
    {
      area: 'outside',
      postalCode: '64000',
      state: 'nuevo-leon',
      regionGroup: null,
      wantsNoticeAt: expect.any(Date),
    },
  ])
})

async function customerAtAgenda(at = 0) {
  const customer = await newPerson()
  const { projectId } = await fixture.home(customer)
  const startsAt = (await slots(customer))[at]!
  return {
    book: () => book(customer, startsAt),
    send: (form: Record<string, string>) => post('/address', { version: '1', ...form }, customer),
    visit: () => rowWhere(appointments, { projectId }),
    async address() {
      const present = and(eq(addresses.projectId, projectId), isNull(addresses.archivedAt))
      return (await db.select().from(addresses).where(present))[0]
    },
  }
}

test('a booking and the removal of its address at once: one of the two', async () => {
  for (let round = 0; round < 5; round++) {
    const one = await customerAtAgenda(round)
    const answers = await Promise.all([one.book(), one.send({ intent: 'archive' })])
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect((await one.visit()) === undefined).toBe((await one.address()) === undefined)
  }
})

test('a booking and a change of its address at once: the visit goes to the present address', async () => {
  const change = { ...addressForm, postalCode: '14000', municipality: '', visitSeen: '' }
  for (let round = 0; round < 5; round++) {
    const one = await customerAtAgenda(round)
    await Promise.all([one.book(), one.send(change)])
    const visit = await one.visit()
    if (visit) expect(visit.address?.postalCode).toBe((await one.address())?.postalCode)
  }
})

test('an address form opened before the booking asks whether the visit moves along', async () => {
  const one = await customerAtAgenda()
  await one.book()
  expectShown(
    await one.send({ ...addressForm, street: 'Otra calle', visitSeen: '' }),
    409,
    'Di si también va a esta dirección',
  )
  expect((await one.address())?.street).toBe(addressForm.street)
})

test('the races above caused no deadlock', async () => {
  // Statistics are written at once only on request.
  await runSql`select pg_stat_force_next_flush()`
  const { rows } =
    await runSql`select deadlocks::int from pg_stat_database where datname = current_database()`
  expect(rows).toEqual([{ deadlocks: 0 }])
})
