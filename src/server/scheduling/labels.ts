import type { Group } from './groups.ts'
import type { Prices } from './routes.ts'

/** A mask holds this many cuts; the others are left out, which makes routes look cheaper than they are, never dearer. */
const mostCuts = 30

/** The cuts that weigh on a group: which of them each node is in, and which have nodes after it. */
export type Weights = {
  bits: Int32Array
  alive: Int32Array
  dearness: (mask: number) => number
  begin: number
}

/** All ways through a day, under some prices, that no other way makes needless. */
export type Labels = {
  /** The cheapest way to each node with each count. */
  best: Float64Array
  /** Its label. */
  bestLabel: Int32Array
  node: number[]
  prev: number[]
  weights: Weights
}

export function weightsOf({ nodes }: Group, index: number, prices: Prices): Weights {
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
export function labelsOf(group: Group, index: number, prices: Prices): Labels {
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
