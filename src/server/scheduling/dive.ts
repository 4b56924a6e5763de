import { PENALTY } from '../../domain/scheduling/day-plan.ts'
import { choose } from './choice.ts'
import { broken } from './cuts.ts'
import { costIn, type Desk, offer, price, say } from './desk.ts'
import { handOut, routesOf } from './hand-out.ts'
import { type Route, reducedOf } from './routes.ts'

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
export function dive(desk: Desk, sure: number, left: () => number) {
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
      say(desk, 'plan')
      continue
    }
    for (const { route, times } of step) fix(route, -times)
    if (step.length > 1) least = Infinity
    else refused.add(step[0]!.route)
  }
  if (whole) offer(desk, 'plan', handOut(desk, whole))
  else finish(desk, fixed, relaxed, left())
  for (const route of fixed.keys()) master.fix(route, 0)
  master.add(routesOf(desk, desk.best))
}

const isNearly = (value: number) => Math.abs(value - Math.round(value)) < 1e-6

/** What is chosen, where that is in whole routes. */
function wholeIn({ master }: Desk, chosen: Float64Array): Route[] | null {
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
function settle(desk: Desk, fixed: Fixed, left: () => number) {
  const { groups, master } = desk
  for (let round = 0; ; round++) {
    const { chosen, cost, prices } = master.relax()
    if (round >= mostRounds || left() <= 0) return { chosen, cost, prices }
    const visits = prices.visits.slice()
    for (const [route, times] of fixed)
      if (times > 0) for (const visit of master.routes[route]!.visits) visits[visit] = -PENALTY
    if (price(desk, { ...prices, visits }).added > 0) continue
    const cuts = broken(visits.length, groups, master.routes, chosen)
    if (cuts.length === 0) return { chosen, cost, prices }
    master.prune()
    master.cut(cuts)
  }
}

/** Chooses the rest from the routes that, under the relaxation's prices, can be in a better plan. */
function finish(desk: Desk, fixed: Fixed, { cost, prices }: ReturnType<typeof settle>, seconds: number) {
  if (seconds <= 0) return
  const { master } = desk
  const kept = [...fixed].flatMap(([route, times]) => Array<Route>(times).fill(master.routes[route]!))
  const taken = new Set(kept.flatMap(({ visits }) => visits))
  const room = costIn(desk) - desk.base - cost
  const routes = master.routes.filter(
    (route) => !route.visits.some((visit) => taken.has(visit)) && reducedOf(route, prices) < room,
  )
  choose(desk, { phase: 'plan', kept, routes, start: null, seconds: Math.min(longest, seconds) })
}
