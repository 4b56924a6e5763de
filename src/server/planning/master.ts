import type { Highs, Model } from 'highs'
import { type DayProblem, PENALTY } from '../../domain/day-plan.ts'
import type { Group } from './groups.ts'
import type { Prices, Route } from './routes.ts'

/** The value HiGHS calls an integer column by. */
const integer = 1

export type Master = ReturnType<typeof openMaster>

/**
 * The choice among routes: each visit is in one of them or left to nobody at a price, and a group has as many as people. To
 * be closed whatever happens: WebAssembly's memory is not collected.
 */
export function openMaster(highs: Highs, problem: DayProblem, groups: readonly Group[]) {
  const visits = problem.visits.length
  const model = highs.createModel(emptyModel(visits, groups))
  model.options.set({ output_flag: false })
  const routes: Route[] = []
  const known = new Map<string, number>()
  const startOf = (from: readonly Route[]) => {
    const start = new Float64Array(visits + routes.length).fill(1, 0, visits)
    for (const route of from) {
      start[visits + known.get(keyOf(route))!]! += 1
      for (const visit of route.visits) start[visit] = 0
    }
    return start
  }
  return {
    routes,
    /** Adds the routes that are new; answers how many. */
    add(some: readonly Route[]): number {
      const fresh = some.filter((route) => {
        if (known.has(keyOf(route))) return false
        known.set(keyOf(route), routes.length)
        routes.push(route)
        return true
      })
      if (fresh.length > 0) addRoutes(model, visits, groups.length, fresh)
      return fresh.length
    },
    /** Solves the relaxation. `chosen` is how much of each route it takes. */
    relax() {
      model.run()
      const { colValue, rowDual } = model.getSolution()
      const prices: Prices = { visits: rowDual.subarray(0, visits), groups: rowDual.subarray(visits) }
      return { cost: model.getObjectiveValue(), prices, chosen: colValue.subarray(visits) }
    },
    /** Takes a route at least so often; 0 lets it go again. */
    fix: (route: number, times: number) => model.changeColBounds(visits + route, times, Infinity),
    /** The best choice of whole routes that some seconds allow, from a plan on. Tells of each that is better; answers what
     * is proved: no choice costs less. */
    choose(from: readonly Route[], seconds: number, tell: (chosen: Float64Array) => void): number {
      const range = { kind: 'range', from: visits, to: visits + routes.length - 1 } as const
      model.changeColsIntegrality(range, new Int32Array(routes.length).fill(integer))
      // What was found before is forgotten when columns come or their kind changes.
      model.setSolution({ colValue: startOf(from) })
      return chooseWhole(highs, model, seconds, (all) => tell(all.subarray(visits)))
    },
    close: () => model.dispose(),
  }
}

const keyOf = ({ group, visits }: Route) => `${group}:${visits}`

function emptyModel(visits: number, groups: readonly Group[]) {
  const [numCols, numRows] = [visits, visits + groups.length]
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

function addRoutes(model: Model, visits: number, groups: number, some: readonly Route[]) {
  const starts = [0]
  const indices: number[] = []
  for (const route of some) {
    indices.push(...route.visits.toSorted((a, b) => a - b), visits + route.group)
    starts.push(indices.length)
  }
  model.addCols({
    cost: Float64Array.from(some, ({ cost }) => cost),
    lower: new Float64Array(some.length),
    upper: new Float64Array(some.length).fill(Infinity),
    matrix: {
      format: 'csc',
      numRows: visits + groups,
      numCols: some.length,
      starts: Int32Array.from(starts),
      indices: Int32Array.from(indices),
      values: new Float64Array(indices.length).fill(1),
    },
  })
}

function chooseWhole(
  { constants }: Highs,
  model: Model,
  seconds: number,
  tell: (chosen: Float64Array) => void,
): number {
  let bound = -Infinity
  model.options.set({ time_limit: seconds, mip_rel_gap: 0, mip_abs_gap: 0.25 })
  model.zeroAllClocks()
  model.run({
    [constants.callbackType.mipImprovingSolution]: ({ data }) => {
      if (data.mip_solution) tell(data.mip_solution)
    },
    [constants.callbackType.mipInterrupt]: ({ data }) => {
      bound = Math.max(bound, data.mip_dual_bound ?? -Infinity)
    },
  })
  if (model.getModelStatus() !== constants.modelStatus.optimal) return bound
  tell(model.getSolution().colValue)
  return model.getObjectiveValue()
}
