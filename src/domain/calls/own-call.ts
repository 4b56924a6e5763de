import type { Facts } from '../appointments/appointment.ts'
import type { NextStep, Waiting } from '../projects/project.ts'
import { roomOpensAt, roomPhase, WAY_OUT_MINUTES, waitOf } from './call-room.ts'

/** What its customer's screens show of a call follows from. */
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
  /** When the customer last chose to go on waiting. */
  keepsWaitingAt: Date | null
  /** Whether an analyst sits in the room. */
  analystIsHere: boolean
}

/** How an open room stands for its customer. */
export const callTurns = {
  open: { waitingOn: 'customer', line: 'Te toca a ti: entra a tu llamada.' },
  expected: { waitingOn: 'customer', line: 'Te toca a ti: tu analista te espera en la sala.' },
  waiting: { waitingOn: 'analyst', line: 'Le toca a tu analista: lo esperas en la sala.' },
  left_alone: {
    waitingOn: 'customer',
    line: 'Tu analista no ha llegado. Te toca a ti: dinos qué prefieres.',
  },
  call_back: {
    waitingOn: 'analyst',
    line: 'Nos toca a nosotros: te llamamos por teléfono lo antes posible.',
  },
  talking: { waitingOn: 'analyst', line: 'Tu asesoría está en curso.' },
} as const satisfies Record<string, { waitingOn: Waiting; line: string }>
export type CallTurn = keyof typeof callTurns

/** Where the room of one's call is, and where one is asked what to do. */
export const roomPath = '/videocall?llamada'
/** The way on from each. */
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

/** From when on a customer to whom nobody came is asked what they prefer, after a while once more; null for who never came. */
function waysOutAt(facts: OwnCallFacts): Date | null {
  const wait = waitOf(facts)
  const again = facts.keepsWaitingAt && later(facts.keepsWaitingAt, WAY_OUT_MINUTES)
  return wait && (again && again > wait.wayOutAt ? again : wait.wayOutAt)
}

/** When its customer's screens show something else next, if nobody does anything; null when never. */
export function callChangesAt(facts: OwnCallFacts): Date | null {
  const phase = roomPhase(facts, facts.now)
  if (phase === 'over') return null
  const moments = [roomOpensAt(facts.startsAt), waysOutAt(facts), waitOf(facts)?.apologyAt]
  const ahead = moments.filter((one) => one instanceof Date).filter((one) => one > facts.now)
  return ahead.reduce<Date | null>((first, one) => (first && first <= one ? first : one), null)
}

const later = (date: Date, minutes: number) => new Date(date.getTime() + minutes * 60_000)
