import { and, eq, gt, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { activeStates } from '../../../src/domain/appointments/appointment.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { book, slots } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { readable, rowIn } from '../../kit/reading.ts'
import { at, now, visitFor, workday } from '../../kit/users.ts'
import type { Answer } from '../../kit/visitor.ts'

openEach()

const day = workday()
const screen = ({ id }: Person) => `/admin/users/${id}`
const rowOf = async ({ id }: Person) => (await rowIn(world, users, { id }))!

/** The button of the manager's screen, with what was chosen. */
async function deactivate(person: Person, choices: Record<string, string> = {}, by = people.manager) {
  const version = String((await rowOf(person)).version)
  return world.post(screen(person), { intent: 'active', active: 'no', version, ...choices }, by)
}

/** The appointments that a refused form asks about. */
const askedIn = ({ text }: Answer) =>
  [...text.matchAll(/name="choice\.([0-9a-f-]{36})"/g)].map(([, id]) => id!)

/** Future appointments that hold somebody who may not come in. */
const held = () =>
  world.db
    .select({ folio: appointments.folio })
    .from(appointments)
    .innerJoin(users, eq(users.id, appointments.assigneeId))
    .where(
      and(
        inArray(appointments.state, [...activeStates]),
        gt(appointments.startsAt, new Date()),
        eq(users.active, false),
      ),
    )

test('deactivating a technician with three visits is refused with the three; with choices, none is left with them', async () => {
  const { manager, technician, technician2 } = people
  const visits = await Promise.all(
    ['09:00', '11:00', '13:00'].map((time) => visitFor(world, technician, at(day, time))),
  )
  const refused = await deactivate(technician)
  expect(refused.status).toBe(409)
  expect(readable(refused)).toContain('3 citas por resolver')
  expect(askedIn(refused)).toEqual(visits.map(({ id }) => id))
  expect((await rowOf(technician)).active).toBe(true)
  expect((await world.visit('/admin', technician)).status).toBe(200)
  const [first, second, third] = visits
  const choices = {
    [`choice.${first!.id}`]: technician2.id,
    [`choice.${second!.id}`]: technician2.id,
    [`choice.${third!.id}`]: 'release',
  }
  const answer = await deactivate(technician, choices)
  expect([answer.status, answer.location]).toEqual([303, screen(technician)])
  expect((await rowOf(technician)).active).toBe(false)
  expect(await held()).toEqual([])
  expect((await now(third!, world)).assigneeId).toBeNull()
  expect((await world.visit('/admin', technician)).location).toBe('/signin')
  const detail = await world.visit(`/admin/appointments-pending/${first!.id}`, technician2)
  expect(readable(detail)).toContain('Camila Prueba')
  expect(readable(await world.visit('/admin/assignations', manager))).toContain(third!.folio)
})

test('the same by the page’s own script: the list travels with the refusal', async () => {
  const { manager, technician } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  const form = { intent: 'active', active: 'no', version: '1' }
  const answer = await world.post(`${screen(technician)}.data`, form, manager)
  expect(answer.status).toBe(409)
  expect(answer.value).toMatchObject({
    data: {
      refusal: { code: 'failed-precondition', details: { affected: [{ id: visit.id, folio: visit.folio }] } },
    },
  })
})

test.each(['analyst', 'gester', 'customer', 'manager'])(
  'becoming %s asks about the visits too',
  async (role) => {
    const { technician, technician2, manager } = people
    const visit = await visitFor(world, technician, at(day, '10:00'))
    const form = { intent: 'role', role, version: '1' }
    const refused = await world.post(screen(technician), form, manager)
    expect([refused.status, askedIn(refused)]).toEqual([409, [visit.id]])
    expect(readable(refused)).toContain('No realiza este servicio')
    const answer = await world.post(
      screen(technician),
      { ...form, [`choice.${visit.id}`]: technician2.id },
      manager,
    )
    expect(answer.status).toBe(303)
    expect((await now(visit, world)).assigneeId).toBe(technician2.id)
  },
)

test('also while somebody books: the manager sends the form until it passes, and nobody is left with them', {
  timeout: 60_000,
}, async () => {
  const { technician } = people
  await visitFor(world, technician, at(workday(3), '10:00'))
  const crowd = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const one = await world.person()
      await world.home(one)
      return one
    }),
  )
  const day = await slots(world, crowd[0]!)
  const bookings = crowd.map((one, n) => book(world, one, day[n % day.length]!))
  let answer = await deactivate(technician)
  for (let tries = 0; answer.status === 409 && tries < 30; tries++)
    answer = await deactivate(
      technician,
      Object.fromEntries(askedIn(answer).map((id) => [`choice.${id}`, 'release'])),
    )
  expect(answer.status).toBe(303)
  expect(await held()).toEqual([])
  expect((await Promise.all(bookings)).some(({ status }) => status === 303)).toBe(true)
  expect(await held()).toEqual([])
})
