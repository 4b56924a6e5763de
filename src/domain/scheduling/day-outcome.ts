import {
  type Assignment,
  burdenOf,
  costOfAll,
  type DayProblem,
  leftOf,
  stopsOf,
  travelOf,
} from './day-plan.ts'

/** Appointments of a day and its minutes on the road. */
export type Load = { visits: number; travel: number }

/** What a plan changes; people by id, null is unassigned. */
export type DayOutcome = {
  visits: { id: string; from: string | null; to: string | null }[]
  people: { id: string; before: Load; after: Load }[]
  /** Total travel minutes of all people. */
  travel: { before: number; after: number }
  /** Unassigned visits. */
  left: { before: number; after: number }
  /** Travel and burden of the plan, and the least that any plan can have, in minutes. */
  cost: number
  bound: number
}

/** A plan beside the current day. The penalty of unassigned visits is in neither `cost` nor `bound`. */
export function outcomeOf(problem: DayProblem, plan: Assignment, bound: number): DayOutcome {
  const now = problem.people.map((person) => person.now)
  const people = problem.people.map(({ id }, p) => ({
    id,
    before: loadOf(problem, p, now),
    after: loadOf(problem, p, plan),
  }))
  const sum = (when: 'before' | 'after') => people.reduce((all, one) => all + one[when].travel, 0)
  const burdens = problem.people.map((person, p) => burdenOf(stopsOf(problem, person, plan[p] ?? [])))
  const cost = sum('after') + burdens.reduce((all, one) => all + one, 0)
  const [from, to] = [holderOf(problem, now), holderOf(problem, plan)]
  return {
    visits: problem.visits.map(({ id }, visit) => ({ id, from: from(visit), to: to(visit) })),
    people: people.filter(({ before, after }) => before.visits + after.visits > 0),
    travel: { before: sum('before'), after: sum('after') },
    left: { before: leftOf(problem, now).length, after: leftOf(problem, plan).length },
    cost,
    bound: bound - (costOfAll(problem, plan) - cost),
  }
}

function loadOf(problem: DayProblem, p: number, plan: Assignment): Load {
  const stops = stopsOf(problem, problem.people[p]!, plan[p] ?? [])
  return { visits: stops.filter(({ today }) => today).length, travel: travelOf(problem, stops) }
}

function holderOf({ people }: DayProblem, plan: Assignment) {
  const holders = new Map(plan.flatMap((taken, p) => taken.map((visit) => [visit, people[p]!.id] as const)))
  return (visit: number) => holders.get(visit) ?? null
}

/**
 * How far a plan can be from the best one, as a share of its minutes on the road, the stricter of the two measures: its cost
 * is greater. Costs are whole halves of a minute, so whatever is nearer than that to the bound is the best.
 */
export const gapOf = ({ cost, bound, travel }: Pick<DayOutcome, 'cost' | 'bound' | 'travel'>) =>
  cost - bound < 0.5 ? 0 : (cost - bound) / Math.max(travel.after, 1)
