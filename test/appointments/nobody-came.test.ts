import { expect, test } from 'vitest'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import {
  around,
  assignVisit,
  bookVisit,
  customer,
  expectVisit,
  minute,
  move,
  visit,
} from '../kit/appointments.ts'
import { expectNotOnPage, expectScreen, openEach, pageText, people, world } from '../kit/open.ts'
import {
  emailsAbout,
  expectAnswered,
  expectShown,
  readable,
  rowsIn,
  statusesOf,
  trailOf,
} from '../kit/reading.ts'

openEach(bookVisit, assignVisit)

const page = '/technics-visit'
const own = () => pageText(page, customer)
const report = () => world.post(page, { intent: 'nobody-came', appointmentId: visit.id }, customer)
const tasksOf = () => rowsIn(world, tasks, { appointmentId: visit.id })
const openTasks = async () => (await tasksOf()).filter(({ doneAt }) => doneAt === null)
const clock = (after: number) => world.at(around(visit, after * minute))

test('from half an hour after the start a customer reports that nobody came: one urgent task and one email', async () => {
  clock(29)
  expect(await own()).not.toMatch(/Avísame si se abre antes|Nadie llegó/)
  const early = await report()
  expect(early.status).toBe(409)
  expect(readable(early).match(/podrás decirnos que nadie llegó/g)).toHaveLength(1)
  clock(30)
  expect(await own()).toContain('Nadie llegó')
  expect(await statusesOf(report(), report())).toEqual([303, 303])
  await expectVisit({
    state: 'assigned',
    nobodyCameAt: around(visit, 30 * minute),
  })
  const task = { reason: 'nobody_came', urgent: true, personId: customer.id, phone: '5512345678' }
  expect(await tasksOf()).toMatchObject([{ ...task, projectId: visit.projectId }])
  expect((await trailOf(world, visit)).slice(2)).toEqual(['nobodyCame'])
  expect(await emailsAbout(world, visit, 'nobody_came to managers')).toEqual(['nobody_came to managers'])
  expect(await own()).toContain('Ya sabemos que nadie llegó')
  await expectScreen('/admin', people.manager, `Nadie llegó a la cita ${visit.folio}`)
  await expectScreen(
    `/admin/appointments-pending/${visit.id}`,
    people.manager,
    'El cliente dice que nadie llegó',
  )
})

test('the manager answers the report, and the customer reads one answer at a time', async () => {
  const answer = async (answer: string) => {
    const form = { move: 'answerNobodyCame', answer }
    return (await world.post(`/admin/appointments-pending/${visit.id}`, form, people.manager)).status
  }
  const emails = () => emailsAbout(world, visit, 'nobody_answered')
  clock(-10)
  await move(world, people.technician, visit, 'setOut')
  clock(31)
  expect(await answer('coming')).toBe(409)
  await report()
  for (const path of [page, '/']) await expectNotOnPage(path, customer, 'va en camino')
  expect(await answer('calling')).toBe(303)
  expect(await own()).toContain('La oficina te está llamando')
  expect([await emails(), (await openTasks()).length]).toEqual([[], 1])
  for (let n = 0; n < 2; n++) expect(await answer('was_there')).toBe(303)
  expect(await own()).toContain('Nos dicen que sí estuvimos ahí')
  expect(await emails()).toEqual(['nobody_answered to customer'])
  expect(await tasksOf()).toMatchObject([{ takenBy: people.manager.id, result: 'Sí estuvo ahí.' }])
  clock(35)
  await expectAnswered(report(), 303)
  expect(await own()).toContain('Ya sabemos que nadie llegó')
  expect(await openTasks()).toHaveLength(1)
  await answer('coming')
  expect(await own()).toContain('Tu técnico va en camino.')
  expect(await own()).not.toContain('Ya sabemos que nadie llegó')
  expect(await openTasks()).toEqual([])
  expect(await answer('perhaps')).toBe(400)
})

test('refuses the report once the visit has begun', async () => {
  clock(0)
  await move(world, people.technician, visit, 'start')
  clock(40)
  expectShown(await report(), 409, '«En curso»')
  expect(await tasksOf()).toEqual([])
})
