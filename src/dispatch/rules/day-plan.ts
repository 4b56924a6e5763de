import { performers, type Service, serviceFacts, services } from '../../appointments/rules/appointment.ts'
import type { Ask } from '../../scheduling/rules/availability.ts'
import { whyNotAlone } from '../../scheduling/rules/eligibility.ts'
import { type Roster, travelBetween } from '../../scheduling/rules/roster.ts'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import type { LocalDay } from '../../shared/calendar.ts'

/** An appointment at a place and a time (epoch minutes). `service` is its index in `services`; zone -1 is no place. */
export type DayStop = {
  start: number
  end: number
  zone: number
  service: number
  /** False for appointments of adjacent days: they must be reachable in time, but count for nothing else. */
  today: boolean
}

/** A visit that may be reassigned; its time is fixed. */
type OpenVisit = DayStop & { id: string }

export type PlannedPerson = {
  id: string
  /** The visits that this person may take, judged one at a time. */
  able: readonly number[]
  /** The appointments that always stay with this person, in order. */
  fixed: readonly DayStop[]
  /** The visits this person currently has. */
  now: readonly number[]
}

/** One day: which visits each person could take. People and visits are identified by their index. */
export type DayProblem = {
  visits: readonly OpenVisit[]
  people: readonly PlannedPerson[]
  bufferMinutes: number
  /** Indexed by service. */
  dailyMax: readonly number[]
  travel: Uint16Array
}

/** The visits of each person, in order. A visit that is in no list is unassigned. */
export type Assignment = readonly (readonly number[])[]

/** Penalty of an unassigned visit, in minutes: more than any placement could cost. */
export const PENALTY = 10_000

/** All stops of a person's day with the given visits. */
export function stopsOf(
  { visits }: DayProblem,
  { fixed }: PlannedPerson,
  taken: readonly number[],
): DayStop[] {
  return [...fixed, ...taken.map((visit) => visits[visit]!)].sort((a, b) => a.start - b.start)
}

/** Travel minutes between two stops of a day; zero from or to another day, as in the ranking. */
export const legOf = ({ travel }: DayProblem, from: DayStop, to: DayStop) =>
  from.today && to.today ? travelBetween(travel, from.zone, to.zone) : 0

/** Whether a person can reach the next stop in time. */
export const reaches = ({ travel, bufferMinutes }: DayProblem, from: DayStop, to: DayStop) =>
  from.end + bufferMinutes + travelBetween(travel, from.zone, to.zone) <= to.start

/** Travel minutes of a day. */
export function dayTravelOf(problem: DayProblem, stops: readonly DayStop[]): number {
  let minutes = 0
  for (let i = 1; i < stops.length; i++) minutes += legOf(problem, stops[i - 1]!, stops[i]!)
  return minutes
}

/**
 * The unevenness of a day, in minutes: half the square of its number of appointments. As long as all visits are placed,
 * the sum over all people differs by a constant from the squared distances to any even load.
 */
const burdenOf = (stops: readonly DayStop[]) => stops.filter(({ today }) => today).length ** 2 / 2

/** The cost of a person's day: its travel and its burden, in minutes. */
export function costOf(problem: DayProblem, person: PlannedPerson, taken: readonly number[]): number {
  const stops = stopsOf(problem, person, taken)
  return dayTravelOf(problem, stops) + burdenOf(stops)
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

/**
 * Whether the engine's rules allow a person exactly these visits. Fixed appointments are not checked, only their
 * neighbours.
 */
export function stands(problem: DayProblem, person: PlannedPerson, taken: readonly number[]): boolean {
  const open = new Set<DayStop>(taken.map((visit) => problem.visits[visit]!))
  const stops = stopsOf(problem, person, taken)
  const touches = (i: number) => open.has(stops[i - 1]!) || open.has(stops[i]!)
  return (
    taken.every((visit) => person.able.includes(visit)) &&
    stops.every((stop, i) => i === 0 || !touches(i) || reaches(problem, stops[i - 1]!, stop)) &&
    [...open].every(({ service }) => countOf(stops, service) <= problem.dailyMax[service]!)
  )
}

const countOf = (stops: readonly DayStop[], wanted: number) =>
  stops.filter(({ today, service }) => today && service === wanted).length

/** The current day, without visits that the rules no longer allow. */
export const presentPlan = (problem: DayProblem): number[][] =>
  problem.people.map((person) => {
    const kept: number[] = []
    for (const visit of visitsInOrder(problem, person.now))
      if (stands(problem, person, [...kept, visit])) kept.push(visit)
    return kept
  })

/** Visits by their start. */
export const visitsInOrder = ({ visits }: DayProblem, some: readonly number[]) =>
  [...some].sort((a, b) => visits[a]!.start - visits[b]!.start)

/** An appointment of the day or of an adjacent day; `person` is the index in the roster, -1 is unassigned. */
export type DayRow = {
  id: string
  person: number
  start: number
  minutes: number
  zone: number
  service: Service
  /** Its assignee is provisional and it is part of the problem: it may be reassigned. */
  open: boolean
}

export type DayQuestion = {
  day: LocalDay
  rows: readonly DayRow[]
  roster: Roster
  settings: Settings
  travel: Uint16Array
}

/** Whether visits of a service can be exchanged to save travel: a video call has no place. */
export const isOnTheRoad = (service: Service) => serviceFacts[service].needsTravel

/**
 * The day as a problem. A visit that no person may take by the rules alone (its place, its time) stays where it is: it
 * cannot be planned.
 */
export function dayProblemOf(question: DayQuestion): DayProblem {
  const { rows, roster, settings, travel } = question
  const ables = new Map(rows.filter(({ open }) => open).map((row) => [row.id, ableFor(question, row)]))
  const open = rows.filter((row) => (ables.get(row.id)?.length ?? 0) > 0).sort((a, b) => a.start - b.start)
  const moving = new Set(open.map(({ id }) => id))
  const staying = rows.filter(({ id }) => !moving.has(id))
  const wanted = new Set(open.flatMap((row) => [row.person, ...(ables.get(row.id) ?? [])]))
  wanted.delete(-1)
  return {
    visits: open.map((row) => ({ id: row.id, ...stopOf(row, question.day) })),
    people: [...wanted]
      .sort((a, b) => a - b)
      .map(
        (person): PlannedPerson => ({
          id: roster.ids[person]!,
          able: indexesOf(open, ({ id }) => ables.get(id)!.includes(person)),
          fixed: fixedOf(staying, person, question.day),
          now: indexesOf(open, (row) => row.person === person),
        }),
      ),
    bufferMinutes: settings.bufferMinutes,
    dailyMax: services.map((service) => settings.services[service].dailyMax),
    travel,
  }
}

const indexesOf = (rows: readonly DayRow[], wanted: (row: DayRow) => boolean) =>
  [...rows.keys()].filter((index) => wanted(rows[index]!))

const stopOf = ({ start, minutes, zone, service }: DayRow, day: LocalDay): DayStop => ({
  start,
  end: start + minutes,
  zone,
  service: services.indexOf(service),
  today: start >= day.start && start < day.end,
})

/** The engine's query for one booked appointment, with its booked duration. */
export function askAbout({ day, settings, travel }: DayQuestion, { service, zone, minutes }: DayRow): Ask {
  const rules = { ...settings.services, [service]: { ...settings.services[service], minutes } }
  return {
    service,
    zone,
    now: 0,
    days: [day],
    settings: { ...settings, services: rules },
    travel,
    promised: true,
  }
}

/** People of the right kind who are eligible for a visit, regardless of their other appointments. */
function ableFor(question: DayQuestion, row: DayRow): number[] {
  const { roster } = question
  const kind = performers.indexOf(serviceFacts[row.service].by)
  const ask = askAbout(question, row)
  return [...roster.ids.keys()].filter(
    (person) => roster.kinds[person] === kind && whyNotAlone(roster, person, row.start, ask).length === 0,
  )
}

/** A person's fixed appointments of the day, and the nearest one before and after it. */
function fixedOf(staying: readonly DayRow[], person: number, day: LocalDay): DayStop[] {
  const stops = staying
    .filter((row) => row.person === person)
    .map((row) => stopOf(row, day))
    .sort((a, b) => a.start - b.start)
  const before = stops.filter(({ start }) => start < day.start).slice(-1)
  const after = stops.filter(({ start }) => start >= day.end).slice(0, 1)
  return [...before, ...stops.filter(({ today }) => today), ...after]
}

/** The appointments of a day and its travel minutes. */
export type Load = { visits: number; travel: number }

/** The changes of a plan; people by id, null is unassigned. */
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

/** A plan compared with the current day. The penalty of unassigned visits is in neither `cost` nor `bound`. */
export function dayOutcomeOf(problem: DayProblem, plan: Assignment, bound: number): DayOutcome {
  const now = problem.people.map((person) => person.now)
  const people = problem.people.map(({ id }, p) => ({
    id,
    before: loadOf(problem, p, now),
    after: loadOf(problem, p, plan),
  }))
  const sum = (when: 'before' | 'after') => people.reduce((all, one) => all + one[when].travel, 0)
  const burdens = problem.people.map((person, p) => burdenOf(stopsOf(problem, person, plan[p] ?? [])))
  const cost = sum('after') + burdens.reduce((all, one) => all + one, 0)
  const from = holderOf(problem, now)
  const to = holderOf(problem, plan)
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
  return { visits: stops.filter(({ today }) => today).length, travel: dayTravelOf(problem, stops) }
}

function holderOf({ people }: DayProblem, plan: Assignment) {
  const holders = new Map(plan.flatMap((taken, p) => taken.map((visit) => [visit, people[p]!.id] as const)))
  return (visit: number) => holders.get(visit) ?? null
}

/**
 * How far a plan can be from the best one, as a share of its travel minutes. This is the stricter of the two measures:
 * its cost is greater than its travel. Costs are multiples of half a minute, so a plan nearer than that to the bound is
 * optimal.
 */
export const gapOf = ({ cost, bound, travel }: Pick<DayOutcome, 'cost' | 'bound' | 'travel'>) =>
  cost - bound < 0.5 ? 0 : (cost - bound) / Math.max(travel.after, 1)
