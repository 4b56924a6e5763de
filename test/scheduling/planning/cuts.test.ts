import fc from 'fast-check'
import { expect, test } from 'vitest'
import { broken, counts } from '../../../src/server/scheduling/cuts.ts'
import type { Route } from '../../../src/server/scheduling/groups.ts'
import { cases } from '../../kit/dice.ts'

const visits = 7
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
