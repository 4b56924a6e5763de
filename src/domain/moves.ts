import { type AppointmentState, type Facts, type Mover, stateFacts } from './appointment.ts'
import { dayInWords, localDate, timeInWords, toMinutes } from './calendar.ts'
import { refuse } from './refusal.ts'
import { serviceFacts } from './services.ts'

type Move = {
  from: readonly AppointmentState[]
  /** `same` changes something else than the state. */
  to: AppointmentState | 'same'
  by: (mover: Mover, facts: Facts) => boolean
  /** Why it is the wrong moment, in words for the mover; null when it is the right one. */
  wrongMoment?: (facts: Facts, mover: Mover) => string | null
}

/** How long before its time an appointment may begin, in minutes. */
const EARLY_MINUTES = 30
/** How long a step of the person on the road can be taken back by that person. */
const UNDO_MINUTES = 10
/** From so long after the start on, a customer who isn't there has missed it. */
const ABSENT_MINUTES = 15
/** From so long after the start on, a customer to whom nobody came may say so. */
const NOBODY_MINUTES = 30
/** How long a customer waits in the room of a call before somebody else may take it. */
const TAKE_OVER_MINUTES = 3

const isSystem = (mover: Mover) => mover === 'system'
const isManager = (mover: Mover) => mover !== 'system' && mover.kind === 'manager'
const isAnalyst = (mover: Mover) => mover !== 'system' && mover.kind === 'analyst'
const itsAssignee = (mover: Mover, { assigneeId, provisional }: Facts) =>
  mover !== 'system' && mover.role === 'staff' && !provisional && mover.id === assigneeId
const itsCustomer = (mover: Mover, { customerId }: Facts) =>
  mover !== 'system' && mover.role === 'customer' && mover.id === customerId
const itsAssigneeOrManager = (mover: Mover, facts: Facts) => itsAssignee(mover, facts) || isManager(mover)
const itsCustomerOrManager = (mover: Mover, facts: Facts) => itsCustomer(mover, facts) || isManager(mover)

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
    wrongMoment: (facts, mover) => (isManager(mover) ? null : tooLate(facts)),
  },
  cancelLate: {
    from: ['requested', 'assigned'],
    to: 'cancelled',
    by: itsCustomer,
    wrongMoment: (facts) => (tooLate(facts) === null ? 'Todavía puedes cancelarla sin más.' : null),
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
    wrongMoment: (facts, mover) => (isManager(mover) ? null : tooLongAgo(facts.setOutAt, facts.now)),
  },
  undoStart: {
    from: ['in_progress'],
    to: 'en_route',
    by: itsAssigneeOrManager,
    wrongMoment: (facts, mover) => (isManager(mover) ? null : tooLongAgo(facts.startedAt, facts.now)),
  },
  /** Also out of a pause: whoever paused may not be able to come back. */
  callOff: { from: ['en_route', 'in_progress', 'paused'], to: 'cancelled', by: itsAssigneeOrManager },
  pause: { from: ['in_progress'], to: 'paused', by: itsAssignee },
  resume: { from: ['paused'], to: 'in_progress', by: itsAssignee },
  finish: { from: ['in_progress', 'paused'], to: 'done', by: itsAssignee },
  noShow: {
    from: ['assigned', 'en_route'],
    to: 'no_show',
    by: itsAssigneeOrManager,
    wrongMoment: (facts) => inRoom(facts) ?? before(facts, ABSENT_MINUTES, 'podrás decir que no se presentó'),
  },
  /** Another analyst takes a call whose customer waits; whoever has it need not. */
  takeOver: {
    from: ['assigned', 'in_progress'],
    to: 'same',
    by: (mover, facts) =>
      facts.service === 'videocall' && ((isAnalyst(mover) && !itsAssignee(mover, facts)) || isManager(mover)),
    wrongMoment: nobodyWaits,
  },
  /** The customer says that nobody came. */
  nobodyCame: {
    from: ['requested', 'assigned', 'en_route'],
    to: 'same',
    by: itsCustomer,
    wrongMoment: (facts) => before(facts, NOBODY_MINUTES, 'podrás decirnos que nadie llegó'),
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

/** Who was in the room of a call came. */
const inRoom = ({ customerWaitingSince }: Facts) =>
  customerWaitingSince ? 'El cliente sí entró a la llamada.' : null

function before({ now, startsAt }: Facts, minutes: number, what: string): string | null {
  const from = toMinutes(startsAt) + minutes
  return toMinutes(now) < from ? `Desde ${timeInWords(from)} ${what}.` : null
}

function tooLate({ now, rights }: Facts): string | null {
  if (rights && now <= rights.until) return null
  return 'Ya pasó el límite para cambiarla por tu cuenta. Escríbenos o llámanos.'
}

/** A manager may always; a customer until the cut-off, a few times. */
function notMovable(facts: Facts, mover: Mover): string | null {
  return isManager(mover) ? null : (tooLate(facts) ?? tooOften(facts))
}

const tooOften = ({ rights }: Facts): string | null =>
  rights && rights.left > 0 ? null : 'Ya la cambiaste las veces que se puede. Escríbenos o llámanos.'

const tooLongAgo = (made: Date | null, now: Date): string | null =>
  made && now.getTime() - made.getTime() <= UNDO_MINUTES * 60_000
    ? null
    : `Pasaron más de ${UNDO_MINUTES} minutos. Pide a la gerencia que lo corrija.`

function nobodyWaits({ customerWaitingSince, now, startsAt }: Facts): string | null {
  if (!customerWaitingSince) return 'Nadie espera en esta llamada.'
  const from = Math.max(toMinutes(startsAt), toMinutes(customerWaitingSince)) + TAKE_OVER_MINUTES
  return toMinutes(now) < from ? `Desde ${timeInWords(from)} podrás tomar la llamada.` : null
}
