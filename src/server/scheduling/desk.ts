import type { Highs } from 'highs'
import {
  type Assignment,
  costOf,
  costOfAll,
  type DayProblem,
  stopsOf,
  travelOf,
} from '../../domain/scheduling/day-plan.ts'
import { type Group, groupsOf } from './groups.ts'
import { routesOf } from './hand-out.ts'
import { type Master, openMaster } from './master.ts'
import { type Prices, priced, routeOf } from './routes.ts'

/** A first plan, routes for a better one, putting it together, and proving it. */
export type Phase = 'start' | 'routes' | 'plan' | 'proof'
/** What is known so far, in minutes of cost; `plan` is there when it is better than the one told before. */
export type News = { phase: Phase; cost: number; bound: number; plan?: Assignment }

/** What a search works on: the day it solves, the routes known so far, its best plan and what no plan can be below. */
export type Desk = {
  highs: Highs
  problem: DayProblem
  groups: readonly Group[]
  master: Master
  /** What people's days cost before any visit that can be planned. */
  base: number
  tell: (news: News) => void
  best: Assignment
  bound: number
}
/** Prices under which a bound was found, with the best reduced cost of each group then. */
export type Proof = { prices: Prices; reduced: number[]; bound: number }

export function openDesk(highs: Highs, problem: DayProblem, best: Assignment, tell: Desk['tell']): Desk {
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

export const costIn = ({ problem, best }: Desk) => costOfAll(problem, best)
export const resultOf = (desk: Desk) => ({ plan: desk.best, bound: Math.min(desk.bound, costIn(desk)) })
/** Costs are whole halves of a minute, so a bound may be rounded up to them. */
export const rounded = (bound: number) => Math.ceil(bound * 2 - 1e-3) / 2
export const isProved = (desk: Desk) => costIn(desk) - desk.bound < 0.5
/** How far the best plan so far can be from the best there is, as a share of its minutes on the road. */
export const gapIn = (desk: Desk) =>
  isProved(desk) ? 0 : (costIn(desk) - desk.bound) / Math.max(1, travelIn(desk))
const travelIn = ({ problem, best }: Desk) =>
  problem.people.reduce(
    (sum, person, p) => sum + travelOf(problem, stopsOf(problem, person, best[p] ?? [])),
    0,
  )

export function say(desk: Desk, phase: Phase, plan?: Assignment) {
  if (plan) desk.best = plan
  const cost = costIn(desk)
  desk.tell({ phase, cost, bound: Math.min(desk.bound, cost), ...(plan && { plan }) })
}

/** A plan that is better than the last, with its routes. */
export function take(desk: Desk, phase: Phase, plan: Assignment) {
  desk.master.add(routesOf(desk, plan))
  say(desk, phase, plan)
}

/** Prices every group once under some prices, and adds the routes that follow; answers the bound that these prices prove. */
export function price({ problem, groups, master }: Desk, prices: Prices) {
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
  return { added, proof: { prices, reduced, bound } satisfies Proof }
}

/** Keeps a plan that is better than the best so far. */
export function offer(desk: Desk, phase: Phase, plan: Assignment) {
  if (costOfAll(desk.problem, plan) < costIn(desk)) say(desk, phase, plan)
}
