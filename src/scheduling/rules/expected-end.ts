import { type AppointmentState, atWorkStates, type Service } from '../../appointments/rules/appointment.ts'
import { lateMinutes } from '../../appointments/rules/late.ts'
import { type MinuteSpan, travelBetween } from './roster.ts'

/**
 * How far an appointment of today is, in epoch minutes; `lateBy` is how late its assignee says that they are, `confirmed`
 * when they were given it.
 */
export type DayProgress = {
  state: AppointmentState
  setOut: number | null
  started: number | null
  lateBy: number | null
  confirmed: number | null
}

type Underway = MinuteSpan & { zone: number; service: Service; progress: DayProgress }

type Day = {
  now: number
  /** When the day is over: nothing is expected to last longer, unless it is planned to. */
  end: number
  bufferMinutes: number
  travel: Uint16Array
  /** How long the last appointments of a service took, in minutes, shortest first. */
  usual: (service: Service) => readonly number[]
}

/** What an appointment that has lasted longer than any other may still take. */
const leastRest = 15

/** The middle of what appointments took that lasted longer than this one has until now; without such, what was planned. */
function expectedMinutes(usual: readonly number[], elapsed: number, planned: number): number {
  const longer = usual.filter((minutes) => minutes > elapsed)
  const middle = longer.length > 0 ? longer[Math.floor(longer.length / 2)]! : planned
  return Math.max(middle, elapsed + leastRest)
}

/** When it begins, if it has not: never before now, its ride, or how late its assignee says. */
function expectedStart({ progress, start, zone }: Underway, ready: number, { now, travel }: Day): number {
  const late = lateMinutes({ ...progress, start, told: progress.lateBy }, now)
  const arrives = progress.setOut === null ? ready : progress.setOut + travelBetween(travel, zone, zone)
  return Math.max(start + late, arrives)
}

/**
 * When each appointment of a person's day is expected to end, in epoch minutes, never before it was planned to: what is
 * under way takes as long as such appointments took, and what comes after waits for it. They are given in order.
 */
export function expectedEnds(appointments: readonly Underway[], day: Day): number[] {
  let before: { end: number; zone: number } | null = null
  return appointments.map((one) => {
    const { end, progress, service, zone } = one
    const { started, state } = progress
    // Who was given it after its hour begins then.
    const start = Math.max(one.start, progress.confirmed ?? one.start)
    const last = end + start - one.start
    const ready: number = before
      ? before.end + day.bufferMinutes + travelBetween(day.travel, before.zone, zone)
      : start
    const isAtWork = started !== null && atWorkStates.some((known) => known === state)
    // Past its planned end nobody knows whether it will be begun at all.
    const isUnknown = !isAtWork && state !== 'en_route' && day.now >= last
    const begins = isUnknown ? one.start : expectedStart({ ...one, start }, ready, day)
    const expected = isAtWork
      ? started + expectedMinutes(day.usual(service), day.now - started, end - one.start)
      : begins + end - one.start
    before = { end: Math.max(end, Math.min(expected, day.end)), zone }
    return before.end
  })
}
