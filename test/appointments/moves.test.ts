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
import { emailsAbout, eventsOf, expectWords, readable } from '../kit/reading.ts'
import { completeSheet } from '../kit/reports.ts'

openEach(bookVisit, assignVisit)

const pending = () => `/admin/appointments-pending/${visit.id}`
const done = () => `/admin/appointments-done/${visit.id}`
const note = 'Tablero en buen estado; cabe el cargador.'

test('set out, start, finish: rows, events, letter, and what each side reads', async () => {
  const { technician, manager } = people
  world.at(around(visit, -40 * minute))
  expect(readable(await world.visit(pending(), technician))).toMatch(/Desde las .* podrás iniciar/)
  const out = await move(world, technician, visit, 'setOut')
  expect([out.status, out.location]).toEqual([303, pending()])
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'en_route',
    setOutAt: around(visit, -40 * minute),
  })
  expect(readable(await world.visit('/', customer))).toContain('Tomás va en camino.')
  expect(await emailsAbout(world, visit)).toContain('on_the_way to customer')

  world.at(around(visit, -5 * minute))
  expect((await move(world, technician, visit, 'start')).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'in_progress',
    startedAt: around(visit, -5 * minute),
  })
  expect(readable(await world.visit('/technics-visit', customer))).toContain('En curso')

  world.at(around(visit, 50 * minute))
  const none = await move(world, technician, visit, 'finish', { closingNote: note })
  expect([none.status, readable(none).includes('Envía tu reporte de visita')]).toEqual([409, true])
  await completeSheet(world, { ...visit, assigneeId: technician.id })
  const end = await move(world, technician, visit, 'finish', { closingNote: `  ${note} ` })
  expect([end.status, end.location]).toEqual([303, done()])
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'done',
    outcome: 'completed',
    closingNote: note,
    finishedAt: around(visit, 50 * minute),
    version: 5,
  })
  const trail = (await eventsOf(world, visit.id, 'appointment')).slice(2)
  expect(trail.map((event) => [event.name, event.fromState, event.toState, event.actorId])).toEqual([
    ['setOut', 'assigned', 'en_route', technician.id],
    ['start', 'en_route', 'in_progress', technician.id],
    ['finish', 'in_progress', 'done', technician.id],
  ])
  for (const person of [technician, manager]) {
    expect((await world.visit('/admin/appointments-done', person)).text).toContain(visit.folio)
    expect((await world.visit('/admin/appointments-pending', person)).text).not.toContain(visit.folio)
    expect((await world.visit(done(), person)).text).toContain(note)
    expect((await world.visit(pending(), person)).location).toBe(done())
  }
  const page = readable(await world.visit('/technics-visit', customer))
  expectWords(page, note, 'Realizada')
  expect(page).not.toContain('Resultado')
})

test('starting without setting out first, exactly thirty minutes early', async () => {
  const { technician } = people
  world.at(around(visit, -30 * minute - 1))
  const early = await move(world, technician, visit, 'start')
  expect(early.status).toBe(409)
  expect(readable(early)).toMatch(/Desde las .* podrás iniciar\./)
  world.at(around(visit, -30 * minute))
  expect((await move(world, technician, visit, 'start')).status).toBe(303)
})

test('two taps are one move, one event, one letter', async () => {
  const { technician } = people
  world.at(around(visit, -20 * minute))
  const taps = await Promise.all(['setOut', 'setOut'].map((name) => move(world, technician, visit, name)))
  expect(taps.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect((await emailsAbout(world, visit)).filter((letter) => letter.startsWith('on_the_way'))).toHaveLength(
    1,
  )
  expect((await eventsOf(world, visit.id, 'appointment')).map(({ name }) => name)).toEqual([
    'book',
    'assign',
    'setOut',
  ])
})

test('a second tap on Terminar leads to the visit that is done; another note than the one kept is given back', async () => {
  const { technician } = people
  world.at(around(visit, 0))
  await move(world, technician, visit, 'start')
  await completeSheet(world, { ...visit, assigneeId: technician.id })
  await move(world, technician, visit, 'finish', { closingNote: note })
  const again = await move(world, technician, visit, 'finish', { closingNote: note })
  expect(again.location).toBe(done())
  const other = await move(world, technician, visit, 'finish', { closingNote: 'Otra nota distinta.' })
  expect(other.status).toBe(409)
  expect(readable(other)).toContain('«Otra nota distinta.»')
  expect(await visitOf(world, customer)).toMatchObject({ closingNote: note, version: 4 })
})

test('done visits are the technician’s own, and everybody’s who may see them', async () => {
  const { technician, technician2, analyst, gester, ally, customer2 } = people
  world.at(around(visit, 0))
  await move(world, technician, visit, 'start')
  await completeSheet(world, { ...visit, assigneeId: technician.id })
  await move(world, technician, visit, 'finish', { closingNote: note })
  expect((await world.visit(done(), analyst)).status).toBe(200)
  for (const person of [technician2, gester, ally]) {
    expect((await world.visit(done(), person)).status).toBe(404)
    expect((await world.data(done(), person)).text).not.toContain(visit.folio)
    const list = await world.visit('/admin/appointments-done', person)
    expect(list.status).toBe(200)
    expect(list.text).not.toContain(visit.folio)
  }
  expect((await world.visit(done(), customer2)).location).toBe('/')
  expect((await world.visit('/agenda-technics-visit', customer)).status).toBe(200)
})
