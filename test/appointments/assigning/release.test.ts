import { expect, test } from 'vitest'
import { releaseAssignee } from '../../../src/server/appointments/assign.ts'
import { around, assign, customerWithVisit, hour, visitOf } from '../../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import { emailsAbout, eventsOf } from '../../kit/reading.ts'

openEach()
sendJobs()

const reason = 'Se enfermó'

test('the manager takes the person off: nobody’s, its customer hears, and it can be assigned again', async () => {
  const { manager, technician } = people
  const { customer, visit } = await customerWithVisit(world)
  await assign(world, manager, visit, technician)
  const { version } = await visitOf(world, customer)
  await releaseAssignee(world.db, manager.actor, visit.id, { reason, version }, new Date())
  const after = await visitOf(world, customer)
  expect(after).toMatchObject({ state: 'requested', assigneeId: null, confirmedAt: null, version: 3 })
  const event = (await eventsOf(world, visit.id, 'appointment')).at(-1)
  expect(event).toMatchObject({ name: 'release', actorId: manager.id, reason, data: { from: technician.id } })
  expect((await emailsAbout(world, visit)).toSorted()).toEqual([
    'assigned to customer',
    'assigned to person',
    'booked to customer',
    'no_person to customer',
    'no_person to person',
  ])
  expect((await assign(world, manager, after, technician)).status).toBe(303)
})

test('not by others, not over somebody else’s change, not once it is under way', async () => {
  const { manager, technician, analyst } = people
  const { customer, visit } = await customerWithVisit(world)
  const tries = (by: typeof manager, version: number, now = new Date()) =>
    releaseAssignee(world.db, by.actor, visit.id, { reason, version }, now).then(
      () => 'released',
      (error) => error.code,
    )
  expect(await tries(manager, 1)).toBe('failed-precondition')
  await assign(world, manager, visit, technician)
  for (const person of [technician, analyst]) expect(await tries(person, 2)).toBe('permission-denied')
  expect(await tries(customer, 2)).toBe('permission-denied')
  expect(await tries(people.customer2, 2)).toBe('not-found')
  expect(await tries(manager, 1)).toBe('aborted')
  await world.db.$client.query(`update appointments set state = 'en_route'`)
  expect(await tries(manager, 2, around(visit, -hour))).toBe('failed-precondition')
  await world.db.$client.query(`update appointments set state = 'assigned'`)
  expect(await tries(manager, 2)).toBe('released')
})
