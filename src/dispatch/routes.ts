import { type Cut, counts } from './cuts.ts'
import type { Group, Route } from './groups.ts'
import { costOf, type DayProblem } from './rules/day-plan.ts'

/** What a visit is worth at present, and what a person of a group and a cut cost: the LP's duals, in minutes. */
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

/** A mask holds this many cuts; the others are left out, which makes routes look cheaper than they are, never dearer. */
const mostCuts = 30

/** The cuts that weigh on a group: which of them each node is in, and which have nodes after it. */
type Weights = {
  bits: Int32Array
  alive: Int32Array
  dearness: (mask: number) => number
  begin: number
}

/** All ways through a day, under some prices, that no other way makes needless. */
type Labels = {
  /** The cheapest way to each node with each count. */
  best: Float64Array
  /** Its label. */
  bestLabel: Int32Array
  node: number[]
  prev: number[]
  weights: Weights
}

function weightsOf({ nodes }: Group, index: number, prices: Prices): Weights {
  const at = new Map(nodes.flatMap(({ visit }, q) => (visit < 0 ? [] : [[visit, q] as const])))
  const here = [...prices.cuts]
    .map(([cut, price]) => ({
      own: cut.groups.includes(index),
      at: cut.visits.flatMap((visit) => at.get(visit) ?? []),
      price: -price,
    }))
    .filter(({ at, own, price }) => price > 1e-7 && at.length + Number(own) > 1)
    .sort((a, b) => b.price - a.price)
    .slice(0, mostCuts)
  const bits = new Int32Array(nodes.length)
  let begin = 0
  const alive = new Int32Array(nodes.length)
  for (const [c, cut] of here.entries()) {
    if (cut.own) begin |= 1 << c
    for (const q of cut.at) bits[q]! |= 1 << c
    for (let q = 0; q < Math.max(...cut.at); q++) alive[q]! |= 1 << c
  }
  const price = here.map((cut) => cut.price)
  const dearness = (mask: number) => {
    let sum = 0
    for (let rest = mask; rest !== 0; rest &= rest - 1) sum += price[31 - Math.clz32(rest & -rest)]!
    return sum
  }
  return { bits, alive, begin, dearness }
}

/** Visits in the order of their starts can only follow one another forward: one sweep finds every way worth it. */
function labelsOf(group: Group, index: number, prices: Prices): Labels {
  const { nodes, totals } = group
  const width = totals.length
  const weights = weightsOf(group, index, prices)
  const { bits, alive, begin, dearness } = weights
  const head = new Int32Array(nodes.length * width).fill(-1)
  const best = new Float64Array(nodes.length * width).fill(Infinity)
  const bestLabel = new Int32Array(nodes.length * width).fill(-1)
  const [cost, mask, next, prev, node]: number[][] = [[], [], [], [], []]
  const add = (q: number, count: number, total: number, state: number, before: number) => {
    const to = q * width + count
    let last = -1
    for (let one = head[to]!; one >= 0; one = next![one]!) {
      if (cost![one]! + dearness(mask![one]! & ~state) <= total) return
      if (total + dearness(state & ~mask![one]!) <= cost![one]!) {
        if (last < 0) head[to] = next![one]!
        else next![last] = next![one]!
      } else last = one
    }
    const label = cost!.length
    cost!.push(total)
    mask!.push(state)
    next!.push(head[to]!)
    prev!.push(before)
    node!.push(q)
    head[to] = label
    if (total < best[to]!) {
      best[to] = total
      bestLabel[to] = label
    }
  }
  for (const [q, { before, from: counts, isFirst, legs, step, visit }] of nodes.entries()) {
    const gain = visit < 0 ? 0 : prices.visits[visit]!
    if (isFirst) add(q, step, dearness(begin & bits[q]!) - gain, (begin ^ bits[q]!) & alive[q]!, -1)
    for (let i = 0; i < before.length; i++)
      for (let c = 0; c < counts.length; c++)
        for (let one = head[before[i]! * width + counts[c]!]!; one >= 0; one = next![one]!) {
          const total = cost![one]! + legs[i]! - gain + dearness(mask![one]! & bits[q]!)
          add(q, counts[c]! + step, total, (mask![one]! ^ bits[q]!) & alive[q]!, one)
        }
  }
  return { best, bestLabel, node: node!, prev: prev!, weights }
}
