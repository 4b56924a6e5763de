import { performers, type Service, serviceFacts, services } from '../appointments/services.ts'
import type { Settings } from '../settings/settings-schema.ts'
import type { LocalDay } from '../shared/calendar.ts'
import type { Ask } from './availability.ts'
import { whyNotAlone } from './closed-reasons.ts'
import type { DayProblem, PlannedPerson, Stop } from './day-plan.ts'
import type { Roster } from './roster.ts'

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
 * The day as a problem. A visit that no one may take by the rules alone (its place, its time) is left where it is: nothing
 * about it can be planned.
 */
export function problemOf(question: DayQuestion): DayProblem {
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

const stopOf = ({ start, minutes, zone, service }: DayRow, day: LocalDay): Stop => ({
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

/** What a person keeps on the day, and the nearest on both sides of it. */
function fixedOf(staying: readonly DayRow[], person: number, day: LocalDay): Stop[] {
  const stops = staying
    .filter((row) => row.person === person)
    .map((row) => stopOf(row, day))
    .sort((a, b) => a.start - b.start)
  const before = stops.filter(({ start }) => start < day.start).slice(-1)
  const after = stops.filter(({ start }) => start >= day.end).slice(0, 1)
  return [...before, ...stops.filter(({ today }) => today), ...after]
}
