import { cancel } from '../../../src/appointments/cancel.ts'
import { localDate, toMinutes } from '../../../src/shared/calendar.ts'
import { agendaOf, visitsOf } from '../../kit/appointments.ts'
import { type Dice, dice, rounds } from '../../kit/dice.ts'
import { db, fixture, inParallel, openBare, sendJobsOnce } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { isDone, wordsOf } from './answers.ts'
import { whatIsWrong } from './check.ts'
import { type Call, hasOrder } from './order.ts'
import { bookBy, startsOn, teamOf } from './town.ts'

describe('the search for an order', () => {
  const call = (client: number, what: Call['what'], told: Call['told'], from: number, to = from + 1) =>
    ({ client, what, told, from, to }) as Call

  test('finds one only where calls overlap in time', () => {
    const first = call(0, 'book', 'booked', 0, 9)
    const second = call(1, 'book', 'booked', 5, 6)
    expect(hasOrder([first, second], 2)).toBe(true)
    expect(hasOrder([first, second], 1)).toBe(false)
    // Read as full while the booking is under way, read as free afterwards.
    expect(hasOrder([first, call(2, 'read', 'full', 1, 2), call(3, 'read', 'free', 3, 4)], 1)).toBe(false)
    expect(hasOrder([first, call(2, 'read', 'full', 1, 4), call(3, 'read', 'free', 3, 4)], 1)).toBe(true)
  })

  test('finds none for a stale read, a slot given twice, a needless refusal or a missing booking', () => {
    const honest = [
      call(0, 'book', 'booked', 0),
      call(1, 'read', 'full', 2),
      call(2, 'book', 'full', 4),
      call(0, 'cancel', 'cancelled', 6),
      call(1, 'read', 'free', 8),
      call(2, 'book', 'booked', 10),
    ]
    expect(hasOrder(honest, 1)).toBe(true)
    for (const [nth, told] of [
      [1, 'free'],
      [2, 'booked'],
      [4, 'full'],
      [5, 'full'],
    ] as const)
      expect(hasOrder(honest.with(nth, { ...honest[nth]!, told } as Call), 1)).toBe(false)
    expect(hasOrder(honest.toSpliced(0, 1), 1)).toBe(false)
  })
})

openBare()
sendJobsOnce()
let clients: Person[]
beforeAll(async () => {
  clients = await inParallel(6, () => fixture.person())
  for (const client of clients) await fixture.home(client)
})

const starts = startsOn(0)
const capacity = 2

async function bookAt(client: Person, start: Date): Promise<Pick<Call, 'what' | 'told'>> {
  const answer = await bookBy(fixture, client, 'technical_visit', start)
  if (isDone(answer)) return { what: 'book', told: 'booked' }
  expect(wordsOf(answer)).toContain('se acaba de ocupar')
  return { what: 'book', told: 'full' }
}

async function readAt(client: Person, start: Date): Promise<Pick<Call, 'what' | 'told'>> {
  const { chosen } = await agendaOf(client, localDate(toMinutes(start)))
  return { what: 'read', told: chosen.starts.includes(start.toISOString()) ? 'free' : 'full' }
}

async function cancelOwn(client: Person): Promise<Pick<Call, 'what' | 'told'>> {
  const visit = (await visitsOf(client)).find(({ state }) => state === 'requested')!
  const input = { reason: 'cliente_se_arrepiente', note: null, version: visit.version } as const
  await cancel(db, client.actor, visit.id, input, new Date())
  return { what: 'cancel', told: 'cancelled' }
}

/** One client's calls, each after the answer to the one before; afterwards the slot is as it was. */
async function callsOf(n: number, start: Date, chance: Dice): Promise<Call[]> {
  const client = clients[n]!
  const calls: Call[] = []
  let holds = false
  const make = async (call: Promise<Pick<Call, 'what' | 'told'>>) => {
    const from = performance.now()
    const told = await call
    calls.push({ client: n, from, to: performance.now(), ...told } as Call)
    holds = told.told === 'booked'
  }
  for (let left = 4; left > 0; left--)
    await make(holds ? cancelOwn(client) : chance.below(2) ? bookAt(client, start) : readAt(client, start))
  if (holds) await make(cancelOwn(client))
  return calls
}

test('all answers to six customers who book, cancel and read one slot at once fit one order', {
  timeout: 120_000 * rounds(1),
}, async () => {
  await teamOf(fixture, 'tecnician', capacity)
  const told: Record<string, number> = {}
  for (let round = 0; round < rounds(30); round++) {
    const start = starts[round % starts.length]!
    const calls = await Promise.all(clients.map((_, n) => callsOf(n, start, dice(round * 10 + n))))
    expect(hasOrder(calls.flat(), capacity), `round ${round}: ${JSON.stringify(calls.flat())}`).toBe(true)
    for (const call of calls.flat())
      told[`${call.what} ${call.told}`] = (told[`${call.what} ${call.told}`] ?? 0) + 1
  }
  for (const what of ['book booked', 'book full', 'read free', 'read full', 'cancel cancelled'])
    expect(told[what], what).toBeGreaterThan(5)
  expect(await whatIsWrong(db)).toEqual([])
})
