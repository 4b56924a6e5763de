import { expect, test } from 'vitest'
import { confirmProvisional } from '../../../src/server/appointments/jobs.ts'
import { around, assignVisit, bookVisit, customer, hour, visit, visitOf } from '../../kit/appointments.ts'
import { openEach, pageText, people, sendJobs, world } from '../../kit/open.ts'
import { emailsAbout, expectShown, trailOf } from '../../kit/reading.ts'
import { changeActive } from '../../kit/users.ts'

openEach(bookVisit, assignVisit)
sendJobs()

const now = () => visitOf(world, customer)
const dismiss = (who: { id: string }, choice?: string) =>
  changeActive(world, people.manager, who, 'no', choice ? { [`choice.${visit.id}`]: choice } : {})

test('a technician with visits is deactivated only with a choice for each; the customer is notified', async () => {
  const { technician, technician2 } = people
  expectShown(await dismiss(technician), 409, '1 cita por resolver')
  expect((await now()).assigneeId).toBe(technician.id)
  expect((await dismiss(technician, technician2.id)).status).toBe(303)
  expect(await now()).toMatchObject({ state: 'assigned', assigneeId: technician2.id })
  expect((await world.data('/admin', technician)).location).toBe('/signin')
  expect(await emailsAbout(world, visit, 'assigned to customer')).toHaveLength(2)
})

test('with no technician left the visit stays without one, each side is notified once, and a new one is confirmed', async () => {
  const { manager, technician, technician2 } = people
  expect((await dismiss(technician2)).status).toBe(303)
  expect((await dismiss(technician, 'release')).status).toBe(303)
  const without = { state: 'requested', assigneeId: null, confirmedAt: null }
  expect(await now()).toMatchObject(without)
  expect(await pageText('/admin/assignations', manager)).toContain('Sin persona')
  expect(await pageText('/technics-visit', customer)).toContain('Te avisamos quién te visita')

  world.at(around(visit, -hour / 2))
  const confirm = async () => {
    for (let round = 0; round < 2; round++) await confirmProvisional(world.db, new Date())
  }
  await confirm()
  expect(await now()).toMatchObject(without)
  expect((await trailOf(world, visit)).filter((name) => name === 'without_person')).toHaveLength(1)
  const notified = async () =>
    (await emailsAbout(world, visit, 'no_person')).filter((email) => !email.endsWith('person')).toSorted()
  expect(await notified()).toEqual(['no_person to customer', 'no_person to managers'])

  const hired = await world.person({ kind: 'tecnician', name: 'Nora' })
  await confirm()
  expect(await now()).toMatchObject({ state: 'assigned', assigneeId: hired.id })
  expect((await dismiss(hired, 'release')).status).toBe(303)
  await confirm()
  expect(await notified()).toEqual([
    'no_person to customer',
    'no_person to customer',
    'no_person to managers',
    'no_person to managers',
  ])
})
