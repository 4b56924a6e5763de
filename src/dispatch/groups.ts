import {
  type DayProblem,
  type DayStop,
  dayTravelOf,
  legOf,
  type PlannedPerson,
  reaches,
  stopsOf,
  visitsInOrder,
} from './rules/day-plan.ts'

/** A stop on the ways through a day: `visit` is -1 where it is fixed. */
type Node = {
  stop: DayStop
  visit: number
  /** The nodes that may come right before, and the minutes from there. */
  before: Int32Array
  legs: Float64Array
  isFirst: boolean
  isLast: boolean
  /** How taking it moves the count, in `Counts`. */
  step: number
  /** The counts from which it may be taken. */
  from: readonly number[]
}

/** People who are the same to the plan, with every way through their day. */
export type Group = {
  people: readonly number[]
  able: ReadonlySet<number>
  nodes: readonly Node[]
  /** How many visits each count stands for. */
  totals: Int32Array
  /** Appointments of the day, and travel between them, that every person of the group has in any case. */
  fixed: { visits: number; travel: number }
}

/**
 * People with the same selectable visits and the same fixed stops are one group: without that, twenty people who may
 * all do everything would be the same problem twenty times, with twenty names for each solution.
 */
export function groupsOf(problem: DayProblem): Group[] {
  const alike = Map.groupBy(problem.people.keys(), (p) => {
    const { able, fixed } = problem.people[p]!
    return JSON.stringify([able, fixed])
  })
  return [...alike.values()].map((people) => groupOf(problem, people))
}

function groupOf(problem: DayProblem, people: readonly number[]): Group {
  const person = problem.people[people[0]!]!
  const able = visitsInOrder(problem, person.able)
  const counts = countsOf(problem, person, able)
  const stops = [
    ...person.fixed.map((stop) => ({ stop, visit: -1 })),
    ...able
      .filter((visit) => counts.takes(problem.visits[visit]!.service))
      .map((visit) => ({ stop: problem.visits[visit]!, visit })),
  ].sort((a, b) => a.stop.start - b.stop.start)
  const fixedAt = stops.flatMap(({ visit }, i) => (visit < 0 ? [i] : []))
  const nodes = stops.map(({ stop, visit }, i): Node => {
    const barrier = fixedAt.findLast((at) => at < i) ?? -1
    const before = stops.flatMap((other, r) => {
      const mayFollow = (visit < 0 && other.visit < 0) || reaches(problem, other.stop, stop)
      return r < i && r >= barrier && mayFollow ? [r] : []
    })
    return {
      stop,
      visit,
      before: Int32Array.from(before),
      legs: Float64Array.from(before, (r) => legOf(problem, stops[r]!.stop, stop)),
      isFirst: barrier < 0,
      isLast: i >= (fixedAt.at(-1) ?? 0),
      ...counts.of(visit < 0 ? null : stop.service),
    }
  })
  const own = stopsOf(problem, person, [])
  const fixed = { visits: own.filter(({ today }) => today).length, travel: dayTravelOf(problem, own) }
  return { people, able: new Set(able), nodes, totals: counts.totals, fixed }
}

/** What has to be counted along the way, since every service has its own maximum: one number for all combinations. */
function countsOf(problem: DayProblem, person: PlannedPerson, able: readonly number[]) {
  const limits = problem.dailyMax.map((max, service) => {
    const held = person.fixed.filter((stop) => stop.today && stop.service === service).length
    const possible = able.filter((visit) => problem.visits[visit]!.service === service)
    return Math.max(0, Math.min(max - held, longest(problem, possible)))
  })
  const strides = limits.map((_, service) =>
    limits.slice(0, service).reduce((product, limit) => product * (limit + 1), 1),
  )
  const size = limits.reduce((product, limit) => product * (limit + 1), 1)
  const all = [...Array(size).keys()]
  const held = (count: number, service: number) =>
    Math.floor(count / strides[service]!) % (limits[service]! + 1)
  return {
    takes: (service: number) => limits[service]! > 0,
    totals: Int32Array.from(all, (count) => limits.reduce((sum, _, s) => sum + held(count, s), 0)),
    of: (service: number | null) =>
      service === null
        ? { step: 0, from: all }
        : { step: strides[service]!, from: all.filter((count) => held(count, service) < limits[service]!) },
  }
}

/** How many of some visits fit one after another, roads aside: the most that a count can become. */
function longest({ visits, bufferMinutes }: DayProblem, some: readonly number[]): number {
  let fit = 0
  let free = -Infinity
  for (const { start, end } of some.map((visit) => visits[visit]!).sort((a, b) => a.end - b.end)) {
    if (start < free) continue
    fit++
    free = end + bufferMinutes
  }
  return fit
}

/** One day's work for a person of a group: its visits in order, and the minutes it costs beyond what is fixed. */
export type Route = { group: number; visits: number[]; cost: number }
