import { expect, test } from 'vitest'
import {
  around,
  assign,
  book,
  bookVisit,
  customer,
  hour,
  slots,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { emailsAbout, eventsOf, readable } from '../kit/reading.ts'

openEach(bookVisit)

const send = async (form: Record<string, string>, as = people.manager) =>
  world.post(
    `/admin/assignations/${visit.id}`,
    { version: String((await visitOf(world, customer)).version), ...form },
    as,
  )
const cancelling = { intent: 'cancel-by-house', reason: 'clima', note: 'Lluvia fuerte' }

test('the manager cancels with a reason, also after the cut-off; customer and person hear of it', async () => {
  await assign(world, people.manager, visit, people.technician)
  world.at(around(visit, -hour))
  const form = { ...cancelling, version: String(visit.version + 1) }
  const answers = await Promise.all([send(form), send(form)])
  expect(answers.map(({ status }) => status)).toEqual([303, 303])
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'cancelled',
    late: false,
    closingReason: 'clima',
    closingNote: 'Lluvia fuerte',
  })
  const letters = await emailsAbout(world, visit)
  expect(letters.filter((letter) => letter.startsWith('cancelled'))).toEqual([
    'cancelled to customer',
    'cancelled to person',
  ])
  expect((await eventsOf(world, visit.id, 'appointment')).at(-1)).toMatchObject({
    name: 'cancel',
    actorId: people.manager.id,
    reason: 'Clima: Lluvia fuerte',
  })
})

test('it is cancelled at its own page, which only the manager finds the form at', async () => {
  const page = `/admin/appointments-pending/${visit.id}`
  const form = `action="/admin/assignations/${visit.id}"`
  const { analyst, manager } = people
  const [mine, theirs] = [await world.visit(page, manager), await world.visit(page, analyst)]
  expect([mine.text.includes(form), theirs.text.includes(form)]).toEqual([true, false])
  expect(readable(mine)).toContain('Cancelar la cita')
})

test('its person is taken off with a reason; pressed twice it is one release', async () => {
  await assign(world, people.manager, visit, people.technician)
  const form = { intent: 'release', releaseReason: 'Se enfermó', version: String(visit.version + 1) }
  const answers = [await send(form), await send(form)]
  expect(answers.map(({ status }) => status)).toEqual([303, 303])
  expect(await visitOf(world, customer)).toMatchObject({ state: 'requested', assigneeId: null })
  expect(
    (await eventsOf(world, visit.id, 'appointment')).filter(({ name }) => name === 'release'),
  ).toHaveLength(1)
})

test('no stale form and none without a reason', async () => {
  expect((await send({ ...cancelling, version: '9' })).status).toBe(409)
  expect((await send({ ...cancelling, reason: '' })).status).toBe(400)
  expect((await send({ ...cancelling, reason: 'otro', note: 'corto' })).status).toBe(400)
  expect((await send({ intent: 'release', releaseReason: ' ' })).status).toBe(400)
  // Nobody is confirmed yet, so there is nobody to take off.
  expect((await send({ intent: 'release', releaseReason: 'Se enfermó' })).status).toBe(409)
  expect(await visitOf(world, customer)).toEqual(visit)
})

test('a visit whose day went by: the manager is told, gives it another day or ends it, and it can be booked again', async () => {
  world.at(around(visit, 30 * hour))
  const page = readable(await world.visit(`/admin/assignations/${visit.id}`, people.manager))
  expect(page).toContain('Ya pasó su hora')
  const scout = await world.person()
  await world.home(scout)
  const free = await slots(world, scout)
  const moved = await send({ intent: 'give', assigneeId: visit.assigneeId!, startsAt: free[2]! })
  expect(moved.status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({ startsAt: new Date(free[2]!), movedByUs: 1 })
  world.at(new Date(new Date(free[2]!).getTime() + 30 * hour))
  expect((await send({ ...cancelling, reason: 'cliente_no_disponible' })).status).toBe(303)
  const later = await slots(world, scout)
  expect((await book(world, customer, later[2]!)).status).toBe(303)
})

test('a reason typed while its person set out is given back', async () => {
  await assign(world, people.manager, visit, people.technician)
  const { version } = await visitOf(world, customer)
  world.at(around(visit, -hour))
  await world.post(`/admin/appointments-pending/${visit.id}`, { move: 'setOut' }, people.technician)
  const form = { intent: 'release', releaseReason: 'Pidió el día', version: String(version) }
  const late = await send(form)
  expect(late.status).toBe(409)
  expect(readable(late)).toContain('Esto escribiste: «Pidió el día»')
})
