import { choose } from './choice.ts'
import { costIn, type Desk, type Proof, rounded, say } from './desk.ts'
import { routesOf } from './hand-out.ts'
import { keyOf } from './master.ts'
import { allWithin, type Route, routeOf } from './routes.ts'

/** More routes than these make a proof slower than the time allows. */
const mostRoutes = 12_000
/** A proof begun with fewer seconds left would end before it says anything. */
const leastSeconds = 0.2

/**
 * Chooses among every route that a better plan could hold: then the best of them is the best of all. When they are too many,
 * among those with the least reduced costs: a plan with any other costs more than the bound by what those go up to.
 */
export function prove(desk: Desk, proof: Proof, left: () => number) {
  const bound = proof.bound + desk.base
  // Better is better by half a minute at least.
  let room = costIn(desk) - 0.5 - bound
  let every = routesWithin(desk, proof, room)
  for (; !every && room > 0.5; every = routesWithin(desk, proof, room)) room /= 2
  if (!every || left() < leastSeconds) return
  const start = routesOf(desk, desk.best)
  const known = new Set(every.map(keyOf))
  const more = start.filter((route) => !known.has(keyOf(route)) && known.add(keyOf(route)))
  const proved = choose(desk, {
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
  say(desk, 'proof')
}

/** All routes with a reduced cost up to some room above the least; null when they are too many. */
function routesWithin({ groups, problem }: Desk, { prices, reduced }: Proof, room: number): Route[] | null {
  const routes: Route[] = []
  for (const [g, group] of groups.entries()) {
    const some = allWithin(group, g, prices, room + reduced[g]! + 1e-4, mostRoutes - routes.length)
    if (!some) return null
    for (const visits of some) routes.push(routeOf(problem, groups, g, visits))
  }
  return routes
}
