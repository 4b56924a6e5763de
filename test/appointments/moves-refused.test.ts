import { expect, test } from 'vitest'
import {
  around,
  assignVisit,
  bookVisit,
  customer,
  hour,
  minute,
  move,
  readAgain,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { readable, trailOf } from '../kit/reading.ts'

openEach(bookVisit)

const everyMove = [
  ['setOut', {}],
  ['start', {}],
  ['finish', { closingNote: 'Una nota bastante larga.' }],
] as const

const unchanged = async () => expect(await visitOf(world, customer)).toEqual(visit)

test.each([
  ['the day before', -24 * hour, 'Podrás hacerlo ese día.'],
  ['the day after', 24 * hour, 'Pide a la gerencia que la cambie de día.'],
])('%s nothing begins', async (_when, by, words) => {
  await assignVisit()
  world.at(around(visit, by))
  for (const name of ['setOut', 'start']) {
    const answer = await move(world, people.technician, visit, name)
    expect(answer.status).toBe(409)
    expect(readable(answer)).toContain(words)
  }
  await unchanged()
})

test('a button nobody knows is refused', async () => {
  await assignVisit()
  expect((await move(world, people.technician, visit, 'fly')).status).toBe(400)
  await unchanged()
})

test('a provisional person does not find it, and moves nothing', async () => {
  const { technician, technician2 } = people
  world.at(around(visit, -20 * minute))
  for (const person of [technician, technician2])
    for (const [name, form] of everyMove)
      expect((await move(world, person, visit, name, form)).status).toBe(404)
  await unchanged()
})

test('another technician does not find it; ids that name nothing are not found either', async () => {
  const { technician, technician2 } = people
  await assignVisit()
  world.at(around(visit, -20 * minute))
  for (const [name, form] of everyMove) {
    expect((await move(world, technician2, visit, name, form)).status).toBe(404)
    for (const id of [crypto.randomUUID(), 'nada', "'--"])
      expect((await move(world, technician, { id: encodeURIComponent(id) }, name, form)).status).toBe(404)
  }
  await unchanged()
})

test('those who see it but do not carry it out move nothing', async () => {
  const { manager, analyst, technician } = people
  const ally = people.ally
  await world.db.$client.query('update projects set agency_id = $1', [ally.agencyId])
  await assignVisit()
  world.at(around(visit, -20 * minute))
  for (const person of [manager, analyst, ally]) {
    const page = await world.visit(`/admin/appointments-pending/${visit.id}`, person)
    expect(page.status).toBe(200)
    expect(page.text).not.toMatch(/value="(setOut|start|finish)"/)
    for (const [name, form] of everyMove)
      for (const suffix of ['', '.data'])
        expect((await move(world, person, visit, name, form, suffix)).status).toBe(403)
  }
  await unchanged()
  expect((await move(world, technician, visit, 'setOut')).status).toBe(303)
})

test('customers and the gester are refused, the signed out sent away', async () => {
  const { gester, customer2 } = people
  await assignVisit()
  world.at(around(visit, -20 * minute))
  for (const suffix of ['', '.data']) {
    for (const [name, form] of everyMove) {
      for (const person of [customer, customer2, gester])
        expect((await move(world, person, visit, name, form, suffix)).status).toBe(403)
      expect((await move(world, undefined, visit, name, form, suffix)).location).toBe('/signin')
    }
  }
  await unchanged()
})

test('the end needs a beginning and the report; what was typed stays when refused', async () => {
  const { technician } = people
  await assignVisit()
  world.at(around(visit, 0))
  expect(
    (await move(world, technician, visit, 'finish', { closingNote: 'Una nota bastante larga.' })).status,
  ).toBe(409)
  await unchanged()
  await move(world, technician, visit, 'start')
  await readAgain()
  for (const [closingNote, status] of [
    ['', 409],
    ['   corta   ', 409],
    ['x'.repeat(2001), 400],
  ] as const) {
    const answer = await move(world, technician, visit, 'finish', { closingNote })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(closingNote.trim())
  }
  const none = await move(world, technician, visit, 'finish')
  expect(readable(none)).toContain('Envía tu reporte de visita completo para terminar.')
  await unchanged()
  expect(await trailOf(world, visit, 'appointment')).toEqual(['book', 'assign', 'start'])
})
