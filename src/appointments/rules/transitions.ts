import { isAnalyst, isItsCustomer, isManager, isSystem, type Mover } from '../../access/rules/actor.ts'
import { isLeftWaiting, roomOpensAt, roomPhase, waitOf } from '../../calls/rules/room.ts'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import { dayOf, localDate, toDate, toMinutes } from '../../shared/calendar.ts'
import { longDate, theTime } from '../../shared/format.ts'
import { machine, type TransitionOf } from '../../shared/state-machine.ts'
import {
  type AppointmentState,
  type ChangeRights,
  type Facts,
  failedStates,
  isItsAssignee,
  type Service,
  serviceFacts,
  stateFacts,
  underWayStates,
  upcomingStates,
} from './appointment.ts'
import { changeUntil, notThere, reachedState } from './rules.ts'

/** How long before its time an appointment may begin, in minutes. */
const EARLY_MINUTES = 30

/** How many minutes the assignee can undo a step on the road. */
const UNDO_MINUTES = 10

/** How many minutes after the start an absent customer counts as a no-show. */
const ABSENT_MINUTES = 15

/** How many minutes after the start a customer may report that the assignee did not arrive. */
const NOBODY_MINUTES = 30

function notToday(_: Mover, { startsAt }: Pick<Facts, 'startsAt'>, now: Date): string | null {
  const today = localDate(toMinutes(now))
  const day = localDate(toMinutes(startsAt))
  if (today === day) return null
  return today < day
    ? `La cita es el ${longDate(startsAt)}. Podrás hacerlo ese día.`
    : `La cita era el ${longDate(startsAt)}. Pide a la gerencia que la cambie de día.`
}

function tooEarly({ startsAt }: Pick<Facts, 'startsAt'>, now: Date): string | null {
  const from = toMinutes(startsAt) - EARLY_MINUTES
  return toMinutes(now) < from ? `Desde ${theTime(toDate(from))} podrás iniciar.` : null
}

/** A customer who entered the room of a call is not absent, whether or not they left. */
const notAbsent = (actor: Mover, facts: Facts, now: Date) =>
  waitOf(facts)
    ? 'El cliente sí entró a la llamada.'
    : (before(facts, now, ABSENT_MINUTES, 'puedes marcar que no se presentó') ?? notThere(actor, facts))

const notMissing = (_: Mover, facts: Facts, now: Date) =>
  before(facts, now, NOBODY_MINUTES, 'podrás decirnos que nadie llegó')

function before(
  { startsAt }: Pick<Facts, 'startsAt'>,
  now: Date,
  minutes: number,
  what: string,
): string | null {
  const from = toMinutes(startsAt) + minutes
  return toMinutes(now) < from ? `A partir de ${theTime(toDate(from))} ${what}.` : null
}

function notCancellable(actor: Mover, facts: Facts, now: Date): string | null {
  return isManager(actor) || isLeftWaiting(facts, now) ? null : tooLate(facts, now)
}

const notLate = (actor: Mover, facts: Facts, now: Date) =>
  notCancellable(actor, facts, now) ? null : 'Todavía puedes cancelarla sin más.'

function tooLate({ rights }: Facts, now: Date): string | null {
  if (rights && now <= rights.until) return null
  return 'Ya pasó el plazo para cambiarla en línea. Escríbenos y te ayudamos.'
}

/**
 * A manager may always, and a customer whose analyst did not join the call; other customers until the cut-off, a few
 * times.
 */
function notMovable(actor: Mover, facts: Facts, now: Date): string | null {
  return isManager(actor) || isLeftWaiting(facts, now) ? null : (tooLate(facts, now) ?? tooOften(facts))
}

const tooOften = ({ rights }: Facts): string | null =>
  rights && rights.left > 0 ? null : 'Ya usaste tus cambios. Si necesitas otro horario, escríbenos.'

const setOutLongAgo = (actor: Mover, { setOutAt }: Facts, now: Date) =>
  isManager(actor) ? null : tooLongAgo(setOutAt, now)

const startedLongAgo = (actor: Mover, { startedAt }: Facts, now: Date) =>
  isManager(actor) ? null : tooLongAgo(startedAt, now)

const tooLongAgo = (made: Date | null, now: Date) =>
  made && now.getTime() - made.getTime() <= UNDO_MINUTES * 60_000
    ? null
    : `Pasaron más de ${UNDO_MINUTES} minutos. Pide a la gerencia que lo corrija.`

function nobodyWaits(_: Mover, facts: Facts, now: Date): string | null {
  const takeOverAt = facts.customerWaitingSince && waitOf(facts)?.takeOverAt
  if (!takeOverAt) return 'Nadie espera en esta llamada.'
  return now < takeOverAt ? `Desde ${wholeMinute(takeOverAt)} podrás tomar la llamada.` : null
}

/** The next whole minute: by then the moment has passed. */
const wholeMinute = (moment: Date) => theTime(new Date(Math.ceil(moment.getTime() / 60_000) * 60_000))

const canStillCome = (_: Mover, facts: Facts, now: Date) =>
  isLeftWaiting(facts, now) ? null : 'Tu analista todavía puede llegar.'

function roomClosed(_: Mover, facts: Facts, now: Date): string | null {
  const phase = roomPhase(facts, now)
  if (phase === 'open') return null
  return phase === 'over'
    ? 'La llamada ya terminó.'
    : `Desde ${wholeMinute(roomOpensAt(facts.startsAt))} podrás pedir que te llamemos.`
}

function notMissed(_: Mover, facts: Facts, now: Date): string | null {
  const wait = waitOf(facts)
  if (!wait) return 'El cliente no ha entrado a la llamada.'
  if (facts.callBackAskedAt) return 'El cliente pidió que le llamemos.'
  return now < wait.apologyAt ? `Desde ${wholeMinute(wait.apologyAt)} se cancela.` : null
}

const travels = ({ service }: Pick<Facts, 'service'>) => serviceFacts[service].needsTravel
const isCall = ({ service }: Facts) => service === 'videocall'
const assigneeOrManager = (actor: Mover, facts: Facts) => isItsAssignee(actor, facts) || isManager(actor)
const mayRelease = (actor: Mover, facts: Facts) =>
  isManager(actor) || isSystem(actor) || (travels(facts) && isItsAssignee(actor, facts))
const customerOrManager = (actor: Mover, facts: Facts) => isItsCustomer(actor, facts) || isManager(actor)
const startsLater = (actor: Mover, facts: Pick<Facts, 'startsAt'>, now: Date) =>
  notToday(actor, facts, now) ?? tooEarly(facts, now)
const isItsCaller = (actor: Mover, facts: Facts) => isCall(facts) && isItsCustomer(actor, facts)

/** The whole life of an appointment: each transition, the states it may leave, and who may make it. */
export const appointmentMachine = /* @__PURE__ */ machine<Facts, [now: Date]>()(
  {
    assign: { from: ['requested'], to: 'assigned', by: isManager },
    autoConfirm: { from: ['requested'], to: 'assigned', by: isSystem },
    reassign: { from: ['assigned'], to: 'assigned', by: isManager },
    release: { from: ['assigned', 'en_route'], to: 'requested', by: mayRelease },
    /** To another time, at which its assignee is available. */
    reschedule: {
      from: upcomingStates,
      to: 'same',
      by: customerOrManager,
      blocked: notMovable,
    },
    /** To another time, for which another assignee is chosen. */
    rescheduleAnew: {
      from: upcomingStates,
      to: 'requested',
      by: customerOrManager,
      blocked: notMovable,
    },
    /** To another time, with an assignee confirmed at once: for a call, or chosen by the manager. */
    rescheduleTo: {
      from: upcomingStates,
      to: 'assigned',
      by: customerOrManager,
      blocked: notMovable,
    },
    cancel: {
      from: upcomingStates,
      to: 'cancelled',
      by: customerOrManager,
      blocked: notCancellable,
    },
    cancelLate: {
      from: upcomingStates,
      to: 'cancelled',
      by: isItsCustomer,
      blocked: notLate,
    },
    /** It stands again as it was: confirmed, or with a person to be confirmed. */
    undoCancel: {
      from: ['cancelled'],
      to: ({ provisional }) => (provisional ? 'requested' : 'assigned'),
      by: isManager,
    },
    /** The customer's e-mail was not verified in time. */
    letGo: { from: upcomingStates, to: 'cancelled', by: isSystem },
    /** A call has no trip: its customer would receive the message to keep the way to the meter clear. */
    setOut: {
      from: ['assigned'],
      to: 'en_route',
      by: (actor, facts) => travels(facts) && isItsAssignee(actor, facts),
      blocked: notToday,
    },
    /** Its assignee says by how much they are late; its customer reads it. */
    runLate: {
      from: ['assigned', 'en_route'],
      to: 'same',
      by: (actor, facts) => travels(facts) && assigneeOrManager(actor, facts),
      blocked: notToday,
    },
    start: {
      from: ['assigned', 'en_route'],
      to: 'in_progress',
      by: isItsAssignee,
      blocked: startsLater,
    },
    undoSetOut: {
      from: ['en_route'],
      to: 'assigned',
      by: assigneeOrManager,
      blocked: setOutLongAgo,
    },
    undoStart: {
      from: ['in_progress'],
      to: 'en_route',
      by: (actor, facts) => travels(facts) && assigneeOrManager(actor, facts),
      blocked: startedLongAgo,
    },
    /** A call has no trip. */
    undoCallStart: {
      from: ['in_progress'],
      to: 'assigned',
      by: (actor, facts) => isCall(facts) && assigneeOrManager(actor, facts),
      blocked: startedLongAgo,
    },
    /** Also from a pause: the assignee who paused may be unable to return. */
    callOff: { from: underWayStates, to: 'cancelled', by: assigneeOrManager },
    pause: { from: ['in_progress'], to: 'paused', by: isItsAssignee },
    resume: { from: ['paused'], to: 'in_progress', by: isItsAssignee },
    finish: { from: ['in_progress', 'paused'], to: 'done', by: isItsAssignee },
    /** The work that the assignee did before it was taken from them becomes what they handed in. */
    reopen: {
      from: [...upcomingStates, 'en_route', ...failedStates],
      to: 'done',
      by: (actor, facts) => isManager(actor) && !isCall(facts),
    },
    noShow: {
      from: ['assigned', 'en_route', 'in_progress'],
      to: 'no_show',
      by: assigneeOrManager,
      blocked: notAbsent,
    },
    undoNoShow: { from: ['no_show'], to: reachedState, by: assigneeOrManager },
    /** Another analyst takes over a call whose customer waits; its own analyst does not need to. */
    takeOver: {
      from: ['assigned', 'in_progress'],
      to: 'same',
      by: (actor, facts) =>
        isCall(facts) && ((isAnalyst(actor) && !isItsAssignee(actor, facts)) || isManager(actor)),
      blocked: nobodyWaits,
    },
    /** The customer keeps waiting for an analyst who has not joined. */
    keepWaiting: {
      from: upcomingStates,
      to: 'same',
      by: isItsCaller,
      blocked: canStillCome,
    },
    /** The customer prefers a phone call: no analyst joined, or picture and sound do not connect. */
    askCallBack: {
      from: [...upcomingStates, 'in_progress', 'paused'],
      to: 'same',
      by: isItsCaller,
      blocked: roomClosed,
    },
    /** The customer joined and no analyst did: cancelled with our apology. */
    missCall: {
      from: upcomingStates,
      to: 'cancelled',
      by: (actor, facts) => isCall(facts) && isSystem(actor),
      blocked: notMissed,
    },
    /** The customer reports that the assignee did not arrive. */
    nobodyCame: {
      from: [...upcomingStates, 'en_route'],
      to: 'same',
      by: isItsCustomer,
      blocked: notMissing,
    },
    /** The office answers that report: it is calling, somebody comes, or somebody was there. */
    answerNobodyCame: { from: [...upcomingStates, 'en_route'], to: 'same', by: isManager },
  },
  (state) =>
    `El estado de la cita es «${stateFacts[state].label}», y desde ahí no se puede. Actualiza la página para ver cómo va.`,
)

export type MoveName = TransitionOf<typeof appointmentMachine>

/** The states in which the effect of a field step is already reached. */
const reached = {
  setOut: ['en_route', 'in_progress', 'paused', 'done'],
  start: ['in_progress', 'paused', 'done'],
  pause: ['paused', 'done'],
  resume: ['in_progress', 'done'],
} satisfies Partial<Record<MoveName, readonly AppointmentState[]>>
export type Step = keyof typeof reached
const steps = /* @__PURE__ */ Object.keys(reached) as Step[]

/** Whether the assignee already reached a step's effect: they made it on another phone, or are further on. */
export const isReached = (name: Step, actor: Mover, facts: Facts): boolean =>
  isItsAssignee(actor, facts) && reached[name].some((state) => state === facts.state)

/** An end in the field that is no sheet. */
export type FormEnd = 'finish' | 'callOff' | 'noShow' | 'release'

type Ending = {
  from: readonly AppointmentState[]
  blocked?: (actor: Mover, facts: Facts, now: Date) => string | null
}

/** The last change of an appointment's state, person or time; no person is the system. */
export type LastChange = { name: string; by: string | null; at: Date }

/** Changes that leave state, person and time as they are: nothing that was pressed before one is overtaken by it. */
export const asides = [
  'runLate',
  'nobodyCame',
  'answerNobodyCame',
  'keepWaiting',
  'askCallBack',
] as const satisfies readonly MoveName[]

const timeChanges: readonly string[] = [
  'reschedule',
  'rescheduleAnew',
  'rescheduleTo',
] satisfies readonly MoveName[]

/**
 * Whether the office or the customer took an appointment away from its technician before they ended it at `at`, without
 * knowing it: cancelled, given to somebody else, or at another time.
 */
export function isTakenAway(name: FormEnd, actor: Mover, facts: Facts, last: LastChange, at: Date): boolean {
  if (actor === 'system' || last.by === actor.id) return false
  const { blocked, from }: Ending = appointmentMachine.transitions[name]
  if (!isItsAssignee(actor, facts) || !from.includes(facts.state) || last.at > at) return true
  return timeChanges.includes(last.name) && Boolean(blocked?.(actor, facts, at))
}

type Shown = Pick<Facts, 'service' | 'state' | 'startsAt'>
type Timed = {
  from: readonly AppointmentState[]
  blocked?: (actor: Mover, facts: Shown, now: Date) => string | null
}

/** The steps that the assignee can make at a moment: a page stored on the phone offers them as time passes. */
export const stepsAt = (facts: Shown, now: Date): Step[] =>
  steps.filter((name) => {
    const { blocked }: Timed = appointmentMachine.transitions[name]
    return (name !== 'setOut' || travels(facts)) && isFrom(name, facts) && !blocked?.('system', facts, now)
  })

function isFrom(name: Step, { state }: Shown): boolean {
  const { from }: Timed = appointmentMachine.transitions[name]
  return from.includes(state)
}

/** From when a no-show can be reported of a stop that nobody has begun; null of others. A kept page asks its clock. */
export const absentFrom = (facts: Shown): Date | null =>
  travels(facts) && appointmentMachine.transitions.noShow.from.some((state) => state === facts.state)
    ? toDate(toMinutes(facts.startsAt) + ABSENT_MINUTES)
    : null

/** From when, and before when, a step can be made; in epoch minutes. */
export type StepSpan = { move: Step; from: number; until: number }

/** When the assignee can make each step that leaves this state: what `stepsAt` answers, for a page without the machine. */
export const stepSpans = (facts: Shown): StepSpan[] =>
  steps
    .filter((name) => (name !== 'setOut' || travels(facts)) && isFrom(name, facts))
    .map((move) => {
      const { blocked }: Timed = appointmentMachine.transitions[move]
      if (!blocked) return { move, from: 0, until: Number.MAX_SAFE_INTEGER }
      const start = toMinutes(facts.startsAt)
      const day = dayOf(start)
      return { move, from: Math.max(day.start, move === 'start' ? start - EARLY_MINUTES : 0), until: day.end }
    })

/** Why the assignee's next step has to wait, in words; null where one can be made now, or none is left. */
export function stepWait(facts: Shown, now: Date): string | null {
  const [next] = stepSpans(facts)
  if (!next || stepsAt(facts, now).length > 0) return null
  const { blocked }: Timed = appointmentMachine.transitions[next.move]
  return blocked?.('system', facts, now) ?? null
}

type Booked = { service: Service; createdAt: Date; startsAt: Date; movedByCustomer: number }

/**
 * Until when its customer may change or cancel an appointment, including the first minutes after booking, and how many
 * more times they may move it.
 */
export function changeRights(
  { service, movedByCustomer, ...booked }: Booked,
  { freeChangeAfterBookingMinutes, rescheduleLimit, services }: Settings,
): ChangeRights {
  const { freeChangeHours } = services[service]
  return {
    until: changeUntil(booked, { freeChangeAfterBookingMinutes, freeChangeHours }),
    left: Math.max(0, rescheduleLimit - movedByCustomer),
  }
}
