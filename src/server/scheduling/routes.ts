import { costOf, type DayProblem } from '../../domain/scheduling/day-plan.ts'
import { type Cut, counts } from './cuts.ts'
import type { Group } from './groups.ts'
import { type Labels, labelsOf } from './labels.ts'

/** One day's work for somebody of a group: its visits in order, and the minutes it costs beyond what is fixed. */
export type Route = { group: number; visits: number[]; cost: number }

/** What a visit is worth at present, and what somebody of a group and a cut cost: the LP's duals, in minutes. */
export type Prices = { visits: Float64Array; groups: Float64Array; cuts: ReadonlyMap<Cut, number> }

type End = { node: number; count: number; reduced: number }

/** A route of one of a group's people, with its cost. */
export function routeOf(
  problem: DayProblem,
  groups: readonly Group[],
  group: number,
  visits: number[],
): Route {
  const person = problem.people[groups[group]!.people[0]!]!
  return { group, visits, cost: costOf(problem, person, visits) - costOf(problem, person, []) }
}

/** What a route costs beyond what its visits, its person and its cuts are worth. */
export const reducedOf = ({ group, visits, cost }: Route, prices: Prices) =>
  cost -
  prices.groups[group]! -
  visits.reduce((sum, visit) => sum + prices.visits[visit]!, 0) -
  [...prices.cuts].reduce((sum, [cut, price]) => sum + price * counts(cut, { group, visits }), 0)

/** The routes that would better the LP most, and by how much the best one does (0 at most). */
export function priced(group: Group, index: number, prices: Prices, most: number) {
  const table = labelsOf(group, index, prices)
  const ends = endsOf(group, table, prices.groups[index]!, -1e-6).sort((a, b) => a.reduced - b.reduced)
  return {
    reduced: Math.min(0, ends[0]?.reduced ?? 0),
    routes: ends.slice(0, most).map(({ node, count }) => wayTo(group, table, node, count)),
  }
}

/** Every route whose reduced cost is not above a limit; null when there are more than `most`. */
export function allWithin(
  group: Group,
  index: number,
  prices: Prices,
  limit: number,
  most: number,
): number[][] | null {
  const table = labelsOf(group, index, prices)
  const { begin, bits, dearness } = table.weights
  const found: number[][] = []
  const walk = (
    node: number,
    count: number,
    mask: number,
    behind: number,
    slack: number,
    way: number[],
  ): boolean => {
    const { before, isFirst, legs, step, visit } = group.nodes[node]!
    const gain = visit < 0 ? 0 : prices.visits[visit]! - dearness(mask & bits[node]!)
    const here = visit < 0 ? way : [visit, ...way]
    const left = count - step
    const after = mask ^ bits[node]!
    if (isFirst && left === 0 && behind - gain + dearness(begin & after) <= slack) {
      if (found.length >= most) return false
      found.push(here)
    }
    for (const [i, r] of before.entries()) {
      const cost = behind - gain + legs[i]!
      if (table.best[r * group.totals.length + left]! + cost > slack) continue
      if (!walk(r, left, after, cost, slack, here)) return false
    }
    return true
  }
  for (const { node, count } of endsOf(group, table, prices.groups[index]!, limit)) {
    const slack = limit - extraOf(group, count, prices.groups[index]!)
    if (!walk(node, count, 0, 0, slack, [])) return null
  }
  return found
}

/** Where a day may end, with at least one visit, and a reduced cost not above a limit. */
function endsOf(group: Group, { best }: Labels, price: number, limit: number): End[] {
  const { nodes, totals } = group
  const ends: End[] = []
  for (const [node, { isLast }] of nodes.entries())
    for (let count = 1; isLast && count < totals.length; count++) {
      const reduced = best[node * totals.length + count]! + extraOf(group, count, price)
      if (reduced <= limit) ends.push({ node, count, reduced })
    }
  return ends
}

/** What a count adds to the roads: the burden beyond the fixed one, without the travel that is there anyway. */
function extraOf({ totals, fixed }: Group, count: number, price: number) {
  const all = fixed.visits + totals[count]!
  return (all ** 2 - fixed.visits ** 2) / 2 - fixed.travel - price
}

function wayTo(
  { nodes, totals }: Group,
  { bestLabel, node, prev }: Labels,
  end: number,
  count: number,
): number[] {
  const way: number[] = []
  for (let label = bestLabel[end * totals.length + count]!; label >= 0; label = prev[label]!) {
    const { visit } = nodes[node[label]!]!
    if (visit >= 0) way.unshift(visit)
  }
  return way
}
