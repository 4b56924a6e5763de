import type { Highs, Model } from 'highs'
import { type Group, groupsOf, type Route } from './groups.ts'
import { addCuts, addRoutes, emptyModel, type Master, openMaster, routeKey } from './master.ts'
import { type Prices, priced, routeOf } from './routes.ts'
import {
  type Assignment,
  costOf,
  costOfAll,
  type DayProblem,
  dayTravelOf,
  stopsOf,
  visitsInOrder,
} from './rules/day-plan.ts'

/** A first plan, routes for a better one, putting it together, and proving it. */
type Phase = 'start' | 'routes' | 'plan' | 'proof'

/** What is known so far, in minutes of cost; `plan` is there when it is better than the one reported before. */
export type SearchProgress = { phase: Phase; cost: number; bound: number; plan?: Assignment }

/** What a search works on: the day it solves, the routes known so far, its best plan and what no plan can be below. */
export type SearchState = {
  highs: Highs
  problem: DayProblem
  groups: readonly Group[]
  master: Master
  /** What people's days cost before any visit that can be planned. */
  base: number
  tell: (news: SearchProgress) => void
  best: Assignment
  bound: number
}

/** Prices under which a bound was found, with the best reduced cost of each group then. */
export type BoundProof = { prices: Prices; reduced: number[]; bound: number }

export function createSearchState(
  highs: Highs,
  problem: DayProblem,
  best: Assignment,
  tell: SearchState['tell'],
): SearchState {
  const groups = groupsOf(problem)
  const base = problem.people.reduce((sum, person) => sum + costOf(problem, person, []), 0)
  return {
    highs,
    problem,
    groups,
    master: openMaster(highs, problem, groups),
    base,
    tell,
    best,
    bound: -Infinity,
  }
}

export const costIn = ({ problem, best }: SearchState) => costOfAll(problem, best)
export const resultOf = (desk: SearchState) => ({
  plan: desk.best,
  bound: Math.min(desk.bound, costIn(desk)),
})

/** Costs are whole halves of a minute, so a bound may be rounded up to them. */
export const rounded = (bound: number) => Math.ceil(bound * 2 - 1e-3) / 2
export const isProved = (desk: SearchState) => costIn(desk) - desk.bound < 0.5

/** How far the best plan so far can be from the best there is, as a share of its minutes on the road. */
export const gapIn = (desk: SearchState) =>
  isProved(desk) ? 0 : (costIn(desk) - desk.bound) / Math.max(1, travelIn(desk))
const travelIn = ({ problem, best }: SearchState) =>
  problem.people.reduce(
    (sum, person, p) => sum + dayTravelOf(problem, stopsOf(problem, person, best[p] ?? [])),
    0,
  )

export function reportProgress(desk: SearchState, phase: Phase, plan?: Assignment) {
  if (plan) desk.best = plan
  const cost = costIn(desk)
  desk.tell({ phase, cost, bound: Math.min(desk.bound, cost), ...(plan && { plan }) })
}

/** A plan that is better than the last, with its routes. */
export function acceptPlan(desk: SearchState, phase: Phase, plan: Assignment) {
  desk.master.add(routesOf(desk, plan))
  reportProgress(desk, phase, plan)
}

/** Prices every group once under some prices, and adds the routes that follow; answers the bound that these prices prove. */
export function priceGroups({ problem, groups, master }: SearchState, prices: Prices) {
  const most = Math.max(12, Math.floor(150 / groups.length))
  const found = groups.map((group, g) => priced(group, g, prices, most))
  const added = master.add(
    found.flatMap(({ routes }, g) => routes.map((visits) => routeOf(problem, groups, g, visits))),
  )
  const reduced = found.map((one) => one.reduced)
  const worth =
    prices.visits.reduce((sum, one) => sum + one, 0) +
    [...prices.cuts].reduce((sum, [{ most }, one]) => sum + one * most, 0)
  const bound = groups.reduce(
    (sum, { people }, g) => sum + people.length * (prices.groups[g]! + reduced[g]!),
    worth,
  )
  return { added, proof: { prices, reduced, bound } satisfies BoundProof }
}

/** Keeps a plan that is better than the best so far. */
export function offerPlan(desk: SearchState, phase: Phase, plan: Assignment) {
  if (costOfAll(desk.problem, plan) < costIn(desk)) reportProgress(desk, phase, plan)
}

type Given = { problem: DayProblem; groups: readonly Group[] }

/** Gives the chosen routes of each group to its people, to those whom it changes least. */
export function assignRoutes({ groups, problem }: Given, routes: readonly Route[]): Assignment {
  const plan: number[][] = problem.people.map(() => [])
  for (const [g, { people }] of groups.entries()) {
    const pairs = routes
      .filter(({ group }) => group === g)
      .flatMap((route, i) => people.map((p) => ({ route, i, p, kept: keptBy(problem, p, route) })))
    const given = new Set<number>()
    const busy = new Set<number>()
    for (const { route, i, p } of pairs.sort((a, b) => b.kept - a.kept)) {
      if (given.has(i) || busy.has(p)) continue
      plan[p] = [...route.visits]
      given.add(i)
      busy.add(p)
    }
  }
  return plan
}

const keptBy = ({ people }: DayProblem, p: number, { visits }: Route) =>
  visits.filter((visit) => people[p]!.now.includes(visit)).length

/** The routes that a plan is made of. */
export const routesOf = ({ groups, problem }: Given, plan: Assignment): Route[] =>
  groups.flatMap(({ people }, g) =>
    people.flatMap((p) => {
      const visits = visitsInOrder(problem, plan[p] ?? [])
      return visits.length > 0 ? [routeOf(problem, groups, g, visits)] : []
    }),
  )

/** The value HiGHS calls an integer column by. */
const integer = 1

type RouteSelection = {
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
export function selectRoutes(
  desk: SearchState,
  { phase, kept, routes, start, seconds }: RouteSelection,
): number {
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
      offerPlan(desk, phase, assignRoutes(desk, chosen))
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
  const at = new Map(routes.map((route, i) => [routeKey(route), visits + i]))
  const values = new Float64Array(visits + routes.length).fill(1, 0, visits)
  for (const route of start) {
    values[at.get(routeKey(route))!]! += 1
    for (const visit of route.visits) values[visit] = 0
  }
  return values
}
