import { expect, test } from 'vitest'
import {
  around,
  assignVisit,
  bookVisit,
  customer,
  expectVisit,
  minute,
  move,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import { expectNotOnPage, expectScreen, openEach, pageText, people, world } from '../kit/open.ts'
import { emailsAbout, eventsOf, expectAnswered, expectShown } from '../kit/reading.ts'

openEach(bookVisit, assignVisit)

const emails = () => emailsAbout(world, visit, 'running_late')
const isLate = (minutes: string) => move(world, people.technician, visit, 'runLate', { minutes })

test('a delay is stored, notified once and shown to customer, manager and technician until the start', async () => {
  world.at(around(visit, -20 * minute))
  for (let n = 0; n < 2; n++) await expectAnswered(isLate('30'), 303)
  await expectVisit({
    state: 'assigned',
    runningLateMinutes: 30,
    runningLateAt: around(visit, -20 * minute),
  })
  for (const page of ['/', '/technics-visit'])
    expect(await pageText(page, customer)).toMatch(
      /Tu técnico va unos 30 minutos tarde: llega cerca de las? \d/,
    )
  const here = `/admin/appointments-pending/${visit.id}`
  expect(await pageText(here, people.manager)).toMatch(/30 min tarde.*Ya se lo dijimos al cliente/)
  await expectScreen(here, people.technician, 'Le dijimos al cliente que llegas cerca de')
  expect(await emails()).toHaveLength(1)
  world.at(around(visit, 10 * minute))
  await expectAnswered(move(world, people.technician, visit, 'start'), 303)
  await expectNotOnPage('/', customer, 'tarde')
})

test('a delay is changed and taken back with an event each; a form of a phone from before counts no more', async () => {
  world.at(around(visit, -10 * minute))
  for (const minutes of ['15', '60', '0']) await expectAnswered(isLate(minutes), 303)
  await expectVisit({ runningLateMinutes: null, runningLateAt: null })
  expect(await emails()).toHaveLength(2)
  const delays = (await eventsOf(world, visit)).filter(({ name }) => name === 'runLate')
  expect(delays.map(({ data }) => data)).toEqual([{ minutes: 15 }, { minutes: 60 }, { minutes: null }])
  // The database has a clock of its own, and events cannot be changed otherwise.
  const at = around(visit, -10 * minute).toISOString()
  await world.db.$client.query(
    `begin; set local session_replication_role = replica; update events set at = '${at}' where name = 'runLate'; commit`,
  )
  const body = { move: 'runLate', at: around(visit, -15 * minute), form: { minutes: '30' } }
  const headers = {
    origin: 'http://carga.test',
    'content-type': 'application/json',
    'x-person': people.technician.id,
  }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  await expectAnswered(world.send(`/onsite/${visit.id}/moves`, people.technician, request), 200)
  expect((await visitOf(world, customer)).runningLateMinutes).toBeNull()
  expect(await emails()).toHaveLength(2)
})

test.each([
  ['to an hour that has passed', 20 * minute, '15', 409, 'A esa hora ya habrías llegado.'],
  ['of other minutes than offered', -20 * minute, '45', 400, 'Elige cuánto te retrasas.'],
])('refuses a delay %s', async (_, after, minutes, status, words) => {
  world.at(around(visit, after))
  expectShown(await isLate(minutes), status, words)
  expect(await emails()).toEqual([])
})
