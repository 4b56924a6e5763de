import { type Actor, isAnalyst, isManager } from '../../access/rules/actor.ts'
import {
  type AppointmentState,
  type Facts,
  isActive,
  isItsAssignee,
} from '../../appointments/rules/appointment.ts'
import type { NextStep, Waiting } from '../../projects/rules/stages.ts'
import { localDate, toDate, toMinutes } from '../../shared/calendar.ts'

/** Both sides of a call: its customer, and its assigned analyst. */
const callSides = ['customer', 'analyst'] as const
export type CallSide = (typeof callSides)[number]

/** Who gives a call whose customer waits to another analyst; analysts take it for themselves. */
export const assignsCalls = isManager

/** How long before its time the room of a call opens, in minutes. */
const ROOM_OPENS_MINUTES = 15

/** How long a customer waits before another analyst may take the call, in minutes. */
const TAKE_OVER_MINUTES = 3

/** How long a customer waits before another time or a phone call is offered, in minutes. */
export const WAY_OUT_MINUTES = 10

/** How long a customer waits before the call is cancelled with an apology, in minutes. */
export const APOLOGY_MINUTES = 30

/** How long the place of a participant whose connection was lost is kept, in milliseconds. */
export const PLACE_KEPT_MS = 120_000

/** The longest line of a call's chat, in characters. Kept here because browsers need it and must not load zod. */
export const longestLine = 2_000

/** The facts that the room of a call depends on. */
type RoomFacts = { state: AppointmentState; startsAt: Date }
export type RoomPhase = 'early' | 'open' | 'over'

/** When the room of a call opens. */
export const roomOpensAt = (startsAt: Date) => toDate(toMinutes(startsAt) - ROOM_OPENS_MINUTES)

/** Whether the room of a call is open: from a while before its time until the appointment, or its day, is over. */
export function roomPhase({ startsAt, state }: RoomFacts, now: Date): RoomPhase {
  if (!isActive(state) || localDate(toMinutes(now)) > localDate(toMinutes(startsAt))) return 'over'
  return now < roomOpensAt(startsAt) ? 'early' : 'open'
}

type WaitFacts = { startsAt: Date; customerWaitingSince: Date; takenOverAt: Date | null }

/**
 * The moment some minutes after the latest of these: a wait counts from the start of the call, or from the customer's
 * arrival if later.
 */
const after = (minutes: number, ...from: readonly (Date | null)[]) =>
  new Date(Math.max(...from.map((date) => date?.getTime() ?? 0)) + minutes * 60_000)

/**
 * When each option opens to a customer who waits alone: another analyst may take the call, a way out is offered, we
 * apologise.
 */
export const waitMoments = ({ customerWaitingSince, startsAt, takenOverAt }: WaitFacts) => ({
  takeOverAt: after(TAKE_OVER_MINUTES, startsAt, customerWaitingSince, takenOverAt),
  wayOutAt: after(WAY_OUT_MINUTES, startsAt, customerWaitingSince),
  apologyAt: after(APOLOGY_MINUTES, startsAt, customerWaitingSince),
})

type Wait = Pick<Facts, 'startsAt' | 'customerWaitingSince' | 'customerCameAt' | 'takenOverAt'>

/** The same moments for a customer who waits for their analyst, or came and left; null for one who never came. */
export function waitOf({ customerCameAt, customerWaitingSince, startsAt, takenOverAt }: Wait) {
  const since = customerWaitingSince ?? customerCameAt
  return since && waitMoments({ startsAt, takenOverAt, customerWaitingSince: since })
}

/** Whether a customer waited alone in the room so long that they need not wait. Only for a call that has not begun. */
export function isLeftWaiting(facts: Wait, now: Date): boolean {
  const wait = waitOf(facts)
  return wait !== null && now >= wait.wayOutAt
}

/** The analyst of a call as its customer sees it: here in the room, at a screen of ours, in another call, or away. */
export const analystStatuses = {
  here: 'En la sala',
  online: 'En línea',
  busy: 'En otra llamada',
  away: 'No ha entrado',
} as const
export type AnalystStatus = keyof typeof analystStatuses

/** When a participant was in a room, in milliseconds since 1970. */
export type Stay = { from: number; to: number }

/** How long both sides of a call were in its room at once, in milliseconds. */
export function togetherFor(ones: readonly Stay[], others: readonly Stay[]): number {
  const apart = [spells(ones), spells(others)] as const
  return apart[0].flatMap((one) => apart[1].map((other) => shared(one, other))).reduce((a, b) => a + b, 0)
}

const shared = (one: Stay, other: Stay) =>
  Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from))

/** The same time as stays that neither touch nor overlap: a page and the page that replaced it may overlap. */
function spells(stays: readonly Stay[]): Stay[] {
  const merged: Stay[] = []
  for (const { from, to } of stays
    .filter((stay) => stay.to > stay.from)
    .toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** The facts that decide what the customer's screens show of a call. */
export type OwnCallFacts = Pick<
  Facts,
  | 'state'
  | 'startsAt'
  | 'startedAt'
  | 'customerWaitingSince'
  | 'customerCameAt'
  | 'takenOverAt'
  | 'callBackAskedAt'
> & {
  now: Date
  /** When the customer last chose to keep waiting. */
  keepsWaitingAt: Date | null
  /** Whether an analyst is in the room. */
  analystIsHere: boolean
}

/** Each situation of an open room for its customer. */
export const callTurns = {
  open: { waitingOn: 'customer', line: 'Tu llamada ya está abierta.' },
  expected: { waitingOn: 'customer', line: 'Tu analista ya te espera en la sala.' },
  waiting: { waitingOn: 'analyst', line: 'Estás en la sala: tu analista entra en un momento.' },
  left_alone: {
    waitingOn: 'customer',
    line: 'Tu analista no ha llegado. Dinos qué prefieres.',
  },
  call_back: {
    waitingOn: 'analyst',
    line: 'Te llamamos por teléfono lo antes posible.',
  },
  talking: { waitingOn: 'analyst', line: 'Tu asesoría está en curso.' },
} as const satisfies Record<string, { waitingOn: Waiting; line: string }>
export type CallTurn = keyof typeof callTurns

/** The page of one's call room, and the page that asks the customer what to do. */
export const roomPath = '/videocall?llamada'

/** The customer's next step in each. */
export const callSteps: Record<CallTurn, NextStep | null> = {
  open: { label: 'Entrar a la llamada', to: roomPath },
  expected: { label: 'Entrar a la llamada', to: roomPath },
  waiting: { label: 'Volver a la sala', to: roomPath },
  left_alone: { label: 'Ver mis opciones', to: '/videocall' },
  call_back: null,
  talking: { label: 'Entrar a la llamada', to: roomPath },
}

/** Whose turn it is in an open room; null while it is closed. */
export function callTurnOf(facts: OwnCallFacts): CallTurn | null {
  if (roomPhase(facts, facts.now) !== 'open') return null
  if (facts.callBackAskedAt) return 'call_back'
  if (facts.startedAt) return 'talking'
  if (facts.analystIsHere && !facts.customerWaitingSince) return 'expected'
  const offerAt = waysOutAt(facts)
  if (offerAt && facts.now >= offerAt) return 'left_alone'
  return facts.customerWaitingSince ? 'waiting' : 'open'
}

/**
 * When a customer who waits alone is asked what they prefer, and asked once more later; null for one who never came.
 */
function waysOutAt(facts: OwnCallFacts): Date | null {
  const wait = waitOf(facts)
  const again = facts.keepsWaitingAt && later(facts.keepsWaitingAt, WAY_OUT_MINUTES)
  return wait && (again && again > wait.wayOutAt ? again : wait.wayOutAt)
}

/** When the customer's screens change next without any action; null when never. */
export function callChangesAt(facts: OwnCallFacts): Date | null {
  const phase = roomPhase(facts, facts.now)
  if (phase === 'over') return null
  const moments = [roomOpensAt(facts.startsAt), waysOutAt(facts), waitOf(facts)?.apologyAt]
  const ahead = moments.filter((one) => one instanceof Date).filter((one) => one > facts.now)
  return ahead.reduce<Date | null>((first, one) => (first && first <= one ? first : one), null)
}

const later = (date: Date, minutes: number) => new Date(date.getTime() + minutes * 60_000)

/** The longest texts stored about a call, in characters. */
export const longestSummary = 4_000
export const longestNextSteps = 2_000
export const longestNotes = 10_000

/** Who writes the notes of a call: its assignee, and managers. */
export const writesNotes = (actor: Actor, facts: Facts) =>
  isManager(actor) || (isAnalyst(actor) && isItsAssignee(actor, facts))
