import { daysUntil, dayTimeIn, duration, theTime, time } from '../../shared/format.ts'
import { type AppointmentState, atWorkStates, underWayStates } from './appointment.ts'

type Stop = { id: string; state: AppointmentState; startsAt: Date }

const isIn = (states: readonly AppointmentState[], state: AppointmentState) =>
  states.some((one) => one === state)

/** Whether the assignee of an appointment is there. */
export const isAtWork = (state: AppointmentState): boolean => isIn(atWorkStates, state)

/**
 * What its assignee does next of a day, whose stops come in order: the one under way, else the soonest. `over` are those
 * whose end waits on their phone to be sent.
 */
export function nextStopOf<Own extends Stop>(stops: readonly Own[], over: ReadonlySet<string>): Own | null {
  const left = stops.filter(({ id }) => !over.has(id))
  return left.find(({ state }) => isIn(underWayStates, state)) ?? left[0] ?? null
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000)

/** Since when, and how long, somebody is at work: "desde las 9:34 a. m., 35 min"; null before the start and of a call. */
export function atWorkWords(
  { startedAt, state }: { startedAt: Date | null; state: AppointmentState },
  now: Date,
) {
  if (!isAtWork(state) || !startedAt) return null
  const minutes = minuteOf(now) - minuteOf(startedAt)
  return `desde ${theTime(startedAt)}${minutes > 0 ? `, ${duration(minutes)}` : ''}`
}

/** When a stop is: "9:30 a. m., en 12 min", "9:30 a. m., hace 5 min", "mañana, 9:30 a. m."; of one begun its hour alone. */
export function stopWhen({ startsAt, state }: Omit<Stop, 'id'>, now: Date): string {
  const days = daysUntil(startsAt, now)
  if (days === 1) return `mañana, ${time(startsAt)}`
  if (days !== 0) return dayTimeIn(startsAt, now)
  const left = minuteOf(startsAt) - minuteOf(now)
  if (isAtWork(state)) return time(startsAt)
  if (left === 0) return `${time(startsAt)}, ahora`
  return `${time(startsAt)}, ${left > 0 ? 'en' : 'hace'} ${duration(Math.abs(left))}`
}

const step = 5 * 60_000

/** When to leave for a stop, on whole five minutes: rather early than late. */
export const departureOf = ({ startsAt, travel }: { startsAt: Date; travel: number }): Date =>
  new Date(Math.floor((startsAt.getTime() - travel * 60_000) / step) * step)

/**
 * The way to a stop, and when to leave for it: "28 min de camino, sal a las 8:50 a. m."; null where its minutes are
 * not known, as those of the first way of a day of who did not say where it begins, or no longer matter.
 */
export function wayWords(stop: Omit<Stop, 'id'> & { travel: number }, now: Date): string | null {
  if (stop.travel === 0 || isAtWork(stop.state)) return null
  const way = `${duration(stop.travel)} de camino`
  if (isIn(underWayStates, stop.state)) return way
  const leaves = departureOf(stop)
  return `${way}, ${now < leaves ? `sal a ${theTime(leaves)}` : 'sal ya'}`
}
