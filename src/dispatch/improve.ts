import {
  type Assignment,
  costOf,
  type DayProblem,
  type DayStop,
  leftOf,
  legOf,
  PENALTY,
  reaches,
  visitsInOrder,
} from './rules/day-plan.ts'

/** One thing on the way of some people: a visit to give to one of them, or a fixed stop of one. */
type Step = { stop: DayStop; visit: number; owner: number }

/** A way of giving some people some visits; -1 is no one. */
type Split = { cost: number; given: Map<number, number> }

/** More ways than these of sharing visits out among a few people are not looked at. */
const mostSteps = 20_000

/** Unassigned visits that are offered to a few people at once. */
const mostLeft = 3

/**
 * Improves a plan by redistributing the visits of two people, for every pair, until that gains nothing; then of three,
 * picked at random, as long as there is time. Reports each better plan. Not optimal, but near it quickly.
 */
export function improve(
  problem: DayProblem,
  from: Assignment,
  inTime: () => boolean,
  tell: (plan: Assignment) => void,
): Assignment {
  const plan = from.map((visits) => [...visits])
  const able = problem.people.map((person) => new Set(person.able))
  const people = [...problem.people.keys()]
  const again = (team: readonly number[]) => shareAnew(problem, able, plan, team)
  let changed = new Set(people)
  while (changed.size > 0 && inTime()) {
    const open = changed
    changed = new Set()
    for (const p of people)
      for (const q of people) {
        if (q <= p || (!open.has(p) && !open.has(q)) || !inTime()) continue
        if (again([p, q])) for (const one of [p, q]) changed.add(one)
      }
    if (changed.size > 0) tell(plan.map((visits) => [...visits]))
  }
  const roll = random(7)
  while (people.length > 2 && inTime()) {
    const team = new Set<number>()
    while (team.size < 3) team.add(roll(people.length))
    if (again([...team])) tell(plan.map((visits) => [...visits]))
  }
  return plan
}

/**
 * Redistributes the visits of a few people, and the unassigned ones, in the best way; returns whether that was better.
 */
function shareAnew(
  problem: DayProblem,
  able: readonly ReadonlySet<number>[],
  plan: number[][],
  team: readonly number[],
): boolean {
  const left = leftOf(problem, plan).filter((visit) => team.some((p) => able[p]!.has(visit)))
  const visits = [...team.flatMap((p) => plan[p]!), ...left.slice(0, mostLeft)]
  const before =
    team.reduce((sum, p) => sum + costOf(problem, problem.people[p]!, plan[p]!), 0) +
    Math.min(left.length, mostLeft) * PENALTY
  const found = bestSplit(problem, able, team, visits, before - 0.25)
  if (!found) return false
  for (const p of team)
    plan[p] = visitsInOrder(
      problem,
      visits.filter((visit) => found.given.get(visit) === p),
    )
  return true
}

/** The best way below a cost; null when none was found. */
function bestSplit(
  problem: DayProblem,
  able: readonly ReadonlySet<number>[],
  team: readonly number[],
  visits: readonly number[],
  below: number,
): Split | null {
  const steps: Step[] = [
    ...visits.map((visit) => ({ stop: problem.visits[visit]!, visit, owner: -1 })),
    ...team.flatMap((p) => problem.people[p]!.fixed.map((stop) => ({ stop, visit: -1, owner: p }))),
  ].sort((a, b) => a.stop.start - b.stop.start)
  const last = new Map<number, Step>()
  const held = new Map(team.map((p) => [p, heldBy(problem, p)]))
  const given = new Map<number, number>()
  let [best, looked]: [Split | null, number] = [null, 0]
  const walk = (at: number, cost: number) => {
    if (cost >= (best?.cost ?? below) || looked++ > mostSteps) return
    const step = steps[at]
    if (!step) {
      best = { cost, given: new Map(given) }
      return
    }
    for (const p of step.owner < 0 ? team : [step.owner]) {
      const before = last.get(p)
      const counts = held.get(p)!
      const isOpen = step.visit >= 0
      if (
        isOpen &&
        (!able[p]!.has(step.visit) || counts[step.stop.service]! >= problem.dailyMax[step.stop.service]!)
      )
        continue
      if (before && (isOpen || before.visit >= 0) && !reaches(problem, before.stop, step.stop)) continue
      const all = counts.reduce((sum, count) => sum + count, 0)
      last.set(p, step)
      if (isOpen) {
        counts[step.stop.service]!++
        given.set(step.visit, p)
      }
      walk(at + 1, cost + (before ? legOf(problem, before.stop, step.stop) : 0) + (isOpen ? all + 0.5 : 0))
      if (isOpen) {
        counts[step.stop.service]!--
        given.delete(step.visit)
      }
      if (before) last.set(p, before)
      else last.delete(p)
    }
    if (step.visit >= 0) walk(at + 1, cost + PENALTY)
  }
  walk(
    0,
    [...held.values()].reduce(
      (sum, counts) => sum + counts.reduce((all, count) => all + count, 0) ** 2 / 2,
      0,
    ),
  )
  return best
}

/** What a person has fixed on the day, by service. */
function heldBy({ dailyMax, people }: DayProblem, p: number): number[] {
  const counts = dailyMax.map(() => 0)
  for (const { today, service } of people[p]!.fixed) if (today) counts[service]!++
  return counts
}

/** A repeatable source of whole numbers below a limit: the same day gives the same plan. */
function random(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
