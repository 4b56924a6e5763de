import { expect, test } from 'vitest'
import { assign, bookVisit, customer, customerWithVisit, visit, visitOf } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { readable, trailOf } from '../../kit/reading.ts'

openEach(bookVisit)

test('a form of yesterday’s state is refused: somebody else assigned meanwhile', async () => {
  const { manager, technician, technician2 } = people
  expect((await assign(world, manager, visit, technician)).status).toBe(303)
  const late = await assign(world, manager, visit, technician2)
  expect(late.status).toBe(409)
  expect(readable(late)).toContain('Alguien más actualizó este registro')
  expect(await visitOf(world, customer)).toMatchObject({ assigneeId: technician.id, version: 2 })
  expect(await trailOf(world, visit, 'appointment')).toEqual(['book', 'assign'])
})

test('two managers at once give one person two visits that overlap: one wins', async () => {
  const { manager } = people
  const manager2 = await world.person({ kind: 'manager' })
  const wanted = await world.person({ kind: 'tecnician' })
  const other = await customerWithVisit(world, visit.startsAt.toISOString())
  const answers = await Promise.all([
    assign(world, manager, visit, wanted),
    assign(world, manager2, other.visit, wanted),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
  const both = [await visitOf(world, customer), await visitOf(world, other.customer)]
  expect(both.filter(({ assigneeId }) => assigneeId === wanted.id)).toHaveLength(1)
  expect(both.map(({ state }) => state).toSorted()).toEqual(['assigned', 'requested'])
})

test('two managers at once assign one visit to two people: one wins', async () => {
  const { manager, technician, technician2 } = people
  const answers = await Promise.all([
    assign(world, manager, visit, technician),
    assign(world, manager, visit, technician2),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect(await trailOf(world, visit, 'appointment')).toEqual(['book', 'assign'])
})
