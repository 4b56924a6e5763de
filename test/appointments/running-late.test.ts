import { expect, test } from 'vitest'
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
import { emailsAbout, eventsOf, readable } from '../kit/reading.ts'

openEach(bookVisit, assignVisit)

const letters = async () => (await emailsAbout(world, visit)).filter((one) => one.startsWith('running_late'))
const isLate = (minutes: string) => move(world, people.technician, visit, 'runLate', { minutes })

test('one tap is kept, told to the customer and counted by the board; the same again is the same', async () => {
  world.at(around(visit, -20 * minute))
  expect((await isLate('30')).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'assigned',
    runningLateMinutes: 30,
    runningLateAt: around(visit, -20 * minute),
  })
  for (const page of ['/', '/technics-visit'])
    expect(readable(await world.visit(page, customer))).toMatch(
      /Tu técnico va unos 30 minutos tarde: llega cerca de las? \d/,
    )
  const here = `/admin/appointments-pending/${visit.id}`
  const office = readable(await world.visit(here, people.manager))
  expect(office).toMatch(/30 min tarde.*Ya se lo dijimos al cliente/)
  expect(readable(await world.visit(here, people.technician))).toContain(
    'Le dijimos al cliente que llegas cerca de',
  )
  expect(await letters()).toHaveLength(1)
  expect((await isLate('30')).status).toBe(303)
  expect(await letters()).toHaveLength(1)

  // The work begins: nobody is late any more.
  world.at(around(visit, 10 * minute))
  expect((await move(world, people.technician, visit, 'start')).status).toBe(303)
  expect(readable(await world.visit('/', customer))).not.toContain('tarde')
})

test('what a phone sends late is no news after what was said since, also that nobody is late', async () => {
  world.at(around(visit, -10 * minute))
  await isLate('15')
  await isLate('0')
  // The database has the clock of the wall, and no event is ever changed.
  const said = around(visit, -10 * minute).toISOString()
  await world.db.$client.query(
    `begin; set local session_replication_role = replica; update events set at = '${said}' where name = 'runLate'; commit`,
  )
  const body = { move: 'runLate', at: around(visit, -15 * minute), form: { minutes: '30' } }
  const headers = {
    origin: 'http://carga.test',
    'content-type': 'application/json',
    'x-person': people.technician.id,
  }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  expect((await world.send(`/onsite/${visit.id}/moves`, people.technician, init)).status).toBe(200)
  expect((await visitOf(world, customer))!.runningLateMinutes).toBeNull()
  expect(await letters()).toHaveLength(1)
})

test('what was said is changed and taken back, each with its event', async () => {
  world.at(around(visit, -20 * minute))
  await isLate('15')
  await isLate('60')
  expect(await letters()).toHaveLength(2)
  expect((await isLate('0')).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({ runningLateMinutes: null, runningLateAt: null })
  expect(await letters()).toHaveLength(2)
  const told = (await eventsOf(world, visit.id, 'appointment')).filter(({ name }) => name === 'runLate')
  expect(told.map(({ data }) => data)).toEqual([{ minutes: 15 }, { minutes: 60 }, { minutes: null }])
})

test.each([
  ['an hour that has passed', 20 * minute, '15', 409, 'A esa hora ya habrías llegado.'],
  ['minutes of one’s own', -20 * minute, '45', 400, 'Elige cuánto te retrasas.'],
  ['none', -20 * minute, '', 400, 'Elige cuánto te retrasas.'],
  ['another day', -30 * 60 * minute, '30', 409, 'Podrás hacerlo ese día.'],
])('%s is refused in words', async (_, after, minutes, status, words) => {
  world.at(around(visit, after))
  const answer = await isLate(minutes)
  expect([answer.status, readable(answer).includes(words)]).toEqual([status, true])
  expect(await letters()).toEqual([])
})
