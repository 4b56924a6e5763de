import type { Actor } from '../../domain/access/actor.ts'
import { type Closing, closingReasons, closingWords } from '../../domain/appointments/appointment.ts'
import { type LateChoice, lateChoicesAt, runningLateOf } from '../../domain/appointments/running-late.ts'
import type { Finishing } from '../../domain/appointments/schema.ts'
import {
  appointmentMachine,
  isReached,
  type MoveName,
  type Step,
} from '../../domain/appointments/transitions.ts'
import { sheetKindOf, sheetLabels } from '../../domain/reports/report.ts'
import { theTime } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { askForNextStep } from '../projects/open-project.ts'
import { assertRisks } from '../reports/rows.ts'
import {
  type AppointmentChange,
  type AppointmentRow,
  affectedUserIds,
  factsOf,
  lockAppointment,
  type TransitionTrace,
  transition,
} from './transition.ts'

const whyPaused = 'Di por qué haces la pausa.'

/** The fields that the technician's own steps write; `ticked` are the risks checked with a start. */
const steps = {
  setOut: (id: string, now: Date): Steps => ({
    set: { setOutAt: now },
    also: (tx) => enqueue(tx, 'letter', { letter: 'on_the_way', appointmentId: id, to: 'customer' }),
  }),
  start: (actor: Actor, ticked: readonly string[], now: Date): Steps => ({
    set: { startedAt: now },
    also: (tx, moved) => assertRisks(tx, actor, moved, ticked, now),
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
  move(db, actor, id, 'setOut', now, steps.setOut(id, now))

/** The work begins; an installation's when every risk of the checklist is ticked, before or now. */
export const startWork = (db: Db, actor: Actor, id: string, now: Date, ticked: readonly string[] = []) =>
  move(db, actor, id, 'start', now, steps.start(actor, ticked, now))

/** Undoes the departure. */
export const undoSetOut = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'undoSetOut', now, { set: { setOutAt: null } })

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
  move(db, actor, id, 'pause', now, steps.pause(reason, now))

/** The work goes on. */
export const resume = (db: Db, actor: Actor, id: string, now: Date) =>
  move(db, actor, id, 'resume', now, steps.resume())

/**
 * The assignee is late by so many minutes, or no longer; the customer gets a letter each time that it is another hour. The
 * same again is the same.
 */
export async function runLate(db: Db, actor: Actor, id: string, minutes: LateChoice | null, now: Date) {
  const moved = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, id)
    // Whoever may not say it is told that first.
    appointmentMachine.next('runLate', actor, factsOf(held), now)
    if ((runningLateOf(held, now)?.minutes ?? null) === minutes) return held
    if (minutes !== null && !lateChoicesAt(held, now).includes(minutes))
      refuse('failed-precondition', 'A esa hora ya habrías llegado. Elige más tiempo, o llámale al cliente.')
    const set = { runningLateMinutes: minutes, runningLateAt: minutes && now }
    const after = await transition(tx, actor, held, 'runLate', now, set, { data: { minutes } })
    const told = runningLateOf(after, now)
    // The letter is about this hour: one more press before it is sent makes it another's.
    if (told)
      await enqueue(tx, 'letter', {
        letter: 'running_late',
        appointmentId: id,
        to: 'customer',
        was: { startsAt: told.until.toISOString() },
      })
    return after
  })
  announce(db, { people: affectedUserIds(moved) })
  return moved
}

type ReplayedStep = {
  move: Step
  at: Date
  reason: string | null
  ticked: readonly string[]
}

/**
 * A step made without a network, judged by the time it was pressed: the history keeps that time beside the time of
 * receipt. Received twice, it is one; nothing is done where its effect is already reached; after a later change it is
 * refused.
 */
export async function replayStep(
  db: Db,
  actor: Actor,
  id: string,
  { at: pressed, move: name, reason, ticked }: ReplayedStep,
  now: Date,
): Promise<AppointmentRow> {
  const at = clientTimestamp(pressed, now)
  const step = {
    setOut: () => steps.setOut(id, at),
    start: () => steps.start(actor, ticked, at),
    pause: () => steps.pause(reason, at),
    resume: () => steps.resume(),
  }[name]()
  const trace = { ...step.trace, data: replayTrace(pressed, at) }
  const moved = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, id)
    if (await isReplay(tx, id, name, actor.id, pressed)) return held
    if (isReached(name, actor, factsOf(held))) return held
    await refuseOvertaken(tx, id, at)
    return carry(tx, actor, held, name, at, { ...step, trace })
  })
  announce(db, { people: affectedUserIds(moved) })
  return moved
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
) =>
  move(db, actor, id, 'finish', now, {
    ...ended(form, now),
    also: async (tx, moved) => {
      const kind = sheetKindOf[moved.service]
      if (!kind && !talked)
        refuse('failed-precondition', 'Una asesoría se termina en su propia pantalla. Vuelve a abrirla.')
      if (kind && form.outcome === 'completed')
        refuse('failed-precondition', `Envía tu ${sheetLabels[kind].toLowerCase()} para terminar.`)
      await talked?.(tx)
      if (form.outcome !== 'completed') await endedWithoutAim(tx, moved, form.outcome)
    },
  })

/** Notifies its customer of the reason and the next step, and creates a task for the office. */
async function endedWithoutAim(
  tx: Tx,
  moved: AppointmentRow,
  outcome: 'partial' | 'not_possible',
): Promise<void> {
  const letter = outcome === 'partial' ? 'half_done' : outcome
  await enqueue(tx, 'letter', { letter, appointmentId: moved.id, to: 'customer' })
  await askForNextStep(tx, moved, letter)
}

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
  move(db, actor, id, 'callOff', now, {
    set: ({ sequence }) => ({
      closingReason: closing.reason,
      closingNote: closing.note,
      pausedAt: null,
      sequence: sequence + 1,
    }),
    trace: { reason: closingWords(closing) },
    also: async (tx, moved) => {
      await enqueue(tx, 'letter', { letter: 'called_off', appointmentId: id, to: 'customer' })
      await askForNextStep(tx, moved, 'called_off')
      if (moved.assigneeId !== actor.id)
        await enqueue(tx, 'letter', { letter: 'called_off', appointmentId: id, to: 'person' })
    },
  })

type Steps = {
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

async function carry(
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

/** A phone's clock may be so far ahead, in milliseconds. */
const MAX_AHEAD_MS = 2 * 60_000

/** After this long it cannot be known what happened meanwhile, in milliseconds. */
const MAX_AGE_MS = 72 * 60 * 60_000

/** When something was pressed without a network, as the rules judge it; refused where it can't have been then. */
export function clientTimestamp(at: Date, now: Date): Date {
  if (at.getTime() > now.getTime() + MAX_AHEAD_MS)
    refuse('invalid-argument', 'La hora de tu teléfono va adelantada. Corrígela y vuelve a enviar.')
  if (at.getTime() < now.getTime() - MAX_AGE_MS)
    refuse('failed-precondition', 'Esto se hizo hace más de tres días. Llama a la gerencia para registrarlo.')
  return at < now ? at : now
}

/** Whether this very press was received before. */
async function isReplay(tx: Tx, id: string, name: string, actorId: string, at: Date): Promise<boolean> {
  const { rows } = await tx.$client.query(
    `select 1 from events where entity = 'appointment' and entity_id = $1 and name = $2 and actor_id = $3
       and (data ->> 'pressedAt')::timestamptz = $4 limit 1`,
    [id, name, actorId, at],
  )
  return rows.length > 0
}

/**
 * The history of an offline step: its time as the phone reported it, and as it was judged where the phone's clock was
 * ahead.
 */
const replayTrace = (pressed: Date, at: Date) => ({
  pressedAt: pressed,
  ...(at < pressed && { judgedAt: at }),
})

/** Refuses what was pressed before a change of the appointment that we received earlier. */
export async function refuseOvertaken(tx: Tx, id: string, at: Date): Promise<void> {
  const { rows } = await tx.$client.query<{ made: Date }>(
    `select max(coalesce((data ->> 'judgedAt')::timestamptz, (data ->> 'pressedAt')::timestamptz, at)) as made from events
     where entity = 'appointment' and entity_id = $1 and to_state is not null`,
    [id],
  )
  const made = rows[0]?.made
  if (made && made > at)
    refuse(
      'failed-precondition',
      `Llegó tarde: después, a ${theTime(made)}, la cita cambió. Actualiza la página para ver cómo va.`,
    )
}
