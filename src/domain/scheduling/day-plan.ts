import { travelBetween } from './travel.ts'

/** Something at a place and a time (epoch minutes). `service` is its index in `services`; zone -1 is no place. */
export type Stop = {
  start: number
  end: number
  zone: number
  service: number
  /** False for what lies on the days beside: it has to be reached in time, but counts for nothing else. */
  today: boolean
}

/** A visit that may be reassigned; its time is fixed. */
export type OpenVisit = Stop & { id: string }

export type PlannedPerson = {
  id: string
  /** The visits that this person may take, judged one at a time. */
  able: readonly number[]
  /** What stays with this person whatever happens, in order. */
  fixed: readonly Stop[]
  /** The visits this person has at present. */
  now: readonly number[]
}

/** One day: who could take which visits. People and visits are named by their index. */
export type DayProblem = {
  visits: readonly OpenVisit[]
  people: readonly PlannedPerson[]
  bufferMinutes: number
  /** By service. */
  dailyMax: readonly number[]
  travel: Uint16Array
}

/** The visits of each person, in order. A visit that is in no list is unassigned. */
export type Assignment = readonly (readonly number[])[]

/** Penalty of an unassigned visit, in minutes: more than any placement could cost. */
export const PENALTY = 10_000

/** A person's whole day with some visits. */
export function stopsOf({ visits }: DayProblem, { fixed }: PlannedPerson, taken: readonly number[]): Stop[] {
  return [...fixed, ...taken.map((visit) => visits[visit]!)].sort((a, b) => a.start - b.start)
}

/** Travel minutes between two stops of a day; none from or to another day, as in the ranking. */
export const legOf = ({ travel }: DayProblem, from: Stop, to: Stop) =>
  from.today && to.today ? travelBetween(travel, from.zone, to.zone) : 0

/** Whether a person can reach the next stop in time. */
export const reaches = ({ travel, bufferMinutes }: DayProblem, from: Stop, to: Stop) =>
  from.end + bufferMinutes + travelBetween(travel, from.zone, to.zone) <= to.start

/** Minutes on the road of a day. */
export function travelOf(problem: DayProblem, stops: readonly Stop[]): number {
  let minutes = 0
  for (let i = 1; i < stops.length; i++) minutes += legOf(problem, stops[i - 1]!, stops[i]!)
  return minutes
}

/**
 * How uneven a day is, in minutes: half the square of its appointments. As long as all are placed, the sum over all people
 * differs by a constant from the squares of the distances to any even load.
 */
export const burdenOf = (stops: readonly Stop[]) => stops.filter(({ today }) => today).length ** 2 / 2

/** What a person's day costs: its travel and its burden, in minutes. */
export function costOf(problem: DayProblem, person: PlannedPerson, taken: readonly number[]): number {
  const stops = stopsOf(problem, person, taken)
  return travelOf(problem, stops) + burdenOf(stops)
}

/** Cost of a plan: all people's days plus the penalty of unassigned visits. */
export function costOfAll(problem: DayProblem, plan: Assignment): number {
  const days = problem.people.map((person, p) => costOf(problem, person, plan[p] ?? []))
  return days.reduce((sum, cost) => sum + cost, leftOf(problem, plan).length * PENALTY)
}

/** The visits that a plan leaves unassigned. */
export function leftOf({ visits }: DayProblem, plan: Assignment): number[] {
  const taken = new Set(plan.flat())
  return [...visits.keys()].filter((visit) => !taken.has(visit))
}

/** Whether the engine's rules allow a person exactly these visits. Fixed appointments are not judged, only their neighbours. */
export function stands(problem: DayProblem, person: PlannedPerson, taken: readonly number[]): boolean {
  const open = new Set<Stop>(taken.map((visit) => problem.visits[visit]!))
  const stops = stopsOf(problem, person, taken)
  const touches = (i: number) => open.has(stops[i - 1]!) || open.has(stops[i]!)
  return (
    taken.every((visit) => person.able.includes(visit)) &&
    stops.every((stop, i) => i === 0 || !touches(i) || reaches(problem, stops[i - 1]!, stop)) &&
    [...open].every(({ service }) => countOf(stops, service) <= problem.dailyMax[service]!)
  )
}

const countOf = (stops: readonly Stop[], wanted: number) =>
  stops.filter(({ today, service }) => today && service === wanted).length

/** The day as it is, without what the rules would not allow any more. */
export const presentPlan = (problem: DayProblem): number[][] =>
  problem.people.map((person) => {
    const kept: number[] = []
    for (const visit of inOrder(problem, person.now))
      if (stands(problem, person, [...kept, visit])) kept.push(visit)
    return kept
  })

/** Visits by their start. */
export const inOrder = ({ visits }: DayProblem, some: readonly number[]) =>
  [...some].sort((a, b) => visits[a]!.start - visits[b]!.start)
