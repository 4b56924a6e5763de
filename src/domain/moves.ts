import { type AppointmentState, type Facts, type Mover, stateFacts } from './appointment.ts'
import {
  isAnalyst,
  isCall,
  isManager,
  isSystem,
  itsAssignee,
  itsAssigneeOrManager,
  itsCallersOwn,
  itsCustomer,
  itsCustomerOrManager,
} from './movers.ts'
import { refuse } from './refusal.ts'
import {
  canStillCome,
  nobodyWaits,
  notAbsent,
  notCancellable,
  notLate,
  notMissed,
  notMissing,
  notMovable,
  notToday,
  roomClosed,
  setOutLongAgo,
  startedLongAgo,
  tooEarly,
} from './right-moments.ts'
import { serviceFacts } from './services.ts'

type Move = {
  from: readonly AppointmentState[]
  /** `same` changes something else than the state. */
  to: AppointmentState | 'same'
  by: (mover: Mover, facts: Facts) => boolean
  /** Why it is the wrong moment, in words for the mover; null when it is the right one. */
  wrongMoment?: (facts: Facts, mover: Mover) => string | null
}

/** The whole life of an appointment: each move, the states it may leave, and who may make it. */
export const moves = {
  assign: { from: ['requested'], to: 'assigned', by: isManager },
  autoConfirm: { from: ['requested'], to: 'assigned', by: isSystem },
  reassign: { from: ['assigned'], to: 'assigned', by: isManager },
  release: { from: ['assigned'], to: 'requested', by: (mover) => isManager(mover) || isSystem(mover) },
  /** To another time; its person can go then. */
  reschedule: {
    from: ['requested', 'assigned'],
    to: 'same',
    by: itsCustomerOrManager,
    wrongMoment: notMovable,
  },
  /** To another time, for which somebody else is chosen. */
  rescheduleAnew: {
    from: ['requested', 'assigned'],
    to: 'requested',
    by: itsCustomerOrManager,
    wrongMoment: notMovable,
  },
  /** To another time, for which somebody is confirmed at once: for a call, or whom the manager chose. */
  rescheduleTo: {
    from: ['requested', 'assigned'],
    to: 'assigned',
    by: itsCustomerOrManager,
    wrongMoment: notMovable,
  },
  cancel: {
    from: ['requested', 'assigned'],
    to: 'cancelled',
    by: itsCustomerOrManager,
    wrongMoment: notCancellable,
  },
  cancelLate: {
    from: ['requested', 'assigned'],
    to: 'cancelled',
    by: itsCustomer,
    wrongMoment: notLate,
  },
  /** The customer's mailbox was not proved in time. */
  letGo: { from: ['requested', 'assigned'], to: 'cancelled', by: isSystem },
  /** Nobody travels to a call: its customer would read to leave the way to the meter free. */
  setOut: {
    from: ['assigned'],
    to: 'en_route',
    by: (mover, facts) => serviceFacts[facts.service].needsTravel && itsAssignee(mover, facts),
    wrongMoment: notToday,
  },
  start: {
    from: ['assigned', 'en_route'],
    to: 'in_progress',
    by: itsAssignee,
    wrongMoment: (facts) => notToday(facts) ?? tooEarly(facts),
  },
  undoSetOut: {
    from: ['en_route'],
    to: 'assigned',
    by: itsAssigneeOrManager,
    wrongMoment: setOutLongAgo,
  },
  undoStart: {
    from: ['in_progress'],
    to: 'en_route',
    by: (mover, facts) => serviceFacts[facts.service].needsTravel && itsAssigneeOrManager(mover, facts),
    wrongMoment: startedLongAgo,
  },
  /** Nobody was on the way to a call. */
  undoCallStart: {
    from: ['in_progress'],
    to: 'assigned',
    by: (mover, facts) => isCall(facts) && itsAssigneeOrManager(mover, facts),
    wrongMoment: startedLongAgo,
  },
  /** Also out of a pause: whoever paused may not be able to come back. */
  callOff: { from: ['en_route', 'in_progress', 'paused'], to: 'cancelled', by: itsAssigneeOrManager },
  pause: { from: ['in_progress'], to: 'paused', by: itsAssignee },
  resume: { from: ['paused'], to: 'in_progress', by: itsAssignee },
  finish: { from: ['in_progress', 'paused'], to: 'done', by: itsAssignee },
  /** What its person had done when it was taken from them: it becomes what they handed in. */
  reopen: {
    from: ['requested', 'assigned', 'en_route', 'cancelled', 'no_show'],
    to: 'done',
    by: (mover, facts) => isManager(mover) && !isCall(facts),
  },
  noShow: {
    from: ['assigned', 'en_route'],
    to: 'no_show',
    by: itsAssigneeOrManager,
    wrongMoment: notAbsent,
  },
  /** Another analyst takes a call whose customer waits; whoever has it need not. */
  takeOver: {
    from: ['assigned', 'in_progress'],
    to: 'same',
    by: (mover, facts) =>
      isCall(facts) && ((isAnalyst(mover) && !itsAssignee(mover, facts)) || isManager(mover)),
    wrongMoment: nobodyWaits,
  },
  /** Its customer goes on waiting for an analyst who does not come. */
  keepWaiting: {
    from: ['requested', 'assigned'],
    to: 'same',
    by: itsCallersOwn,
    wrongMoment: canStillCome,
  },
  /** Its customer would rather be phoned: nobody came, or picture and sound find no way. */
  askCallBack: {
    from: ['requested', 'assigned', 'in_progress', 'paused'],
    to: 'same',
    by: itsCallersOwn,
    wrongMoment: roomClosed,
  },
  /** Nobody came to a customer who did: cancelled with our apology. */
  missCall: {
    from: ['requested', 'assigned'],
    to: 'cancelled',
    by: (mover, facts) => isCall(facts) && isSystem(mover),
    wrongMoment: notMissed,
  },
  /** The customer says that nobody came. */
  nobodyCame: {
    from: ['requested', 'assigned', 'en_route'],
    to: 'same',
    by: itsCustomer,
    wrongMoment: notMissing,
  },
} satisfies Record<string, Move>

export type MoveName = keyof typeof moves

/** The state a move leads to, or a Refusal. The server asks this before it writes; `can` asks for the screens. */
export function stateAfter(name: MoveName, mover: Mover, facts: Facts): AppointmentState {
  const move: Move = moves[name]
  if (!move.by(mover, facts)) refuse('permission-denied')
  if (!move.from.includes(facts.state)) refuse('failed-precondition', alreadyMoved(facts))
  const wrong = move.wrongMoment?.(facts, mover)
  if (wrong) refuse('failed-precondition', wrong)
  return move.to === 'same' ? facts.state : move.to
}

/** Whether a move can be made now. */
export const can = (name: MoveName, mover: Mover, facts: Facts) =>
  isNext(name, mover, facts) && notYet(name, mover, facts) === null

/** Why a move that is the mover's next one has to wait, for the words beside its button; null when it need not, or is not theirs. */
export function notYet(name: MoveName, mover: Mover, facts: Facts): string | null {
  const move: Move = moves[name]
  return isNext(name, mover, facts) ? (move.wrongMoment?.(facts, mover) ?? null) : null
}

/** The states in which what a step on the way and at the place wants is so already. */
const reached = {
  setOut: ['en_route', 'in_progress', 'paused', 'done'],
  start: ['in_progress', 'paused', 'done'],
  pause: ['paused', 'done'],
  resume: ['in_progress', 'done'],
} satisfies Partial<Record<MoveName, readonly AppointmentState[]>>
export type Step = keyof typeof reached

/** Whether what a step wants is so already by whoever makes it: they made it on another phone, or are further on. */
export const isReached = (name: Step, mover: Mover, facts: Facts): boolean =>
  itsAssignee(mover, facts) && reached[name].some((state) => state === facts.state)

function isNext(name: MoveName, mover: Mover, facts: Facts): boolean {
  const move: Move = moves[name]
  return move.by(mover, facts) && move.from.includes(facts.state)
}

const alreadyMoved = ({ state }: Facts) =>
  `El estado de la cita es «${stateFacts[state].label}», y desde ahí no se puede. Actualiza la página para ver cómo va.`
