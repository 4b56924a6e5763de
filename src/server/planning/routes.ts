import { costOf, type DayProblem } from '../../domain/day-plan.ts'
import type { Group } from './groups.ts'

/** One day's work for somebody of a group: its visits in order, and the minutes it costs beyond what is fixed. */
export type Route = { group: number; visits: number[]; cost: number }

/** What a visit is worth at present, and what somebody of a group costs: the LP's duals, in minutes. */
export type Prices = { visits: Float64Array; groups: Float64Array }

/** The cheapest ways to each node with each count, under some prices. */
type Table = { best: Float64Array; from: Int32Array }
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

/** The routes that would better the LP most, and by how much the best one does (0 at most). */
export function priced(group: Group, index: number, prices: Prices, most: number) {
  const table = tableOf(group, prices)
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
  const table = tableOf(group, prices)
  const found: number[][] = []
  const walk = (node: number, count: number, behind: number, slack: number, way: number[]): boolean => {
    const { before, isFirst, legs, step, visit } = group.nodes[node]!
    const gain = visit < 0 ? 0 : prices.visits[visit]!
    const here = visit < 0 ? way : [visit, ...way]
    const left = count - step
    if (isFirst && left === 0 && behind - gain <= slack) {
      if (found.length >= most) return false
      found.push(here)
    }
    for (const [i, r] of before.entries()) {
      const cost = behind - gain + legs[i]!
      if (table.best[r * group.totals.length + left]! + cost > slack) continue
      if (!walk(r, left, cost, slack, here)) return false
    }
    return true
  }
  for (const { node, count } of endsOf(group, table, prices.groups[index]!, limit)) {
    const slack = limit - extraOf(group, count, prices.groups[index]!)
    if (!walk(node, count, 0, slack, [])) return null
  }
  return found
}

/** Visits in the order of their starts can only follow one another forward: one sweep finds the cheapest way to each. */
function tableOf({ nodes, totals }: Group, prices: Prices): Table {
  const width = totals.length
  const best = new Float64Array(nodes.length * width).fill(Infinity)
  const from = new Int32Array(nodes.length * width).fill(-1)
  for (const [q, { before, from: counts, isFirst, legs, step, visit }] of nodes.entries()) {
    const gain = visit < 0 ? 0 : prices.visits[visit]!
    if (isFirst) best[q * width + step] = -gain
    for (let i = 0; i < before.length; i++) {
      const r = before[i]! * width
      const cost = legs[i]! - gain
      for (let c = 0; c < counts.length; c++) {
        const count = counts[c]!
        const total = best[r + count]! + cost
        const to = q * width + count + step
        if (total >= best[to]!) continue
        best[to] = total
        from[to] = before[i]!
      }
    }
  }
  return { best, from }
}

/** Where a day may end, with at least one visit, and a reduced cost not above a limit. */
function endsOf(group: Group, { best }: Table, price: number, limit: number): End[] {
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

function wayTo({ nodes, totals }: Group, { from }: Table, node: number, count: number): number[] {
  const way: number[] = []
  for (let [q, c] = [node, count]; q >= 0; ) {
    const { step, visit } = nodes[q]!
    if (visit >= 0) way.unshift(visit)
    q = from[q * totals.length + c]!
    c -= step
  }
  return way
}
