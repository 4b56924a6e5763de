import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { happened } from '../platform/follows.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { askForNextStep } from '../projects/open-project.ts'
import { sheetKindOf, sheetLabels } from '../reports/rules/report.ts'
import { refuse } from '../shared/refusal.ts'
import { appointmentBegun, appointmentUnfinished } from './changes.ts'
import { affectedUserIds, type Closing, closingReasons, closingWords } from './rules/appointment.ts'
import type { Finishing } from './rules/ends-schema.ts'
import { type LateChoice, lateChoicesAt, runningLateOf } from './rules/running-late.ts'
import { appointmentMachine, type MoveName } from './rules/transitions.ts'
import {
  type AppointmentChange,
  type AppointmentRow,
  factsOf,
  lockAppointment,
  type TransitionTrace,
  transition,
} from './transition.ts'

const whyPaused = 'Di por qué haces la pausa.'

/** What the technician's own steps write; `ticked` are the risks checked with a start. */
export const fieldSteps = {
  setOut: (id: string, now: Date): Steps => ({
    set: { setOutAt: now },
    also: (tx) => enqueue(tx, 'letter', { letter: 'on_the_way', appointmentId: id, to: 'customer' }),
  }),
  start: (actor: Actor, ticked: readonly string[], now: Date): Steps => ({
    set: { startedAt: now },
    also: async (tx, appointment) => {
      await happened(tx, appointmentBegun, { actor, appointment, ticked, now })
    },
  }),
  pause: (reason: string | null, now: Date): Steps => ({
    set: { pausedAt: now },
    trace: reason ? { reason } : {},
    also: async (_, { service }) => {
      if (service === 'installation' && !reason)
        refuse('invalid-argument', whyPaused, { errors: { reason: whyPaused } })
    },
  }),
  resume: (): Steps => ({ set: { pausedAt: null } }),
}

/** The technician is on the way; the customer gets a letter. */
export const setOut = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'setOut', now, fieldSteps.setOut(id, now))

/** The work begins; an installation's when every risk of the checklist is ticked, before or now. */
export const startWork = (db: Db, actor: Actor, id: string, now: Date, ticked: readonly string[] = []) =>
  move(db, actor, id, 'start', now, fieldSteps.start(actor, ticked, now))

/** Undoes the departure, of which the customer was told; they are told of this, too. */
export const undoSetOut = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'undoSetOut', now, {
    set: { setOutAt: null },
    also: (tx) => enqueue(tx, 'letter', { letter: 'way_undone', appointmentId: id, to: 'customer' }),
  })

/** Undoes the start of the work. A technician who skipped the departure can undo the start as well. */
export const undoStart = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'undoStart', now, {
    set: ({ setOutAt, startedAt }) => ({ startedAt: null, setOutAt: setOutAt ?? startedAt }),
  })

/** Undoes the start of a call. */
export const undoCallStart = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'undoCallStart', now, { set: { startedAt: null } })

/** The work stops for a while. */
export const pause = (db: Db, actor: Actor, id: string, reason: string | null, now: Date) =>
  move(db, actor, id, 'pause', now, fieldSteps.pause(reason, now))

/** The work goes on. */
export const resume = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'resume', now, fieldSteps.resume())

/** The assignee is late by so many minutes, or no longer. */
export async function runLate(db: Db, actor: Actor, id: string, minutes: LateChoice | null, now: Date) {
  const moved = await transaction(db, async (tx) =>
    runLateHeld(tx, actor, await lockAppointment(tx, actor, id), minutes, { at: now, now }),
  )
  announce(db, { people: affectedUserIds(moved) })
  return moved
}

/** When it was pressed, when it came, and what the history keeps of that. */
type Pressed = { at: Date; now: Date; data?: object }

/**
 * The same for a locked row. The customer gets a letter each time that it is another hour, as long as that is to come; the
 * same again is the same.
 */
export async function runLateHeld(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  minutes: LateChoice | null,
  { at, now, data }: Pressed,
): Promise<AppointmentRow> {
  // Whoever may not say it is told that first.
  appointmentMachine.next('runLate', actor, factsOf(held), at)
  if ((runningLateOf(held, now)?.minutes ?? null) === minutes) return held
  if (minutes !== null && !lateChoicesAt(held, now).includes(minutes))
    refuse('failed-precondition', 'A esa hora ya habrías llegado. Elige más tiempo, o llámale al cliente.')
  const set = { runningLateMinutes: minutes, runningLateAt: minutes && at }
  const after = await transition(tx, actor, held, 'runLate', at, set, { data: { minutes, ...data } })
  const told = runningLateOf(after, now)
  // The letter is about this hour: one more press before it is sent makes it another's.
  if (told)
    await enqueue(tx, 'letter', {
      letter: 'running_late',
      appointmentId: held.id,
      to: 'customer',
      was: { startsAt: told.until.toISOString() },
    })
  return after
}

/** What the ends in the field write that are no sheet. */
export const fieldEnds = {
  finish: (form: Finishing, at: Date, talked?: (tx: Tx) => Promise<void>): Steps => ({
    ...ended(form, at),
    also: async (tx, moved) => {
      const kind = sheetKindOf[moved.service]
      if (!kind && !talked)
        refuse('failed-precondition', 'Una asesoría se termina en su propia pantalla. Vuelve a abrirla.')
      if (kind && form.outcome === 'completed')
        refuse('failed-precondition', `Envía tu ${sheetLabels[kind].toLowerCase()} para terminar.`)
      await talked?.(tx)
      if (form.outcome === 'completed') return
      const reason = form.outcome === 'partial' ? 'half_done' : form.outcome
      await happened(tx, appointmentUnfinished, { appointment: moved, reason })
    },
  }),
  callOff: (actor: Actor, closing: Closing): Steps => ({
    set: ({ sequence }) => ({
      closingReason: closing.reason,
      closingNote: closing.note,
      pausedAt: null,
      sequence: sequence + 1,
    }),
    trace: { reason: closingWords(closing), isMailed: true },
    also: async (tx, moved) => {
      await enqueue(tx, 'letter', { letter: 'called_off', appointmentId: moved.id, to: 'customer' })
      await askForNextStep(tx, moved, 'called_off')
      if (moved.assigneeId !== actor.id)
        await enqueue(tx, 'letter', { letter: 'called_off', appointmentId: moved.id, to: 'person' })
    },
  }),
}

/**
 * The work is over: done, in part, or found impossible; the latter two with a reason, and the next one can be booked.
 * `talked` stores the summary that every call needs; nor does a visit or an installation end as completed without its
 * sheet, which sends it (`finishHeld`).
 */
export const finish = (
  db: Db,
  actor: Actor,
  id: string,
  form: Finishing,
  now: Date,
  talked?: (tx: Tx) => Promise<void>,
) => move(db, actor, id, 'finish', now, fieldEnds.finish(form, now, talked))

/** The same for a locked row; the caller stores the sheet or the summary. `at` is when it was pressed. */
export function finishHeld(tx: Tx, actor: Actor, held: AppointmentRow, form: Finishing, at: Date) {
  const { set, trace } = ended(form, at)
  return transition(tx, actor, held, 'finish', at, set, trace)
}

const ended = ({ closingNote, outcome, reason }: Finishing, at: Date) => ({
  set: { finishedAt: at, outcome, closingReason: reason, closingNote, pausedAt: null },
  trace: { ...(reason && { reason: closingReasons[reason] }), data: { outcome, pressedAt: at } },
})

/** An appointment under way is called off; its customer is notified of the reason, and asked for another time. */
export const callOff = (db: Db, actor: Actor, id: string, closing: Closing, now: Date) =>
  move(db, actor, id, 'callOff', now, fieldEnds.callOff(actor, closing))

/** What a step sets and keeps in the history, and what follows from it. */
export type Steps = {
  set: AppointmentChange | ((held: AppointmentRow) => AppointmentChange)
  trace?: TransitionTrace
  also?: (tx: Tx, moved: AppointmentRow) => Promise<void>
}

/** Every change of state by an assignee passes here: lock the row, apply the rules, write, record an event. */
async function move(
  db: Db,
  actor: Actor,
  id: string,
  name: MoveName,
  now: Date,
  step: Steps,
): Promise<AppointmentRow> {
  const moved = await transaction(db, async (tx) =>
    carry(tx, actor, await lockAppointment(tx, actor, id), name, now, step),
  )
  announce(db, { people: affectedUserIds(moved) })
  return moved
}

/** Makes a step on a locked row. */
export async function carry(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  name: MoveName,
  now: Date,
  { also, set, trace = {} }: Steps,
): Promise<AppointmentRow> {
  const change = typeof set === 'function' ? set(held) : set
  const after = await transition(tx, actor, held, name, now, change, trace)
  await also?.(tx, after)
  return after
}
