import type { Highs } from 'highs'
import { broken } from './cuts.ts'
import type { Route } from './groups.ts'
import { improve } from './improve.ts'
import { routeKey } from './master.ts'
import { allWithin, type Prices, reducedOf, routeOf } from './routes.ts'
import { costOfAll, type DayProblem, PENALTY, presentPlan } from './rules/day-plan.ts'
import {
  acceptPlan,
  assignRoutes,
  type BoundProof,
  costIn,
  createSearchState,
  gapIn,
  isProved,
  offerPlan,
  priceGroups,
  reportProgress,
  resultOf,
  rounded,
  routesOf,
  type SearchProgress,
  type SearchState,
  selectRoutes,
} from './search-state.ts'

/** By which share of the time each phase has to end. */
const ends = { start: 0.08, routes: 0.6, plan: 0.8 }

/** A plan this near to the bound is good enough where proving more would take too long. */
const nearEnough = 0.02

/** Rounds of cuts without a better bound. */
const mostVain = 8

/** How far prices are drawn towards the best so far. */
const calmness = 0.6

/** A route of which the relaxation takes so much is as good as taken; each dive finds another plan by another one. */
const sureness = [0.85, 0.6, 0.99, 0.7, 0.9, 0.5]

/**
 * The best plan for a day: routes are made as they are wanted (column generation), a plan is put together from them, and in
 * the end every route that could still better it is tried. Blocks its thread for `seconds` at most;
 * then what it found last stands, with a bound that no plan can be below. It begins with the day as it is, so it is never
 * worse.
 */
export function search(
  highs: Highs,
  problem: DayProblem,
  seconds: number,
  tell: (news: SearchProgress) => void,
) {
  if (problem.visits.length === 0) return { plan: presentPlan(problem), bound: costOfAll(problem, []) }
  const began = performance.now()
  const leftTo = (end: number) => seconds * end - (performance.now() - began) / 1000
  const desk = createSearchState(highs, problem, presentPlan(problem), tell)
  try {
    acceptPlan(desk, 'start', desk.best)
    improve(
      problem,
      desk.best,
      () => leftTo(ends.start) > 0,
      (plan) => acceptPlan(desk, 'start', plan),
    )
    let proof = makeRoutes(desk, () => leftTo(ends.routes) > 0)
    for (const sure of sureness) {
      proof = tighten(desk, proof, () => leftTo(ends.routes) > 0)
      if (!isProved(desk)) dive(desk, sure, () => leftTo(ends.plan))
      if (gapIn(desk) <= nearEnough) break
    }
    if (!isProved(desk)) prove(desk, proof, () => leftTo(1))
  } finally {
    desk.master.close()
  }
  return resultOf(desk)
}

/**
 * Runs until no route would improve the relaxation, or time is up. The relaxation's own prices fluctuate while it has
 * few routes to choose from, so they are pulled towards the best ones so far.
 */
function makeRoutes(desk: SearchState, inTime: () => boolean): BoundProof {
  let best: BoundProof | undefined
  for (;;) {
    const relaxed = desk.master.relax()
    let made = priceGroups(desk, best ? between(best.prices, relaxed.prices) : relaxed.prices)
    if (best && made.added === 0) made = priceGroups(desk, relaxed.prices)
    if (!best || made.proof.bound > best.bound) best = made.proof
    desk.bound = Math.max(desk.bound, rounded(best.bound + desk.base))
    reportProgress(desk, 'routes')
    if (made.added === 0 || relaxed.cost - best.bound < 0.01 || isProved(desk) || !inTime()) return best
  }
}

/** Cuts until none is broken: what halves of routes get around. */
function tighten(desk: SearchState, first: BoundProof, inTime: () => boolean): BoundProof {
  const { master, problem } = desk
  let best = first
  for (let vain = 0; vain < mostVain && inTime() && !isProved(desk); ) {
    const cuts = broken(problem.visits.length, desk.groups, master.routes, master.relax().chosen)
    if (cuts.length === 0) break
    master.prune()
    master.cut(cuts)
    const proof = makeRoutes(desk, inTime)
    vain = proof.bound > best.bound + 1 ? 0 : vain + 1
    if (proof.bound > best.bound) best = proof
  }
  return best
}

const between = (calm: Prices, fresh: Prices): Prices => ({
  visits: fresh.visits.map((value, i) => calmness * calm.visits[i]! + (1 - calmness) * value),
  groups: fresh.groups.map((value, i) => calmness * calm.groups[i]! + (1 - calmness) * value),
  cuts: new Map(
    [...new Set([...calm.cuts.keys(), ...fresh.cuts.keys()])].map((cut) => [
      cut,
      calmness * (calm.cuts.get(cut) ?? 0) + (1 - calmness) * (fresh.cuts.get(cut) ?? 0),
    ]),
  ),
})

/** More routes than these make a proof slower than the time allows. */
const mostRoutes = 12_000

/** A proof begun with fewer seconds left would end before it says anything. */
const leastSeconds = 0.2

/**
 * Chooses among every route that a better plan could hold: then the best of them is the best of all. When they are too many,
 * among those with the least reduced costs: a plan with any other costs more than the bound by what those go up to.
 */
function prove(desk: SearchState, proof: BoundProof, left: () => number) {
  const bound = proof.bound + desk.base
  // Better is better by half a minute at least.
  let room = costIn(desk) - 0.5 - bound
  let every = routesWithin(desk, proof, room)
  for (; !every && room > 0.5; every = routesWithin(desk, proof, room)) room /= 2
  if (!every || left() < leastSeconds) return
  const start = routesOf(desk, desk.best)
  const known = new Set(every.map(routeKey))
  const more = start.filter((route) => !known.has(routeKey(route)) && known.add(routeKey(route)))
  const proved = selectRoutes(desk, {
    phase: 'proof',
    kept: [],
    routes: [...every, ...more],
    start,
    seconds: left(),
  })
  desk.bound = Math.max(
    desk.bound,
    Math.min(rounded(Math.min(proved + desk.base, bound + room)), costIn(desk)),
  )
  reportProgress(desk, 'proof')
}

/** All routes with a reduced cost up to some room above the least; null when they are too many. */
function routesWithin(
  { groups, problem }: SearchState,
  { prices, reduced }: BoundProof,
  room: number,
): Route[] | null {
  const routes: Route[] = []
  for (const [g, group] of groups.entries()) {
    const some = allWithin(group, g, prices, room + reduced[g]! + 1e-4, mostRoutes - routes.length)
    if (!some) return null
    for (const visits of some) routes.push(routeOf(problem, groups, g, visits))
  }
  return routes
}

/** Rounds of new routes and cuts after each step. */
const mostRounds = 2

/** What is taken as sure may worsen the relaxation by this share; where it would by more, the rest is chosen whole. */
const allowance = 0.004

/** Seconds for choosing the rest. */
const longest = 1

/** After so many refusals the rest is chosen whole. */
const mostRefused = 4

type Fixed = Map<number, number>

/**
 * Takes the routes that the relaxation is surest of, makes new ones for what is left, and so on, for as long as that costs
 * next to nothing; then the rest is chosen whole. The last ones would have to take what the others left.
 */
function dive(desk: SearchState, sure: number, left: () => number) {
  const { master } = desk
  const fixed: Fixed = new Map()
  const fix = (route: number, more: number) => {
    fixed.set(route, (fixed.get(route) ?? 0) + more)
    master.fix(route, fixed.get(route)!)
  }
  let relaxed = settle(desk, fixed, left)
  const most = relaxed.cost * (1 + allowance)
  const refused = new Set<number>()
  let least = sure
  let whole = wholeIn(desk, relaxed.chosen)
  while (!whole && left() > 0 && refused.size < mostRefused) {
    const step = sureOf(relaxed.chosen, fixed, refused, least)
    if (step.length === 0) break
    for (const { route, times } of step) fix(route, times)
    const next = settle(desk, fixed, left)
    if (next.cost <= most) {
      relaxed = next
      whole = wholeIn(desk, relaxed.chosen)
      reportProgress(desk, 'plan')
      continue
    }
    for (const { route, times } of step) fix(route, -times)
    if (step.length > 1) least = Infinity
    else refused.add(step[0]!.route)
  }
  if (whole) offerPlan(desk, 'plan', assignRoutes(desk, whole))
  else finish(desk, fixed, relaxed, left())
  for (const route of fixed.keys()) master.fix(route, 0)
  master.add(routesOf(desk, desk.best))
}

const isNearly = (value: number) => Math.abs(value - Math.round(value)) < 1e-6

/** What is chosen, where that is in whole routes. */
function wholeIn({ master }: SearchState, chosen: Float64Array): Route[] | null {
  if (!chosen.every(isNearly)) return null
  return master.routes.flatMap((route, i) => Array<Route>(Math.round(chosen[i]!)).fill(route))
}

/** The routes to take next, by their index, and how often: all that are sure, or the surest. */
function sureOf(chosen: Float64Array, fixed: Fixed, refused: ReadonlySet<number>, sure: number) {
  return [...chosen.entries()]
    .map(([route, times]) => ({ route, part: times - (fixed.get(route) ?? 0) }))
    .filter(({ route, part }) => part > 1e-6 && !refused.has(route))
    .sort((a, b) => b.part - a.part)
    .filter(({ part }, n) => n === 0 || part >= sure)
    .map(({ route, part }) => ({ route, times: Math.max(1, Math.floor(part + 1e-6)) }))
}

/** New routes beside the fixed ones, and cuts where there are none, for a few rounds. */
function settle(desk: SearchState, fixed: Fixed, left: () => number) {
  const { groups, master } = desk
  for (let round = 0; ; round++) {
    const { chosen, cost, prices } = master.relax()
    if (round >= mostRounds || left() <= 0) return { chosen, cost, prices }
    const visits = prices.visits.slice()
    for (const [route, times] of fixed)
      if (times > 0) for (const visit of master.routes[route]!.visits) visits[visit] = -PENALTY
    if (priceGroups(desk, { ...prices, visits }).added > 0) continue
    const cuts = broken(visits.length, groups, master.routes, chosen)
    if (cuts.length === 0) return { chosen, cost, prices }
    master.prune()
    master.cut(cuts)
  }
}

/** Chooses the rest from the routes that, under the relaxation's prices, can be in a better plan. */
function finish(
  desk: SearchState,
  fixed: Fixed,
  { cost, prices }: ReturnType<typeof settle>,
  seconds: number,
) {
  if (seconds <= 0) return
  const { master } = desk
  const kept = [...fixed].flatMap(([route, times]) => Array<Route>(times).fill(master.routes[route]!))
  const taken = new Set(kept.flatMap(({ visits }) => visits))
  const room = costIn(desk) - desk.base - cost
  const routes = master.routes.filter(
    (route) => !route.visits.some((visit) => taken.has(visit)) && reducedOf(route, prices) < room,
  )
  selectRoutes(desk, { phase: 'plan', kept, routes, start: null, seconds: Math.min(longest, seconds) })
}
