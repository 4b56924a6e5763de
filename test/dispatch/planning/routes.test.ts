import fc from 'fast-check'
import { broken, type Cut, counts } from '../../../src/dispatch/cuts.ts'
import { groupsOf, type Route } from '../../../src/dispatch/groups.ts'
import { allWithin, type Prices, priced, reducedOf, routeOf } from '../../../src/dispatch/routes.ts'
import { type DayProblem, stands, visitsInOrder } from '../../../src/dispatch/rules/day-plan.ts'
import { zoneCount } from '../../../src/scheduling/rules/roster.ts'
import { cases } from '../../kit/dice.ts'

const visits = 8
const minutes = (least: number, most: number) =>
  fc.integer({ min: least * 2, max: most * 2 }).map((half) => half / 2)
const stop = fc
  .record({ at: fc.nat(18), zone: fc.nat(3), service: fc.nat(1) })
  .map(({ at, zone, service }) => ({
    start: 540 + at * 30,
    end: 600 + at * 30,
    today: true,
    zone,
    service,
  }))
const some = (of: number) => fc.subarray([...Array(of).keys()])

/** A day on which most ways through it are open. */
const problem: fc.Arbitrary<DayProblem> = fc.record({
  visits: fc
    .array(stop, { minLength: visits, maxLength: visits })
    .map((all) => all.map((one, i) => ({ ...one, id: `v-${i}` }))),
  people: fc
    .array(fc.tuple(some(visits), fc.array(stop, { maxLength: 1 })), { minLength: 1, maxLength: 3 })
    .map((all) => all.map(([able, fixed], p) => ({ id: `p-${p}`, able, fixed, now: [] }))),
  bufferMinutes: fc.constantFrom(0, 15),
  dailyMax: fc.constantFrom([8, 8], [4, 1], [3, 2]),
  travel: fc
    .array(fc.nat(60), { minLength: 16, maxLength: 16 })
    .map((between) =>
      Uint16Array.from(
        { length: zoneCount ** 2 },
        (_, i) => between[(Math.floor(i / zoneCount) % 4) * 4 + ((i % zoneCount) % 4)]!,
      ),
    ),
})

/** A day with every route through it, found one by one, and something random to judge them by. */
const day = problem.chain((given) => {
  const groups = groupsOf(given)
  const subsets = Array.from({ length: 2 ** visits }, (_, bits) =>
    [...Array(visits).keys()].filter((visit) => bits & (1 << visit)),
  )
  const routes = groups.flatMap(({ people }, g) =>
    subsets
      .filter((subset) => subset.length > 0 && stands(given, given.people[people[0]!]!, subset))
      .map((subset): Route => routeOf(given, groups, g, visitsInOrder(given, subset))),
  )
  const cut = fc
    .record({ visits: some(visits), groups: some(groups.length) })
    .map((rows): Cut => ({ ...rows, most: 0 }))
  const prices = fc.record({
    visits: fc.array(minutes(-20, 150), { minLength: visits, maxLength: visits }),
    groups: fc.array(minutes(-60, 0), { minLength: groups.length, maxLength: groups.length }),
    cuts: fc.array(fc.tuple(cut, minutes(-80, -1)), { maxLength: 6 }),
  })
  return fc.record({
    groups: fc.constant(groups),
    routes: fc.constant(routes),
    limit: minutes(-100, 50),
    prices: prices.map(
      (some): Prices => ({
        visits: Float64Array.from(some.visits),
        groups: Float64Array.from(some.groups),
        cuts: new Map(some.cuts),
      }),
    ),
  })
})

const inWords = (routes: readonly (readonly number[])[]) => routes.map((route) => route.join()).sort()

test('finds the cheapest route under any prices, and all up to a limit, as a search through all routes does', () => {
  let weighed = 0
  let found = 0
  fc.assert(
    fc.property(day, ({ groups, routes, prices, limit }) => {
      for (const [g, group] of groups.entries()) {
        const own = routes
          .filter((route) => route.group === g)
          .map((route) => ({ ...route, reduced: reducedOf(route, prices) }))
        const best = priced(group, g, prices, 10)
        expect(best.reduced).toBe(Math.min(0, ...own.map(({ reduced }) => reduced)))
        const first = own.find((route) => route.visits.join() === best.routes[0]?.join())
        if (best.reduced < 0) expect(first?.reduced).toBe(best.reduced)
        const within = own.filter(({ reduced }) => reduced <= limit).map((route) => route.visits)
        expect(inWords(allWithin(group, g, prices, limit, 1000)!)).toEqual(inWords(within))
        if (within.length > 0) expect(allWithin(group, g, prices, limit, within.length - 1)).toBeNull()
        found += within.length
        for (const cut of prices.cuts.keys()) weighed += own.filter((route) => counts(cut, route) > 0).length
      }
    }),
    cases(200),
  )
  expect([found, weighed].every((times) => times > 1000)).toBe(true)
})

const groups = [{ people: [0] }, { people: [1, 2] }, { people: [3, 4, 5] }]
const held = fc.uniqueArray(fc.nat(visits - 1), { minLength: 1, maxLength: 3 })
const routes = fc.array(fc.record({ group: fc.nat(groups.length - 1), visits: held, cost: fc.constant(0) }), {
  minLength: 3,
  maxLength: 12,
})

/** What is left of each visit and of each group's people. */
const wholeRoom = () => [...Array<number>(visits).fill(1), ...groups.map(({ people }) => people.length)]
const rowsOf = (route: Route) => [...route.visits, visits + route.group]

/** Takes a share of each route that still fits. */
function partsOf(some: readonly Route[], share: number): number[] {
  const room = wholeRoom()
  return some.map((route) => {
    if (rowsOf(route).some((row) => room[row]! < share)) return 0
    for (const row of rowsOf(route)) room[row]! -= share
    return share
  })
}

/** Every choice of whole routes that takes no visit twice and no more people than there are. */
function wholePlans(some: readonly Route[], room = wholeRoom()): number[][] {
  const [route, ...others] = some
  if (!route) return [[]]
  const rows = rowsOf(route)
  const without = wholePlans(others, room).map((plan) => [0, ...plan])
  if (rows.some((row) => room[row]! < 1)) return without
  const less = room.map((left, row) => left - Number(rows.includes(row)))
  return [...without, ...wholePlans(others, less).map((plan) => [1, ...plan])]
}

test('keeps every whole plan, and excludes the fractions it was found for', () => {
  let found = 0
  fc.assert(
    fc.property(routes, fc.constantFrom(1 / 2, 1 / 3), (some, share) => {
      const parts = partsOf(some, share)
      const plans = wholePlans(some)
      for (const cut of broken(visits, groups, some, Float64Array.from(parts))) {
        const inCut = (plan: readonly number[]) =>
          some.reduce((sum, route, i) => sum + counts(cut, route) * plan[i]!, 0)
        expect(inCut(parts)).toBeGreaterThan(cut.most)
        for (const plan of plans) expect(inCut(plan)).toBeLessThanOrEqual(cut.most)
        found++
      }
    }),
    cases(1000),
  )
  expect(found).toBeGreaterThan(30)
})
