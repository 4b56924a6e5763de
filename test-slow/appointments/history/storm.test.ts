import { setTimeout as sleep } from 'node:timers/promises'
import { isDone, unexplained, wordsOf } from '../../../test/appointments/history/answers.ts'
import { whatIsWrong } from '../../../test/appointments/history/check.ts'
import { type Action, daysAhead, onTheDay, type Town } from '../../../test/appointments/history/deck.ts'
import { customersOf, startsOn, teamOf } from '../../../test/appointments/history/town.ts'
import { around, minute } from '../../../test/kit/appointments.ts'
import { dice, rounds } from '../../../test/kit/dice.ts'
import { db, fixture, newPerson, openBareEach, sendJobs } from '../../../test/kit/open.ts'

const clients = 12
const actions = 25

openBareEach()
let town: Town
beforeEach(async () => {
  town = {
    customers: await customersOf(fixture, 24),
    team: [...(await teamOf(fixture, 'tecnician', 4)), ...(await teamOf(fixture, 'analyst', 2))],
    managers: [await newPerson({ kind: 'manager' }), await newPerson({ kind: 'manager' })],
    starts: [0, 1].flatMap((nth) => startsOn(nth)),
  }
})
sendJobs()

type Deck = Record<string, { act: Action; weight: number }>
type Tally = Record<string, number>

/** One client, one thing after another; answers what no words explain. */
async function client(deck: Deck, seed: number, done: Tally): Promise<string[]> {
  const cards = Object.entries(deck).flatMap(([name, { weight }]) => Array<string>(weight).fill(name))
  const chance = dice(seed)
  const wrong: string[] = []
  for (let n = 0; n < actions; n++) {
    const name = chance.oneOf(cards)
    const answer = await deck[name]!.act(town, chance)
    // A machine that is full may say so, and has changed nothing: it is asked again.
    if (answer?.status === 503 && wordsOf(answer).includes('Vuelve a intentarlo')) {
      await sleep(500)
      n--
      continue
    }
    if (!answer) continue
    wrong.push(...unexplained(answer).map((what) => `${name}: ${what}`))
    if (isDone(answer)) done[name] = (done[name] ?? 0) + 1
  }
  return wrong
}

/** Many clients at once, and what they were told and left behind. */
async function storm(deck: Deck, seed: number, done: Tally) {
  const wrong = await Promise.all(Array.from({ length: clients }, (_, n) => client(deck, seed + n, done)))
  expect(wrong.flat()).toEqual([])
  expect(await whatIsWrong(db)).toEqual([])
}

/**
 * Each of these kinds of form has to have worked sometimes. Who meets whom is another thing every time, so whatever was
 * always overtaken by others is tried again by one client alone: then nobody is in its way, and the other kinds leave it
 * something to act upon. `goOn`: what changes with each of those tries.
 */
async function storms(
  deck: Deck,
  seed: number,
  kinds: readonly string[],
  done: Tally,
  goOn: (nth: number) => void = () => undefined,
) {
  for (let round = 1; round <= rounds(1); round++) await storm(deck, round * seed, done)
  for (const name of kinds)
    for (let more = 0; (done[name] ?? 0) < 3 && more < 20; more++) {
      goOn(more)
      expect(
        await client({ ...deck, [name]: { ...deck[name]!, weight: 16 } }, seed - 1 - more, done),
      ).toEqual([])
    }
  for (const name of kinds) expect(done[name], name).toBeGreaterThan(2)
  expect(await whatIsWrong(db)).toEqual([])
}

const timeout = 120_000 * rounds(1)

test('a storm of everything at once leaves a history that adds up', { timeout }, async () => {
  const done: Tally = {}
  const kinds = ['book', 'assign', 'reschedule', 'drag', 'cancelOwn', 'moveHouse', 'optimise']
  await storms(daysAhead, 1000, kinds, done)
})

test('and on the day itself, while people are on the road', { timeout }, async () => {
  const done: Tally = {}
  await storm(daysAhead, 1, done)
  // Few visits are left at one hour: the day goes on to the others.
  const before = (nth: number) => fixture.at(around({ startsAt: town.starts[nth]! }, -10 * minute))
  before(4)
  await storms(onTheDay, 2000, ['onTheRoad', 'drag'], done, (nth) => before(5 + (nth % 12)))
})
