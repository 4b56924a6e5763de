import {
  type AppointmentState,
  assignableStates,
  isActive,
  type Service,
  serviceFacts,
  takesTime,
} from '../../appointments/rules/appointment.ts'
import { lateMinutes } from '../../appointments/rules/late.ts'
import type { Pin } from '../../projects/rules/pin.ts'
import type { Ask } from '../../scheduling/rules/availability.ts'
import { isHard, type Reason, rank, whyNot } from '../../scheduling/rules/eligibility.ts'
import {
  busyOf,
  type MinuteSpan,
  noZone,
  type PersonRow,
  rosterOf,
  shiftMinutes,
  travelBetween,
  workdays,
} from '../../scheduling/rules/roster.ts'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import { type LocalDay, localDate } from '../../shared/calendar.ts'

/** An appointment of the day as the board shows it. Times are epoch minutes; zone -1 is no place. */
export type BoardVisit = MinuteSpan & {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  zone: number
  postalCode: string | null
  /** Where the home stands, where somebody marked it. */
  pin: Pin | null
  /** "Ana Pérez R.", and the second part of it: where there is no room, people go by their surname. */
  customer: string
  surname: string
  personId: string | null
  /** The assignee's phone, to call them when they are late. */
  personPhone: string | null
  confirmed: boolean
  version: number
  /** By how many minutes its assignee says that they are late. */
  told?: number | null
  /** When its assignee was given it, where that was after its start; and when it is expected to end, where that is late. */
  givenAt?: number | null
  until?: number
}

/** Another time that a customer was asked about because of an absence, and has not answered; in epoch minutes. */
export type BoardOffer = MinuteSpan &
  Pick<BoardVisit, 'id' | 'customer' | 'surname' | 'service' | 'zone'> & {
    appointmentId: string
    /** Who would carry it out, and who can't come. */
    personId: string
    absentId: string
    /** The time that the customer had. */
    from: number
    expiresAt: number
  }

/** A person who carries out appointments, with the shifts of that weekday only. */
export type BoardPerson = PersonRow & {
  name: string
  /** The epoch minute from which their shifts count. */
  since: number
  /** The zone that their days begin in; without one it is unknown. No slot and no plan asks for it. */
  startZone?: number
}

/** All data that draws and checks the board of one local day, in the browser too. */
export type BoardDay = {
  day: LocalDay
  now: number
  /** Technicians, then analysts, by name. */
  people: readonly BoardPerson[]
  visits: readonly BoardVisit[]
  /** Those that would be on this day, or are about one of its appointments. */
  offers: readonly BoardOffer[]
  settings: Pick<Settings, 'hours' | 'stepMinutes' | 'bufferMinutes' | 'services' | 'holidays'>
  /** The travel matrix, as a plain list. */
  travel: readonly number[]
  /** The services that cannot be booked this far ahead. */
  beyond: readonly Service[]
}

/** The travel between two appointments, and whether the time between them is too short. */
type Gap = MinuteSpan & { travel: number; after: string; short: boolean }

/** Appointments on the time axis; `off` is clipped to the day, `shifts` are epoch minutes. */
export type Lane = Record<'shifts' | 'off' | 'busy', MinuteSpan[]> & { visits: BoardVisit[]; gaps: Gap[] }

/** A person's day, with its travel minutes. */
export type BoardRow = Lane & { person: BoardPerson; travel: number }

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
        busy: [...(person.busy ?? [])],
      }
    })
    .filter(({ person, shifts, visits }) => visits.length > 0 || (person.active && shifts.length > 0))
}

/** The minutes of a person's shifts that day, as the occupancy counts them, and those that appointments take. */
export function capacityOf({ person, visits }: BoardRow, { day, settings }: BoardDay) {
  const taking = visits.filter(({ state }) => takesTime(state))
  return {
    used: taking.reduce((sum, { end, start }) => sum + end - start, 0),
    total: person.active ? shiftMinutes(person, workdays([day], settings.holidays)) : 0,
  }
}

/** Whether a person is away for all that is left of their shifts. */
export const isAway = ({ off, shifts }: Pick<BoardRow, 'off' | 'shifts'>, now: number) =>
  shifts.length > 0 &&
  shifts.every(({ end, start }) =>
    off.some((span) => span.start <= Math.max(start, Math.min(now, end)) && span.end >= end),
  )

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

/** The figures of the shown day under a filter: counts, and minutes of travel. */
export function dayFigures(board: BoardDay, filter: BoardFilter) {
  const visits = board.visits.filter((visit) => isWanted(visit, filter))
  const requested = visits.filter(({ state }) => state === 'requested')
  return {
    visits: visits.length,
    toAssign: requested.length,
    nobody: requested.filter(({ personId }) => personId === null).length,
    enRoute: visits.filter(({ state }) => state === 'en_route').length,
    late: visits.filter((visit) => lateMinutes(visit, board.now) > 0).length,
    travel: shownRows(board, filter).reduce((sum, { travel }) => sum + travel, 0),
  }
}

/** The assignments of the day that the manager can confirm as they were proposed: their customers are not asked anything. */
export const toConfirm = ({ now, offers, visits }: BoardDay, filter: BoardFilter) =>
  visits.filter(
    (visit) =>
      isWanted(visit, filter) &&
      visit.state === 'requested' &&
      visit.personId !== null &&
      visit.start >= now &&
      !offers.some(({ appointmentId }) => appointmentId === visit.id),
  )

/** What the choice of the day to open follows from, in epoch minutes: the first appointment from today on, and the first
 * that is under way or not over. */
export type NextWork = { first: number | null; next: number | null }

/** The local date the board opens on: today while it has work and is open, else the next day with work. */
export function dayToOpen({ first, next }: NextWork, today: LocalDay, closing: number, now: number): string {
  const hasWork = first !== null && first < today.end
  if (hasWork && now < today.base + closing) return today.date
  return next === null ? today.date : localDate(next)
}

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
  const { day, now } = board
  const { ask, busy, index, roster } = packed(board, visit)
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

/** The board's people and what holds them besides an appointment, for the engine. */
export function packed(board: BoardDay, visit: BoardVisit) {
  const { people } = board
  const index = new Map(people.map(({ id }, person) => [id, person]))
  const roster = rosterOf(people)
  const busy = busyOf(
    people.length,
    board.visits.flatMap((other) => {
      const person = other.personId === null ? undefined : index.get(other.personId)
      return person === undefined || other.id === visit.id || !isActive(other.state)
        ? []
        : [{ ...other, person }]
    }),
  )
  return { index, roster, busy, ask: askAbout(board, visit) }
}

/** An appointment before or after another one of the same person, and the minutes of travel between. */
type Neighbour = { visit: BoardVisit; travel: number }

/** A person who does this work, for a choice: what is against them, and the day they would have. */
export type Ranked = {
  id: string
  name: string
  verdict: MoveVerdict
  /** Minutes of travel that their day grows by; null where something is against it. */
  addedTravel: number | null
  /** Their other appointments of that day, and those next to this one. */
  visits: readonly BoardVisit[]
  before: Neighbour | null
  after: Neighbour | null
}

/** The people for an appointment at a start (epoch minutes): the best first, then those with a reason against them. */
export function rankedFor(board: BoardDay, visit: BoardVisit, start: number): Ranked[] {
  const judge = judgeOf(board, visit)
  const { ask, busy, roster } = packed(board, visit)
  const order = new Map(rank(roster, busy, start, ask).map((one, place) => [one.id, { ...one, place }]))
  const matrix = Uint16Array.from(board.travel)
  const place = ({ id, verdict }: Ranked) =>
    isBarred(verdict) ? 2000 : verdict.reasons.length > 0 ? 1000 : (order.get(id)?.place ?? 999)
  return board.people
    .filter(({ kind }) => kind === serviceFacts[visit.service].by)
    .map(({ id, name }) => {
      const visits = board.visits.filter(
        (other) => other.personId === id && other.id !== visit.id && isActive(other.state),
      )
      const verdict = judge(id, start)
      const near = (other: BoardVisit | undefined, before: boolean) =>
        other
          ? {
              visit: other,
              travel: before
                ? travelBetween(matrix, other.zone, visit.zone)
                : travelBetween(matrix, visit.zone, other.zone),
            }
          : null
      const end = start + visit.end - visit.start
      return {
        id,
        name,
        verdict,
        addedTravel: verdict.past || verdict.reasons.length > 0 ? null : (order.get(id)?.addedTravel ?? 0),
        visits,
        before: near(
          visits.findLast((other) => other.end <= start),
          true,
        ),
        after: near(
          visits.find((other) => other.start >= end),
          false,
        ),
      }
    })
    .sort((a, b) => place(a) - place(b))
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
