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
} from '../kit/appointments.ts'
import { expectLed, expectScreen, expectTrail, openEach, pageText, people, world } from '../kit/open.ts'
import {
  emailsAbout,
  eventsOf,
  expectAnswered,
  expectLeadsTo,
  expectShown,
  expectWords,
  statusesOf,
} from '../kit/reading.ts'
import { completeSheet } from '../kit/reports.ts'

openEach(bookVisit, assignVisit)

const pending = () => `/admin/appointments-pending/${visit.id}`
const done = () => `/admin/appointments-done/${visit.id}`
const note = 'Tablero en buen estado; cabe el cargador.'
const finish = (closingNote = note) => move(world, people.technician, visit, 'finish', { closingNote })

test('the technician sets out, starts and finishes: rows, events, email and what each side reads', async () => {
  const { technician, manager } = people
  world.at(around(visit, -40 * minute))
  expect(await pageText(pending(), technician)).toMatch(/Desde las .* podrás iniciar/)
  await expectAnswered(move(world, technician, visit, 'setOut'), 303, pending())
  await expectVisit({
    state: 'en_route',
    setOutAt: around(visit, -40 * minute),
  })
  await expectScreen('/', customer, 'Tomás va en camino.')
  expect(await emailsAbout(world, visit)).toContain('on_the_way to customer')

  world.at(around(visit, -5 * minute))
  await expectAnswered(move(world, technician, visit, 'start'), 303)
  await expectVisit({
    state: 'in_progress',
    startedAt: around(visit, -5 * minute),
  })
  await expectScreen('/technics-visit', customer, 'En curso')

  world.at(around(visit, 50 * minute))
  expectShown(await finish(), 409, 'Envía tu reporte de visita')
  await completeSheet(world, { ...visit, assigneeId: technician.id })
  await expectAnswered(finish(`  ${note} `), 303, done())
  await expectVisit({
    state: 'done',
    outcome: 'completed',
    closingNote: note,
    finishedAt: around(visit, 50 * minute),
    version: 5,
  })
  const trail = (await eventsOf(world, visit, 'appointment')).slice(2)
  expect(trail.map(({ name, fromState, toState, actorId }) => [name, fromState, toState, actorId])).toEqual([
    ['setOut', 'assigned', 'en_route', technician.id],
    ['start', 'en_route', 'in_progress', technician.id],
    ['finish', 'in_progress', 'done', technician.id],
  ])
  for (const person of [technician, manager]) {
    expect((await world.data('/admin/appointments-done', person)).text).toContain(visit.folio)
    expect((await world.data('/admin/appointments-pending', person)).text).not.toContain(visit.folio)
    await expectScreen(done(), person, note)
    await expectLed(pending(), person, done())
  }
  const page = await pageText('/technics-visit', customer)
  expectWords(page, note, 'Realizada')
  expect(page).not.toContain('Resultado')
  await expectAnswered(world.data('/agenda-technics-visit', customer), 200)
})

test('sets out once when pressed twice at once', async () => {
  world.at(around(visit, -20 * minute))
  const setOut = () => move(world, people.technician, visit, 'setOut')
  expect(await statusesOf(setOut(), setOut())).toEqual([303, 409])
  expect(await emailsAbout(world, visit, 'on_the_way')).toHaveLength(1)
  await expectTrail(visit, ['book', 'assign', 'setOut'])
})

test('finishing again leads to the done visit, with another note it is refused; others do not see it', async () => {
  const { technician, technician2, analyst, gester, ally, customer2 } = people
  world.at(around(visit, 0))
  await move(world, technician, visit, 'start')
  await completeSheet(world, { ...visit, assigneeId: technician.id })
  await finish()
  await expectLeadsTo(finish(), done())
  expectShown(await finish('Otra nota distinta.'), 409, '«Otra nota distinta.»')
  await expectVisit({ closingNote: note, version: 4 })
  await expectAnswered(world.data(done(), analyst), 200)
  for (const person of [technician2, gester, ally]) {
    const detail = await world.data(done(), person)
    expect([detail.status, detail.text.includes(visit.folio)]).toEqual([404, false])
    const list = await world.data('/admin/appointments-done', person)
    expect([list.status, list.text.includes(visit.folio)]).toEqual([200, false])
  }
  await expectLed(done(), customer2, '/')
})
