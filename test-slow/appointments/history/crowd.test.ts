import { randomUUID } from 'node:crypto'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { events } from '../../../src/platform/database/schema/projects.ts'
import { isDone, unexplained, wordsOf } from '../../../test/appointments/history/answers.ts'
import { whatIsWrong } from '../../../test/appointments/history/check.ts'
import { bookBy, customersOf, startsOn, teamOf } from '../../../test/appointments/history/town.ts'
import { dice } from '../../../test/kit/dice.ts'
import type { Person } from '../../../test/kit/people.ts'
import { rowsIn } from '../../../test/kit/reading.ts'
import { openServers, type Servers } from '../../../test/kit/two-servers.ts'

let town: Servers
let customers: Person[]
beforeAll(async () => {
  town = await openServers()
  await teamOf(town, 'tecnician', 4)
  customers = await customersOf(town, 200)
})
afterAll(() => town.close())

/** Generous: a crowd takes its time on a machine with other work. */
const timeout = 120_000

test('two hundred fight over twenty slots at two servers: what is promised can be kept, and everybody hears why not', {
  timeout,
}, async () => {
  const chance = dice(20)
  const wanted = [...startsOn(0, 10), ...startsOn(1, 10)]
  const answers = await Promise.all(
    customers.map((customer, n) =>
      bookBy(town.servers[n % 2]!, customer, 'technical_visit', chance.oneOf(wanted)),
    ),
  )
  expect(answers.flatMap(unexplained)).toEqual([])
  const lost = answers.filter((answer) => !isDone(answer))
  for (const answer of lost)
    expect([answer.status, wordsOf(answer)]).toEqual([409, expect.stringContaining('se acaba de ocupar')])
  const rows = await town.db.select().from(appointments)
  expect(rows).toHaveLength(answers.length - lost.length)
  // Four people with at most four visits on each of two days; travel lets them have fewer.
  expect(rows.length).toBeGreaterThan(12)
  expect(rows.length).toBeLessThanOrEqual(32)
  expect(await town.db.select().from(events)).toHaveLength(rows.length)
  expect(await whatIsWrong(town.db)).toEqual([])
})

test('after a lost answer the same form is told that it is theirs, sixty of sixty; with anything else in it, it leads there and changes nothing', {
  timeout,
}, async () => {
  // Room for all of them, wherever they live.
  await teamOf(town, 'tecnician', 60)
  const sixty = await customersOf(town, 60)
  const wanted = startsOn(2)
  const [here, there] = town.servers
  const outcomes = await Promise.all(
    sixty.map(async (customer, n) => {
      const start = wanted[(n * 4) % wanted.length]!
      const form = { requestKey: randomUUID(), notes: 'Tocar fuerte' }
      const lost = here!.losing(AbortSignal.timeout(1 + n * 10))
      return {
        isLost: (await bookBy(lost, customer, 'technical_visit', start, form).catch(() => null)) === null,
        again: await bookBy(there!, customer, 'technical_visit', start, form),
        other: await bookBy(there!, customer, 'technical_visit', start, { ...form, notes: 'Otra cosa' }),
        mine: await rowsIn(town, appointments, { customerId: customer.id }),
      }
    }),
  )
  for (const { again, other, mine } of outcomes) {
    expect([isDone(again), wordsOf(again)]).toEqual([true, ''])
    // Another form of the same customer is led to what is booked, and changes nothing of it.
    expect([other.status, wordsOf(other)]).toEqual([202, ''])
    expect(mine).toMatchObject([{ notes: 'Tocar fuerte', version: 1 }])
  }
  expect(outcomes.filter(({ isLost }) => isLost).length).toBeGreaterThan(20)
  expect(await whatIsWrong(town.db)).toEqual([])
})
