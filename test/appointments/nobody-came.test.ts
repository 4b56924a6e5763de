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
