import { expect, test } from 'vitest'
import {
  around,
  assignVisit,
  bookVisit,
  customer,
  hour,
  minute,
  move,
  storeVisit,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { trailOf } from '../kit/reading.ts'

openEach(bookVisit, assignVisit)

test('moves we don’t know, and those the product keeps for itself', async () => {
  world.at(around(visit, -20 * minute))
  for (const name of ['', 'assign', 'autoConfirm', 'release', 'cancel', '__proto__'])
    expect((await move(world, people.technician, visit, name)).status).toBe(400)
  expect(await visitOf(world, customer)).toEqual(visit)
})

test('no going back: an order that skips or repeats is refused', async () => {
  const { technician } = people
  world.at(around(visit, 0))
  await move(world, technician, visit, 'start')
  expect((await move(world, technician, visit, 'setOut')).status).toBe(409)
  expect((await move(world, technician, visit, 'start')).status).toBe(409)
  expect(await trailOf(world, visit, 'appointment')).toEqual(['book', 'assign', 'start'])
})

test('a technician’s own visits of long ago and far ahead are out of sight', async () => {
  const { technician } = people
  const day = 24 * hour
  for (const [by, status] of [
    [-31 * day, 404],
    [-29 * day, 302],
    [61 * day, 404],
    [59 * day, 200],
  ] as const) {
    const other = await world.person()
    const state = by < 0 ? 'done' : 'assigned'
    const stored = await storeVisit(world, other, await world.home(other), new Date(Date.now() + by), {
      assigneeId: technician.id,
      state,
    })
    expect((await world.visit(`/admin/appointments-pending/${stored.id}`, technician)).status).toBe(status)
  }
})
