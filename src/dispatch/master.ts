import type { Highs, Model } from 'highs'
import { type Cut, counts } from './cuts.ts'
import type { Group, Route } from './groups.ts'
import type { Prices } from './routes.ts'
import { type DayProblem, PENALTY } from './rules/day-plan.ts'

export type Master = ReturnType<typeof openMaster>

/**
 * The choice among routes: each visit is in one of them or left to no one at a price, and a group has as many as people. To
 * be closed whatever happens: WebAssembly's memory is not collected.
 */
export function openMaster(highs: Highs, problem: DayProblem, groups: readonly Group[]) {
  const visits = problem.visits.length
  const firstCut = visits + groups.length
  const model = highs.createModel(emptyModel(visits, groups))
  model.options.set({ output_flag: false })
  const routes: Route[] = []
  const cuts: Cut[] = []
  const known = new Map<string, number>()
  return {
    routes,
    cuts,
    /** Adds the routes that are new; answers how many. */
    add(some: readonly Route[]): number {
      const fresh = some.filter((route) => {
        if (known.has(routeKey(route))) return false
        known.set(routeKey(route), routes.length)
        routes.push(route)
        return true
      })
      if (fresh.length > 0) addRoutes(model, visits, groups.length, fresh, cuts)
      return fresh.length
    },
    /** Adds cuts. */
    cut(some: readonly Cut[]) {
      addCuts(model, visits, routes, some)
      cuts.push(...some)
    },
    /** Lets go the cuts that do not bind. Indexes of cuts change. */
    prune() {
      const { rowValue } = model.getSolution()
      const loose = cuts.flatMap(({ most }, c) => (rowValue[firstCut + c]! < most - 1e-6 ? [c] : []))
      if (loose.length === 0) return
      model.deleteRows({ kind: 'set', indices: loose.map((c) => firstCut + c) })
      const tight = cuts.filter((_, c) => !loose.includes(c))
      cuts.splice(0, cuts.length, ...tight)
    },
    /** Solves the relaxation. `chosen` is how much of each route it takes. */
    relax() {
      model.run()
      const { colValue, rowDual } = model.getSolution()
      const prices: Prices = {
        visits: rowDual.subarray(0, visits),
        groups: rowDual.subarray(visits, visits + groups.length),
        cuts: new Map(
          cuts.flatMap((cut, c) => (rowDual[firstCut + c]! < 0 ? [[cut, rowDual[firstCut + c]!]] : [])),
        ),
      }
      return { cost: model.getObjectiveValue(), prices, chosen: colValue.subarray(visits) }
    },
    /** Takes a route at least so often; 0 lets it go again. */
    fix: (route: number, times: number) => model.changeColBounds(visits + route, times, Infinity),
    close: () => model.dispose(),
  }
}

export const routeKey = ({ group, visits }: Route) => `${group}:${visits}`

/** Every visit left to no one, and no route. */
export function emptyModel(visits: number, groups: readonly Group[]) {
  const numCols = visits
  const numRows = visits + groups.length
  const upTo = (count: number) => Int32Array.from({ length: count }, (_, i) => i)
  return {
    numCols,
    numRows,
    colCost: new Float64Array(visits).fill(PENALTY),
    colLower: new Float64Array(visits),
    colUpper: new Float64Array(visits).fill(Infinity),
    rowLower: Float64Array.from([...Array(visits).fill(1), ...groups.map(() => -Infinity)]),
    rowUpper: Float64Array.from([...Array(visits).fill(1), ...groups.map(({ people }) => people.length)]),
    matrix: {
      format: 'csc' as const,
      numRows,
      numCols,
      starts: upTo(visits + 1),
      indices: upTo(visits),
      values: new Float64Array(visits).fill(1),
    },
  }
}

export function addRoutes(
  model: Model,
  visits: number,
  groups: number,
  some: readonly Route[],
  cuts: readonly Cut[],
) {
  const starts = [0]
  const indices: number[] = []
  const values: number[] = []
  for (const route of some) {
    indices.push(...route.visits.toSorted((a, b) => a - b), visits + route.group)
    values.push(...route.visits.map(() => 1), 1)
    for (const [c, cut] of cuts.entries()) {
      const times = counts(cut, route)
      if (times === 0) continue
      indices.push(visits + groups + c)
      values.push(times)
    }
    starts.push(indices.length)
  }
  model.addCols({
    cost: Float64Array.from(some, ({ cost }) => cost),
    lower: new Float64Array(some.length),
    upper: new Float64Array(some.length).fill(Infinity),
    matrix: {
      format: 'csc',
      numRows: visits + groups + cuts.length,
      numCols: some.length,
      starts: Int32Array.from(starts),
      indices: Int32Array.from(indices),
      values: Float64Array.from(values),
    },
  })
}

export function addCuts(model: Model, visits: number, routes: readonly Route[], cuts: readonly Cut[]) {
  for (const cut of cuts) {
    const times = routes.map((route) => counts(cut, route))
    const indices = [...times.keys()].filter((i) => times[i])
    model.addRow(-Infinity, cut.most, {
      indices: indices.map((i) => visits + i),
      values: indices.map((i) => times[i]!),
    })
  }
}
