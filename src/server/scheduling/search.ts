import type { Highs } from 'highs'
import { costOfAll, type DayProblem, presentPlan } from '../../domain/scheduling/day-plan.ts'
import { broken } from './cuts.ts'
import {
  type Desk,
  gapIn,
  isProved,
  type News,
  openDesk,
  type Proof,
  price,
  resultOf,
  rounded,
  say,
  take,
} from './desk.ts'
import { dive } from './dive.ts'
import { improve } from './improve.ts'
import { prove } from './proof.ts'
import type { Prices } from './routes.ts'

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
 * Until no route would better the relaxation, or time is up. The relaxation's own prices jump about while it has few routes
 * to choose from, so they are drawn towards the best ones so far.
 */
export function makeRoutes(desk: Desk, inTime: () => boolean): Proof {
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

/** Cuts until none is broken: what halves of routes get around. */
function tighten(desk: Desk, first: Proof, inTime: () => boolean): Proof {
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
