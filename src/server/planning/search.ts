import type { Highs } from 'highs'
import { type Assignment, costOf, costOfAll, type DayProblem, presentPlan } from '../../domain/day-plan.ts'
import { type Group, groupsOf } from './groups.ts'
import { handOut, routesOf } from './hand-out.ts'
import { improve } from './improve.ts'
import { type Master, openMaster } from './master.ts'
import { allWithin, type Prices, priced, type Route, routeOf } from './routes.ts'

/** A first plan, routes for a better one, putting it together, and proving it. */
export type Phase = 'start' | 'routes' | 'plan' | 'proof'
/** What is known so far, in minutes of cost; `plan` is there when it is better than the one told before. */
export type News = { phase: Phase; cost: number; bound: number; plan?: Assignment }

/** By which share of the time each phase has to end. */
const ends = { start: 0.08, routes: 0.6, plan: 0.8 }
/** A plan this near to the bound is good enough where proving more would take too long. */
const nearEnough = 0.02
/** More routes than these make a proof slower than the time allows. */
const mostProved = 40_000
/** A proof begun with fewer seconds left would end before it says anything. */
const leastProof = 0.2
/** How far prices are drawn towards the best so far. */
const calmness = 0.6
/** A route of which the relaxation takes so much is as good as taken; each dive finds another plan by another one. */
const sureness = [0.85, 0.6, 0.99]
/** Milliseconds for bettering what a dive put together. */
const polish = 400
const mostRounds = 3

type Desk = {
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
type Proof = { prices: Prices; reduced: number[]; bound: number }

/**
 * The best plan for a day: routes are made as they are wanted (column generation), a plan is put together from them, and in
 * the end every route that could still better it is tried. Blocks its thread for `seconds` at most;
 * then what it found last stands, with a bound that no plan can be below. It begins with the day as it is, so it is never
 * worse.
 */
export function search(highs: Highs, problem: DayProblem, seconds: number, tell: (news: News) => void) {
  if (problem.visits.length === 0) return { plan: presentPlan(problem), bound: costOfAll(problem, []) }
  const began = performance.now()
  const leftTo = (end: number) => seconds * end - (performance.now() - began) / 1000
  const desk = openDesk(highs, problem, presentPlan(problem), tell)
  try {
    take(desk, 'start', desk.best)
    improve(
      problem,
      desk.best,
      () => leftTo(ends.start) > 0,
      (plan) => take(desk, 'start', plan),
    )
    const proof = makeRoutes(desk, () => leftTo(ends.routes) > 0)
    for (const sure of sureness)
      if (sure === sureness[0] ? !isProved(desk) : gapIn(desk) > nearEnough)
        dive(desk, sure, () => leftTo(ends.plan) > 0)
    if (!isProved(desk)) prove(desk, proof, () => leftTo(1))
  } finally {
    desk.master.close()
  }
  return resultOf(desk)
}

function openDesk(highs: Highs, problem: DayProblem, best: Assignment, tell: Desk['tell']): Desk {
  const groups = groupsOf(problem)
  const base = problem.people.reduce((sum, person) => sum + costOf(problem, person, []), 0)
  return { problem, groups, master: openMaster(highs, problem, groups), base, tell, best, bound: -Infinity }
}

const costIn = ({ problem, best }: Desk) => costOfAll(problem, best)
const resultOf = (desk: Desk) => ({ plan: desk.best, bound: Math.min(desk.bound, costIn(desk)) })
/** Costs are whole halves of a minute, so a bound may be rounded up to them. */
const rounded = (bound: number) => Math.ceil(bound * 2 - 1e-3) / 2
const isProved = (desk: Desk) => costIn(desk) - desk.bound < 0.5
/** The share by which the best plan so far may cost more than the best there is. */
const gapIn = (desk: Desk) => (isProved(desk) ? 0 : (costIn(desk) - desk.bound) / Math.max(1, desk.bound))

function say(desk: Desk, phase: Phase, plan?: Assignment) {
  if (plan) desk.best = plan
  const cost = costIn(desk)
  desk.tell({ phase, cost, bound: Math.min(desk.bound, cost), ...(plan && { plan }) })
}

/** A plan that is better than the last, with its routes. */
function take(desk: Desk, phase: Phase, plan: Assignment) {
  desk.master.add(routesOf(desk, plan))
  say(desk, phase, plan)
}

/** Prices every group once under some prices, and adds the routes that follow; answers the bound that these prices prove. */
function price({ problem, groups, master }: Desk, prices: Prices) {
  const most = Math.max(12, Math.floor(150 / groups.length))
  const found = groups.map((group, g) => priced(group, g, prices, most))
  const added = master.add(
    found.flatMap(({ routes }, g) => routes.map((visits) => routeOf(problem, groups, g, visits))),
  )
  const reduced = found.map((one) => one.reduced)
  const worth = prices.visits.reduce((sum, one) => sum + one, 0)
  const bound = groups.reduce(
    (sum, { people }, g) => sum + people.length * (prices.groups[g]! + reduced[g]!),
    worth,
  )
  return { added, proof: { prices, reduced, bound } satisfies Proof }
}

/**
 * Until no route would better the relaxation, or time is up. The relaxation's own prices jump about while it has few routes
 * to choose from, so they are drawn towards the best ones so far.
 */
function makeRoutes(desk: Desk, inTime: () => boolean): Proof {
  let best: Proof | undefined
  for (;;) {
    const relaxed = desk.master.relax()
    let made = price(desk, best ? between(best.prices, relaxed.prices) : relaxed.prices)
    if (best && made.added === 0) made = price(desk, relaxed.prices)
    if (!best || made.proof.bound > best.bound) best = made.proof
    desk.bound = Math.max(desk.bound, rounded(best.bound + desk.base))
    say(desk, 'routes')
    if (made.added === 0 || relaxed.cost - best.bound < 0.01 || isProved(desk) || !inTime()) return best
  }
}

const between = (calm: Prices, fresh: Prices): Prices => ({
  visits: fresh.visits.map((value, i) => calmness * calm.visits[i]! + (1 - calmness) * value),
  groups: fresh.groups.map((value, i) => calmness * calm.groups[i]! + (1 - calmness) * value),
})

/** Takes the routes that the relaxation is surest of, makes new ones for what is left, and so on to a whole plan. */
function dive(desk: Desk, sure: number, inTime: () => boolean) {
  const { master, problem } = desk
  const fixed = new Map<number, number>()
  while (inTime()) {
    let relaxed = master.relax()
    for (let again = 0; again < mostRounds && inTime() && price(desk, relaxed.prices).added > 0; again++)
      relaxed = master.relax()
    const parts = [...relaxed.chosen.entries()]
      .map(([route, times]) => ({ route, part: times - (fixed.get(route) ?? 0) }))
      .filter(({ part }) => part > 1e-6)
      .sort((a, b) => b.part - a.part)
    if (parts.every(({ part }) => Math.abs(part - Math.round(part)) < 1e-6)) {
      const whole = handOut(desk, relaxed.chosen)
      offer(desk, 'plan', whole)
      // The last ones had to take what the others left, and may have left some visit to nobody.
      const until = performance.now() + polish
      improve(
        problem,
        whole,
        () => performance.now() < until,
        (plan) => offer(desk, 'plan', plan),
      )
      break
    }
    for (const [n, { route, part }] of parts.entries()) {
      if (n > 0 && part < sure) break
      fixed.set(route, (fixed.get(route) ?? 0) + Math.max(1, Math.floor(part + 1e-6)))
      master.fix(route, fixed.get(route)!)
    }
    say(desk, 'plan')
  }
  for (const route of fixed.keys()) master.fix(route, 0)
  master.add(routesOf(desk, desk.best))
}

/** Tries every route that a better plan could hold: then the best of them is the best of all. */
function prove(desk: Desk, proof: Proof, left: () => number) {
  const every = routesWithin(desk, proof)
  if (left() < leastProof || (!every && gapIn(desk) <= nearEnough)) return
  desk.master.add(every ?? [])
  const proved = desk.master.choose(routesOf(desk, desk.best), left(), (chosen) =>
    offer(desk, 'proof', handOut(desk, chosen)),
  )
  if (every) desk.bound = Math.max(desk.bound, Math.min(rounded(proved + desk.base), costIn(desk)))
  say(desk, 'proof')
}

/** All routes that can be in a plan better than the best so far; null when they are too many. */
function routesWithin(desk: Desk, { prices, reduced, bound }: Proof): Route[] | null {
  const { groups, problem } = desk
  // Better is better by half a minute at least.
  const room = costIn(desk) - 0.5 - (bound + desk.base)
  const routes: Route[] = []
  for (const [g, group] of groups.entries()) {
    const some = allWithin(group, g, prices, room + reduced[g]! + 1e-4, mostProved - routes.length)
    if (!some) return null
    for (const visits of some) routes.push(routeOf(problem, groups, g, visits))
  }
  return routes
}

/** Keeps a plan that is better than the best so far. */
function offer(desk: Desk, phase: Phase, plan: Assignment) {
  if (costOfAll(desk.problem, plan) < costIn(desk)) say(desk, phase, plan)
}
