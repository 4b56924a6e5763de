import { type AppointmentState, type Facts, isActive } from '../appointments/appointment.ts'
import { localDate, toDate, toMinutes } from '../shared/calendar.ts'

/** Both sides of a call: its customer, and the analyst whose it is. */
export const callSides = ['customer', 'analyst'] as const
export type CallSide = (typeof callSides)[number]

/** How long before its time the room of a call opens, in minutes. */
export const ROOM_OPENS_MINUTES = 15
/** How long a customer waits before somebody else may take the call, in minutes. */
export const TAKE_OVER_MINUTES = 3
/** How long a customer waits before another time or a phone call is offered, in minutes. */
export const WAY_OUT_MINUTES = 10
/** How long a customer waits before the call is cancelled with an apology, in minutes. */
export const APOLOGY_MINUTES = 30
/** How long the place of somebody whose connection was lost is kept, in milliseconds. */
export const PLACE_KEPT_MS = 120_000
/** The longest line of a call's chat, in characters. It stands here since browsers ask for it, and zod stays out of them. */
export const longestLine = 2_000

/** What the room of a call follows from. */
export type RoomFacts = { state: AppointmentState; startsAt: Date }
export type RoomPhase = 'early' | 'open' | 'over'

/** When the room of a call opens. */
export const roomOpensAt = (startsAt: Date) => toDate(toMinutes(startsAt) - ROOM_OPENS_MINUTES)

/** Whether the room of a call is open: from a while before its time until the appointment, or its day, is over. */
export function roomPhase({ startsAt, state }: RoomFacts, now: Date): RoomPhase {
  if (!isActive(state) || localDate(toMinutes(now)) > localDate(toMinutes(startsAt))) return 'over'
  return now < roomOpensAt(startsAt) ? 'early' : 'open'
}

type WaitFacts = { startsAt: Date; customerWaitingSince: Date; takenOverAt: Date | null }

/** Minutes of somebody's wait count from the start of the call on, or from when they came. */
const after = (minutes: number, ...from: readonly (Date | null)[]) =>
  new Date(Math.max(...from.map((date) => date?.getTime() ?? 0)) + minutes * 60_000)

/** When each thing opens to a customer who waits alone: somebody else may take the call, there are ways out, we apologise. */
export const waitMoments = ({ customerWaitingSince, startsAt, takenOverAt }: WaitFacts) => ({
  takeOverAt: after(TAKE_OVER_MINUTES, startsAt, customerWaitingSince, takenOverAt),
  wayOutAt: after(WAY_OUT_MINUTES, startsAt, customerWaitingSince),
  apologyAt: after(APOLOGY_MINUTES, startsAt, customerWaitingSince),
})

type Wait = Pick<Facts, 'startsAt' | 'customerWaitingSince' | 'customerCameAt' | 'takenOverAt'>

/** The moments of whoever waits for their analyst, or came and gave up; null for those who never came. */
export function waitOf({ customerCameAt, customerWaitingSince, startsAt, takenOverAt }: Wait) {
  const since = customerWaitingSince ?? customerCameAt
  return since && waitMoments({ startsAt, takenOverAt, customerWaitingSince: since })
}

/** Whether nobody met a customer in the room for so long that they need not wait. Asked only of a call that has not begun. */
export function isLeftWaiting(facts: Wait, now: Date): boolean {
  const wait = waitOf(facts)
  return wait !== null && now >= wait.wayOutAt
}

/** The analyst of a call as its customer sees it: here in the room, at a screen of ours, in another call, or away. */
export const analystStatuses = {
  here: 'En la sala',
  online: 'En línea',
  busy: 'En otra llamada',
  away: 'Ausente',
} as const
export type AnalystStatus = keyof typeof analystStatuses
