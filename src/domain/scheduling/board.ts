import { type AppointmentState, isActive, type Service, serviceFacts } from '../appointments/appointment.ts'
import { assignableStates } from '../appointments/transitions.ts'
import type { Settings } from '../settings/settings-schema.ts'
import type { LocalDay } from '../shared/calendar.ts'
import type { Ask } from './availability.ts'
import { isHard, type Reason, whyNot } from './eligibility.ts'
import { busyOf, type MinuteSpan, noZone, type PersonRow, rosterOf, travelBetween } from './roster.ts'

/** An appointment of the day as the board shows it. Times are epoch minutes; zone -1 is no place. */
export type BoardVisit = MinuteSpan & {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  zone: number
  /** Short: "Ana P." */
  customer: string
  customerId: string
  personId: string | null
  confirmed: boolean
  version: number
}

/** A person who carries out appointments, with the shifts of that weekday only. */
export type BoardPerson = PersonRow & { name: string }

/** All data that draws and checks the board of one local day, in the browser too. */
export type BoardDay = {
  day: LocalDay
  now: number
  /** Technicians, then analysts, by name. */
  people: readonly BoardPerson[]
  visits: readonly BoardVisit[]
  settings: Pick<Settings, 'hours' | 'stepMinutes' | 'bufferMinutes' | 'services' | 'holidays'>
  /** The travel matrix, as a plain list. */
  travel: readonly number[]
  /** The services that cannot be booked this far ahead. */
  beyond: readonly Service[]
}

/** The travel between two appointments, and whether the time between them is too short. */
type Gap = MinuteSpan & { travel: number; after: string; short: boolean }

/** Appointments on the time axis; `off` is clipped to the day, `shifts` are epoch minutes. */
export type Lane = { visits: BoardVisit[]; gaps: Gap[]; shifts: MinuteSpan[]; off: MinuteSpan[] }

/** A person's day, with its travel minutes. */
export type BoardRow = Lane & { person: BoardPerson; travel: number }

/** "Ana P.": the short name for a block. */
export const shortName = (name: string | null, lastname: string | null) =>
  [name, lastname && `${[...lastname][0]}.`].filter(Boolean).join(' ')

/** A row for each person who works that day or has an appointment on it, in the board's order. */
export function boardRowsOf(board: BoardDay): BoardRow[] {
  const { day, people } = board
  return people
    .map((person) => {
      const visits = board.visits
        .filter(({ personId }) => personId === person.id)
        .toSorted((a, b) => a.start - b.start)
      const gaps = gapsBetween(visits, board)
      return {
        person,
        visits,
        gaps,
        travel: gaps.reduce((sum, gap) => sum + gap.travel, 0),
        shifts: person.shifts.map(({ from, to }) => ({ start: day.base + from, end: day.base + to })),
        off: person.timeOff.flatMap((span) => within(span, day)),
      }
    })
    .filter(({ person, shifts, visits }) => visits.length > 0 || (person.active && shifts.length > 0))
}

/** Unassigned appointments, in as few lanes as possible without overlaps. */
export function lanesWithoutPerson({ visits }: BoardDay): Lane[] {
  const lanes: Lane[] = []
  for (const visit of visits.filter(({ personId }) => personId === null)) {
    const free = lanes.find((lane) => lane.visits.at(-1)!.end <= visit.start)
    if (free) free.visits.push(visit)
    else lanes.push({ visits: [visit], gaps: [], shifts: [], off: [] })
  }
  return lanes
}

const within = (span: MinuteSpan, { start, end }: MinuteSpan): MinuteSpan[] => {
  const part = { start: Math.max(span.start, start), end: Math.min(span.end, end) }
  return part.start < part.end ? [part] : []
}

/** The buffer and travel time between two appointments with a place; cut off where the next one begins earlier. */
function gapsBetween(visits: readonly BoardVisit[], { settings, travel }: BoardDay): Gap[] {
  const matrix = Uint16Array.from(travel)
  const placed = visits.filter(({ zone }) => zone !== noZone)
  return placed.slice(1).flatMap((next, n) => {
    const previous = placed[n]!
    const minutes = travelBetween(matrix, previous.zone, next.zone)
    const end = previous.end + settings.bufferMinutes + minutes
    if (minutes === 0) return []
    return [
      {
        start: previous.end,
        end: Math.max(previous.end, Math.min(end, next.start)),
        travel: minutes,
        after: previous.id,
        short: end > next.start,
      },
    ]
  })
}

/** The board's hours: whole hours from opening to closing, wider where an appointment lies outside. */
export function hoursOf({ day, settings, visits }: BoardDay): MinuteSpan {
  const opening = settings.hours[day.weekday] ?? usual(settings.hours)
  const starts = visits.map(({ start }) => start)
  const ends = visits.map(({ end }) => end)
  const from = Math.min(day.base + opening.from, ...starts)
  const to = Math.max(day.base + opening.to, ...ends)
  return { start: from - ((from - day.base) % 60), end: to + ((60 - ((to - day.base) % 60)) % 60) }
}

/** On a closed day, the hours of the first open weekday. */
const usual = (hours: Settings['hours']) => hours.find((one) => one !== null) ?? { from: 9 * 60, to: 18 * 60 }

/** The position of a minute in a span, in percent. */
export const spanPercentOf = (minute: number, { start, end }: MinuteSpan) =>
  ((minute - start) / (end - start)) * 100

/** The filter of the board. An empty list means all. */
export type BoardFilter = { zones: readonly number[]; service?: Service | undefined }

export const isWanted = ({ service, zone }: BoardVisit, filter: BoardFilter) =>
  (filter.zones.length === 0 || filter.zones.includes(zone)) &&
  (!filter.service || filter.service === service)

/** The rows of a board under a filter. */
export const shownRows = (board: BoardDay, filter: BoardFilter) =>
  boardRowsOf(board).filter((row) => isRowWanted(row, filter))

/** The sum of the travel minutes of rows. */
export const rowsTravelOf = (rows: readonly BoardRow[]) => rows.reduce((sum, { travel }) => sum + travel, 0)

/**
 * Whether a row is shown: the person could carry out the service in one of the zones, or has such an appointment that
 * day.
 */
const isRowWanted = ({ person, visits }: BoardRow, filter: BoardFilter) =>
  visits.some((visit) => isWanted(visit, filter)) ||
  ((!filter.service || serviceFacts[filter.service].by === person.kind) && goesTo(person, filter.zones))

const goesTo = ({ zones }: BoardPerson, wanted: readonly number[]) =>
  wanted.length === 0 || zones.length === 0 || zones.some((zone) => wanted.includes(zone))

/** Whether an appointment may still be reassigned or rescheduled. */
export const isMovable = ({ state }: Pick<BoardVisit, 'state'>) => assignableStates.includes(state)

/** The reasons against a move; `past` cannot be overridden by any user. */
export type MoveVerdict = { reasons: readonly Reason[]; past: boolean }

/** Whether a move is forbidden, even with a reason. */
export const isBarred = ({ past, reasons }: MoveVerdict) => past || reasons.some(isHard)

/**
 * Checks the moves of one appointment on the board's day by the engine's own rules, without a request: the server
 * applies the same rules. Packed once for each appointment picked up.
 */
export function judgeOf(
  board: BoardDay,
  visit: BoardVisit,
): (personId: string, start: number) => MoveVerdict {
  const { day, now, people } = board
  const index = new Map(people.map(({ id }, person) => [id, person]))
  const roster = rosterOf(people)
  const busy = busyOf(
    people.length,
    board.visits.flatMap((other) => {
      const person = other.personId === null ? undefined : index.get(other.personId)
      return person === undefined || other.id === visit.id || !isActive(other.state)
        ? []
        : [{ person, start: other.start, end: other.end, zone: other.zone, service: other.service }]
    }),
  )
  const ask = askAbout(board, visit)
  return (personId, start) => {
    const person = index.get(personId)
    if (person === undefined) return { reasons: [{ code: 'wrong_kind' }], past: false }
    const stays = start === visit.start
    const reasons = [
      ...whyNot(roster, busy, person, start, ask),
      ...(stays ? [] : aboutNewTime(board, visit, start)),
    ]
    return { reasons, past: !stays && start < now && day.start <= now }
  }
}

function askAbout({ day, now, settings, travel }: BoardDay, { end, service, start, zone }: BoardVisit): Ask {
  const rules = { ...settings.services, [service]: { ...settings.services[service], minutes: end - start } }
  return {
    service,
    zone,
    now,
    days: [day],
    // The engine reads only the settings that the board carries.
    settings: { ...settings, services: rules } as Settings,
    travel: Uint16Array.from(travel),
    promised: true,
  }
}

/** The rules that do not apply to a time already promised. */
function aboutNewTime({ beyond, day, now, settings }: BoardDay, { service }: BoardVisit, start: number) {
  const { noticeHours } = settings.services[service]
  const found: Reason[] = []
  if ((start - day.base) % settings.stepMinutes !== 0) found.push({ code: 'grid' })
  if (start < now + noticeHours * 60) found.push({ code: 'notice' })
  if (beyond.includes(service)) found.push({ code: 'horizon' })
  return found
}

/** The starts of the day's grid within given hours, in epoch minutes. */
export function startsWithin({ day, settings }: BoardDay, hours: { start: number; end: number }): number[] {
  const { stepMinutes } = settings
  const first = day.base + Math.ceil((hours.start - day.base) / stepMinutes) * stepMinutes
  const starts: number[] = []
  for (let start = first; start < hours.end; start += stepMinutes) starts.push(start)
  return starts
}

/** The start of the grid nearest to a minute. */
export const snapped = ({ day, settings }: BoardDay, minute: number) =>
  day.base + Math.round((minute - day.base) / settings.stepMinutes) * settings.stepMinutes
