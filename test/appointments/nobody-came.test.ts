import { expect, test } from 'vitest'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import {
  around,
  assignVisit,
  bookVisit,
  customer,
  minute,
  move,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { emailsAbout, eventsOf, readable, rowsIn } from '../kit/reading.ts'

openEach(bookVisit, assignVisit)

const page = '/technics-visit'
const say = (by = customer) => world.post(page, { intent: 'nobody-came', appointmentId: visit.id }, by)
const tasksOf = () => rowsIn(world, tasks, { appointmentId: visit.id })
const clock = (after: number) => world.at(around(visit, after * minute))

test('from half an hour after the start; said twice it is one urgent task and one letter', async () => {
  clock(29)
  expect(readable(await world.visit(page, customer))).not.toContain('Avísame si se abre antes')
  expect(readable(await world.visit(page, customer))).not.toContain('Nadie llegó')
  const early = await say()
  expect(early.status).toBe(409)
  // Once, where its form would be.
  expect(readable(early).match(/podrás decirnos que nadie llegó/g)).toHaveLength(1)
  clock(30)
  expect(readable(await world.visit(page, customer))).toContain('Nadie llegó')
  const taps = await Promise.all([say(), say()])
  expect(taps.map(({ location, status }) => [status, location])).toEqual([
    [303, page],
    [303, page],
  ])
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'assigned',
    nobodyCameAt: around(visit, 30 * minute),
  })
  expect(await tasksOf()).toMatchObject([
    {
      reason: 'nobody_came',
      urgent: true,
      personId: customer.id,
      projectId: visit.projectId,
      phone: '5512345678',
    },
  ])
  expect(
    (await eventsOf(world, visit.id, 'appointment')).filter(({ name }) => name === 'nobodyCame'),
  ).toHaveLength(1)
  expect(
    (await emailsAbout(world, visit)).filter((letter) => letter === 'nobody_came to managers'),
  ).toHaveLength(1)
  expect(readable(await world.visit(page, customer))).toContain('Ya sabemos que nadie llegó')
  expect(readable(await world.visit('/admin', people.manager))).toContain(
    `Nadie llegó a la cita ${visit.folio}`,
  )
  const screen = await world.visit(`/admin/appointments-pending/${visit.id}`, people.manager)
  expect(readable(screen)).toContain('El cliente dice que nadie llegó')
})

const answer = (one: string, by = people.manager) =>
  world.post(`/admin/appointments-pending/${visit.id}`, { move: 'answerNobodyCame', answer: one }, by)
const letters = async () =>
  (await emailsAbout(world, visit)).filter((letter) => letter === 'nobody_answered to customer').length

test('the office answers by one press, and the customer reads one sentence at a time', async () => {
  await world.at(around(visit, -10 * minute))
  await move(world, people.technician, visit, 'setOut')
  clock(31)
  expect((await answer('coming')).status).toBe(409)
  await say()
  const own = async () => readable(await world.visit(page, customer))
  expect(await own()).not.toContain('va en camino')
  expect(readable(await world.visit('/', customer))).not.toContain('va en camino')
  expect((await answer('calling')).status).toBe(303)
  expect(await own()).toContain('La oficina te está llamando')
  expect([await letters(), (await tasksOf())[0]?.doneAt]).toEqual([0, null])
  expect((await answer('was_there')).status).toBe(303)
  expect((await answer('was_there')).status).toBe(303)
  expect(await own()).toContain('Nos dicen que sí estuvimos ahí')
  expect(await letters()).toBe(1)
  expect(await tasksOf()).toMatchObject([{ takenBy: people.manager.id, result: 'Sí estuvo ahí.' }])
  clock(35)
  expect((await say()).status).toBe(303)
  expect(await own()).toContain('Ya sabemos que nadie llegó')
  expect((await tasksOf()).filter(({ doneAt }) => doneAt === null)).toHaveLength(1)
  await answer('coming')
  expect(await own()).toContain('Tu técnico va en camino.')
  expect(await own()).not.toContain('Ya sabemos que nadie llegó')
  expect((await tasksOf()).filter(({ doneAt }) => doneAt === null)).toEqual([])
  expect((await answer('perhaps')).status).toBe(400)
})

test('nobody but its customer says it', async () => {
  clock(40)
  expect((await say(people.customer2)).status).toBe(404)
  for (const who of [people.manager, people.technician, people.ally])
    expect((await say(who)).status).toBe(403)
  expect(await tasksOf()).toEqual([])
})

test('once somebody is at work, somebody came', async () => {
  clock(0)
  await move(world, people.technician, visit, 'start')
  clock(40)
  const late = await say()
  expect([late.status, readable(late).includes('«En curso»')]).toEqual([409, true])
  expect(await tasksOf()).toEqual([])
})
