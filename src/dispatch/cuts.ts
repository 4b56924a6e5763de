import type { Group, Route } from './groups.ts'

/**
 * An odd number of rows of the choice (visits, and a group's people), halved and rounded down. A route counts as often as it
 * holds two of them: halves of routes can get around in a circle what whole ones cannot.
 */
export type Cut = { visits: readonly number[]; groups: readonly number[]; most: number }

/** How often a route counts in a cut. */
export function counts({ visits, groups }: Cut, route: Pick<Route, 'group' | 'visits'>): number {
  let held = groups.includes(route.group) ? 1 : 0
  for (const visit of route.visits) if (visits.includes(visit)) held++
  return held >> 1
}

/** A cut broken by less than this is not worth its row. */
const leastBroken = 0.02
const mostAtOnce = 30
const perVisit = 5

/** A sum of rows, modulo two: which columns it holds an odd number of times, and which rows it is made of. */
type Sum = { odd: Uint8Array; rows: Uint8Array; right: number; size: number }

/** Cuts that a fractional choice of routes breaks, the most broken first, by elimination modulo two. */
export function broken(
  visits: number,
  groups: readonly Pick<Group, 'people'>[],
  routes: readonly Route[],
  chosen: Float64Array,
): Cut[] {
  const parts = routes
    .flatMap((route, i) => (chosen[i]! > 1e-6 ? [{ route, part: chosen[i]! }] : []))
    .sort((a, b) => b.part - a.part)
  const height = visits + groups.length
  const slack = Float64Array.from({ length: height }, (_, row) =>
    row < visits ? 1 : groups[row - visits]!.people.length,
  )
  const sums = Array.from(
    { length: height },
    (_, row): Sum => ({
      odd: new Uint8Array(parts.length),
      rows: new Uint8Array(height).fill(1, row, row + 1),
      right: slack[row]! & 1,
      size: 1,
    }),
  )
  for (const [n, { route, part }] of parts.entries())
    for (const row of [...route.visits, visits + route.group]) {
      sums[row]!.odd[n] = 1
      slack[row]! -= part
    }
  const found = new Map<string, { cut: Cut; by: number }>()
  const judge = ({ odd, rows, right }: Sum) => {
    if (right === 0) return
    let lost = 0
    for (let n = 0; n < parts.length && lost < 1; n++) if (odd[n]) lost += parts[n]!.part
    for (let row = 0; row < height && lost < 1; row++) if (rows[row]) lost += slack[row]!
    const by = (1 - lost) / 2
    if (by < leastBroken) return
    const all = [...rows.keys()].filter((row) => rows[row])
    const own = all.filter((row) => row >= visits).map((row) => row - visits)
    const some = all.filter((row) => row < visits)
    const total = own.reduce((sum, g) => sum + groups[g]!.people.length, some.length)
    found.set(all.join(), { cut: { visits: some, groups: own, most: total >> 1 }, by })
  }
  let live = sums
  for (const n of parts.keys()) {
    const having = live.filter(({ odd }) => odd[n])
    if (having.length === 0) continue
    const pivot = having.reduce((least, sum) => (sum.size < least.size ? sum : least))
    live = live.filter((sum) => sum !== pivot)
    for (const sum of having) {
      if (sum === pivot) continue
      for (let m = 0; m < parts.length; m++) sum.odd[m]! ^= pivot.odd[m]!
      sum.size = 0
      for (let row = 0; row < height; row++) sum.size += sum.rows[row]! ^= pivot.rows[row]!
      sum.right ^= pivot.right
      judge(sum)
    }
  }
  const used = new Int32Array(visits)
  return [...found.values()]
    .sort((a, b) => b.by - a.by)
    .flatMap(({ cut }) => {
      if (cut.visits.some((visit) => used[visit]! >= perVisit)) return []
      for (const visit of cut.visits) used[visit]!++
      return [cut]
    })
    .slice(0, mostAtOnce)
}
