import { type Assignment, type DayProblem, inOrder } from '../../domain/scheduling/day-plan.ts'
import type { Group } from './groups.ts'
import { type Route, routeOf } from './routes.ts'

type Given = { problem: DayProblem; groups: readonly Group[] }

/** Gives the chosen routes of each group to its people, to those whom it changes least. */
export function handOut({ groups, problem }: Given, routes: readonly Route[]): Assignment {
  const plan: number[][] = problem.people.map(() => [])
  for (const [g, { people }] of groups.entries()) {
    const pairs = routes
      .filter(({ group }) => group === g)
      .flatMap((route, i) => people.map((p) => ({ route, i, p, kept: keptBy(problem, p, route) })))
    const [given, busy] = [new Set<number>(), new Set<number>()]
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
      const visits = inOrder(problem, plan[p] ?? [])
      return visits.length > 0 ? [routeOf(problem, groups, g, visits)] : []
    }),
  )
