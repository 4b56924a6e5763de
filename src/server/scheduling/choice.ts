import type { Highs, Model } from 'highs'
import { type Desk, offer, type Phase } from './desk.ts'
import { handOut } from './hand-out.ts'
import { addCuts, addRoutes, emptyModel, keyOf } from './master.ts'
import type { Route } from './routes.ts'

/** The value HiGHS calls an integer column by. */
const integer = 1

type Wish = {
  phase: Phase
  /** What is taken in any case, and what may be. */
  kept: readonly Route[]
  routes: readonly Route[]
  /** A choice to begin with, of those routes. */
  start: readonly Route[] | null
  seconds: number
}

/**
 * The best choice of whole routes that some seconds allow; each that makes a better plan is offered. Answers what is proved,
 * without the base: no such choice costs less.
 */
export function choose(desk: Desk, { phase, kept, routes, start, seconds }: Wish): number {
  const { groups, highs, master, problem } = desk
  const all = [...kept, ...routes]
  const visits = problem.visits.length
  const model = highs.createModel(emptyModel(visits, groups))
  try {
    addRoutes(model, visits, groups.length, all, [])
    addCuts(model, visits, all, master.cuts)
    for (const i of kept.keys()) model.changeColBounds(visits + i, 1, 1)
    const range = { kind: 'range', from: visits, to: visits + all.length - 1 } as const
    model.changeColsIntegrality(range, new Int32Array(all.length).fill(integer))
    if (start) model.setSolution({ colValue: startOf(visits, all, start) })
    model.options.set({ output_flag: false, time_limit: seconds, mip_rel_gap: 0, mip_abs_gap: 0.25 })
    return solve(highs, model, (values) => {
      const chosen = all.flatMap((route, i) => Array<Route>(Math.round(values[visits + i]!)).fill(route))
      offer(desk, phase, handOut(desk, chosen))
    })
  } finally {
    model.dispose()
  }
}

function solve({ constants }: Highs, model: Model, tell: (values: Float64Array) => void): number {
  let bound = -Infinity
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

function startOf(visits: number, routes: readonly Route[], start: readonly Route[]) {
  const at = new Map(routes.map((route, i) => [keyOf(route), visits + i]))
  const values = new Float64Array(visits + routes.length).fill(1, 0, visits)
  for (const route of start) {
    values[at.get(keyOf(route))!]! += 1
    for (const visit of route.visits) values[visit] = 0
  }
  return values
}
