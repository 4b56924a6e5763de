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
  visitAtHome,
  visitOf,
} from '../kit/appointments.ts'
import { expectTrail, fromNow, openEach, people, world } from '../kit/open.ts'
import { expectAnswered, expectShown } from '../kit/reading.ts'

openEach(bookVisit)

const unchanged = async () => expect(await visitOf(customer)).toEqual(visit)

test('refuses moves that are unknown or have no button', async () => {
  await assignVisit()
  world.at(around(visit, -20 * minute))
  for (const name of ['', 'fly', 'assign', 'autoConfirm', 'release', 'cancel', '__proto__'])
    await expectAnswered(move(people.technician, visit, name), 400)
  await unchanged()
})

test('the visit does not exist for a provisional technician, nor an unknown id for anybody', async () => {
  const { technician, technician2 } = people
  world.at(around(visit, -20 * minute))
  for (const person of [technician, technician2])
    for (const name of ['setOut', 'start', 'finish']) await expectAnswered(move(person, visit, name), 404)
  for (const id of [crypto.randomUUID(), 'nada', "'--"])
    await expectAnswered(move(technician, { id: encodeURIComponent(id) }, 'setOut'), 404)
  await unchanged()
})

test('refuses to finish before the start and without the report, and keeps what was typed', async () => {
  const { technician } = people
  const finish = (closingNote: string) => move(technician, visit, 'finish', { closingNote })
  await assignVisit()
  world.at(around(visit, 0))
  await expectAnswered(finish('Una nota bastante larga.'), 409)
  await unchanged()
  await move(technician, visit, 'start')
  for (const name of ['setOut', 'start']) await expectAnswered(move(technician, visit, name), 409)
  await readAgain()
  expectShown(await finish('   corta   '), 409, 'Envía tu reporte de visita completo para terminar.', 'corta')
  const long = 'x'.repeat(2001)
  expectShown(await finish(long), 400, long)
  await unchanged()
  await expectTrail(visit, ['book', 'assign', 'start'])
})

test.each([
  [-31, 404],
  [-29, 302],
  [61, 404],
  [59, 200],
])('a technician’s own visit %i days ahead answers %i', async (days, status) => {
  const other = await world.person()
  const start = fromNow(days * 24 * hour)
  const { id } = await visitAtHome(other, start, {
    assigneeId: people.technician.id,
    state: days < 0 ? 'done' : 'assigned',
  })
  await expectAnswered(world.visit(`/admin/appointments-pending/${id}`, people.technician), status)
})
