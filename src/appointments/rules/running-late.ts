import { daysUntil, theTime } from '../../shared/format.ts'
import type { AppointmentState } from './appointment.ts'
import { isNotBegun } from './late.ts'

/** By how many minutes an assignee can say that they are late. */
export const lateChoices = [15, 30, 60] as const
export type LateChoice = (typeof lateChoices)[number]

type Told = {
  state: AppointmentState
  startsAt: Date
  timeSetAt: Date
  runningLateMinutes: LateChoice | null
  runningLateAt: Date | null
}

const after = (startsAt: Date, minutes: number) => new Date(startsAt.getTime() + minutes * 60_000)

/** By how much an assignee said that they are late, and when they come; null where they did not, or it is over. */
export type RunningLate = { minutes: LateChoice; until: Date }

/** What still counts of what an assignee said: it has not begun, and has the time of which they said it. */
export function runningLateOf(told: Told, now: Date): RunningLate | null {
  const { runningLateAt, runningLateMinutes: minutes, startsAt, state, timeSetAt } = told
  if (minutes === null || runningLateAt === null || runningLateAt < timeSetAt || !isNotBegun(state))
    return null
  const until = after(startsAt, minutes)
  return until > now ? { minutes, until } : null
}

/** The choices whose hour has not passed. */
export const lateChoicesAt = ({ startsAt }: Pick<Told, 'startsAt'>, now: Date): LateChoice[] =>
  lateChoices.filter((minutes) => after(startsAt, minutes) > now)

/** Whether its assignee is asked whether they are late: not begun, on its day, from two hours before. */
export const asksIfLate = ({ startsAt, state }: Pick<Told, 'startsAt' | 'state'>, now: Date) =>
  isNotBegun(state) && daysUntil(startsAt, now) === 0 && now >= after(startsAt, -120)

/** "unos 30 minutos", "una hora" */
const about = (minutes: LateChoice) => (minutes === 60 ? 'una hora' : `unos ${minutes} minutos`)

/** What a customer reads: "Tu técnico va unos 30 minutos tarde: llega cerca de las 10:00 a. m." */
export const runningLateWords = ({ minutes, until }: RunningLate) =>
  `Tu técnico va ${about(minutes)} tarde: llega cerca de ${theTime(until)}`
