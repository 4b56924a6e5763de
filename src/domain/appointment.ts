import type { Actor } from './actor.ts'
import { dayInWords, localDate, timeInWords, toMinutes } from './calendar.ts'
import { refuse } from './refusal.ts'

export const appointmentStates = [
  'requested',
  'assigned',
  'en_route',
  'in_progress',
  'paused',
  'done',
  'cancelled',
  'no_show',
] as const
export type AppointmentState = (typeof appointmentStates)[number]

/** The states that hold a person and a customer's time: the same list as the database's exclusion constraints. */
export const activeStates = ['requested', 'assigned', 'en_route', 'in_progress', 'paused'] as const
/** The rest: the pending list shows what is active, the done list these. */
export const doneStates = ['done', 'cancelled', 'no_show'] as const
export const isActive = (state: AppointmentState) => activeStates.some((active) => active === state)

type StateFacts = { label: string; tone: 'ok' | 'wait' | 'info' | 'bad' | 'neutral' }
/** How a state is called, and what the colour of its badge means. */
export const stateFacts: Record<AppointmentState, StateFacts> = {
  requested: { label: 'Por asignar', tone: 'wait' },
  assigned: { label: 'Asignada', tone: 'info' },
  en_route: { label: 'En camino', tone: 'info' },
  in_progress: { label: 'En curso', tone: 'info' },
  paused: { label: 'En pausa', tone: 'wait' },
  done: { label: 'Realizada', tone: 'ok' },
  cancelled: { label: 'Cancelada', tone: 'neutral' },
  no_show: { label: 'No se presentó', tone: 'bad' },
}

/** What a booking form says. */
export type Booking = { startsAt: Date; requestKey: string; notes: string | null }

/** Who makes a move: somebody signed in, or the product itself. */
export type Mover = Actor | 'system'

/** What the rules need to know of an appointment. A provisional person was chosen at booking and doesn't know yet. */
export type Facts = {
  state: AppointmentState
  assigneeId: string | null
  provisional: boolean
  customerId: string
  startsAt: Date
  now: Date
}

type Move = {
  from: readonly AppointmentState[]
  to: AppointmentState
  by: (mover: Mover, facts: Facts) => boolean
  /** Why it is the wrong moment, in words for the mover; null when it is the right one. */
  wrongMoment?: (facts: Facts) => string | null
}

/** How long before its time an appointment may begin. */
const EARLY_MINUTES = 30

const isSystem = (mover: Mover) => mover === 'system'
const isManager = (mover: Mover) => mover !== 'system' && mover.kind === 'manager'
const itsAssignee = (mover: Mover, { assigneeId, provisional }: Facts) =>
  mover !== 'system' && mover.role === 'staff' && !provisional && mover.id === assigneeId

/** The whole life of an appointment: each move, the states it may leave, and who may make it. */
export const moves = {
  assign: { from: ['requested'], to: 'assigned', by: isManager },
  autoConfirm: { from: ['requested'], to: 'assigned', by: isSystem },
  reassign: { from: ['assigned'], to: 'assigned', by: isManager },
  release: { from: ['assigned'], to: 'requested', by: (mover) => isManager(mover) || isSystem(mover) },
  /** The customer's mailbox was not proved in time. */
  letGo: { from: ['requested', 'assigned'], to: 'cancelled', by: isSystem },
  setOut: { from: ['assigned'], to: 'en_route', by: itsAssignee, wrongMoment: notToday },
  start: {
    from: ['assigned', 'en_route'],
    to: 'in_progress',
    by: itsAssignee,
    wrongMoment: (facts) => notToday(facts) ?? tooEarly(facts),
  },
  finish: { from: ['in_progress', 'paused'], to: 'done', by: itsAssignee },
} satisfies Record<string, Move>

export type MoveName = keyof typeof moves

/** The state a move leads to, or a Refusal. The server asks this before it writes; `can` asks for the screens. */
export function stateAfter(name: MoveName, mover: Mover, facts: Facts): AppointmentState {
  const move: Move = moves[name]
  if (!move.by(mover, facts)) refuse('permission-denied')
  if (!move.from.includes(facts.state)) refuse('failed-precondition', alreadyMoved(facts))
  const wrong = move.wrongMoment?.(facts)
  if (wrong) refuse('failed-precondition', wrong)
  return move.to
}

/** Whether a move can be made now. */
export const can = (name: MoveName, mover: Mover, facts: Facts) =>
  isNext(name, mover, facts) && notYet(name, mover, facts) === null

/** Why a move that is the mover's next one has to wait, for the words beside its button; null when it need not, or is not theirs. */
export function notYet(name: MoveName, mover: Mover, facts: Facts): string | null {
  const move: Move = moves[name]
  return isNext(name, mover, facts) ? (move.wrongMoment?.(facts) ?? null) : null
}

function isNext(name: MoveName, mover: Mover, facts: Facts): boolean {
  const move: Move = moves[name]
  return move.by(mover, facts) && move.from.includes(facts.state)
}

const alreadyMoved = ({ state }: Facts) =>
  `El estado de la cita es «${stateFacts[state].label}», y desde ahí no se puede. Actualiza la página para ver cómo va.`

function notToday({ now, startsAt }: Facts): string | null {
  const start = toMinutes(startsAt)
  const [today, day] = [localDate(toMinutes(now)), localDate(start)]
  if (today === day) return null
  return today < day
    ? `La cita es el ${dayInWords(start)}. Podrás hacerlo ese día.`
    : `La cita era el ${dayInWords(start)}. Pide a la gerencia que la cambie de día.`
}

function tooEarly({ now, startsAt }: Facts): string | null {
  const from = toMinutes(startsAt) - EARLY_MINUTES
  return toMinutes(now) < from ? `Desde ${timeInWords(from)} podrás iniciar.` : null
}
