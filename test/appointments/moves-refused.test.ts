import {
  around,
  assignVisit,
  bookVisit,
  customer,
  hour,
  minute,
  move,
  visit,
  visitAtHome,
  visitOf,
} from '../kit/appointments.ts'
import { fixture, fromNow, openEach, technician, technician2 } from '../kit/open.ts'
import { expectAnswered } from '../kit/reading.ts'

openEach(bookVisit)

const unchanged = async () => expect(await visitOf(customer)).toEqual(visit)

test('refuses moves that are unknown or have no button', async () => {
  await assignVisit()
  fixture.at(around(visit, -20 * minute))
  for (const name of ['', 'fly', 'assign', 'autoConfirm', 'release', 'cancel', '__proto__'])
    await expectAnswered(move(technician, visit, name), 400)
  await unchanged()
})

test('the visit does not exist for a provisional technician, nor an unknown id for anybody', async () => {
  fixture.at(around(visit, -20 * minute))
  for (const person of [technician, technician2])
    for (const name of ['setOut', 'start', 'finish']) await expectAnswered(move(person, visit, name), 404)
  for (const id of [crypto.randomUUID(), 'nada', "'--"])
    await expectAnswered(move(technician, { id: encodeURIComponent(id) }, 'setOut'), 404)
  await unchanged()
})

test.each([
  [-31, 404],
  [-29, 302],
  [61, 404],
  [59, 200],
])('a technician’s own visit %i days ahead answers %i', async (days, status) => {
  const other = await fixture.person()
  const start = fromNow(days * 24 * hour)
  const { id } = await visitAtHome(other, start, {
    assigneeId: technician.id,
    state: days < 0 ? 'done' : 'assigned',
  })
  await expectAnswered(fixture.visit(`/admin/appointments-pending/${id}`, technician), status)
})
