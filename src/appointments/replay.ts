import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { announce } from '../platform/live/announcements.ts'
import { askToCallCustomer } from '../projects/open-project.ts'
import { daysUntil, lowerFirst, shortDate, theTime } from '../shared/format.ts'
import { refuse } from '../shared/refusal.ts'
import { releaseOwnHeld } from './assign.ts'
import { lockForAuthor } from './authorship.ts'
import { noShowHeld } from './cancel.ts'
import { carry, fieldEnds, fieldSteps, runLateHeld } from './field.ts'
import type { Closing } from './rules/appointment.ts'
import { affectedUserIds, closingReasons, isActive, outcomeLabels, stateFacts } from './rules/appointment.ts'
import type { Finishing, NoShow } from './rules/ends-schema.ts'
import type { End } from './rules/field-steps.ts'
import { isAtWork } from './rules/next-stop.ts'
import type { LateChoice } from './rules/running-late.ts'
import {
  appointmentMachine,
  type FormEnd,
  isReached,
  isTakenAway,
  type LastChange,
  type Step,
} from './rules/transitions.ts'
import {
  type AppointmentRow,
  factsOf,
  lastChangeOf,
  lockAppointment,
  madeAt,
  ofChanges,
} from './transition.ts'

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
    setOut: () => fieldSteps.setOut(id, at),
    start: () => fieldSteps.start(actor, ticked, at),
    pause: () => fieldSteps.pause(reason, at),
    resume: () => fieldSteps.resume(),
  }[name]()
  const trace = { ...step.trace, data: replayTrace(pressed, at) }
  const moved = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, id)
    if (await isReplay(tx, 'appointment', id, name, actor.id, pressed)) return held
    if (isReached(name, actor, factsOf(held))) return held
    await refuseEnded(tx, actor, held)
    await refuseOvertaken(tx, id, at)
    return carry(tx, actor, held, name, at, { ...step, trace })
  })
  announce(db, { people: affectedUserIds(moved) })
  return moved
}

/** When something was pressed, and when the appointment started by the page that it was pressed on. */
type Shown = { at: Date; startsAt?: Date | undefined }

/** Whether its author did not know the hour that it has. */
const isOtherHour = (held: AppointmentRow, startsAt: Date | undefined) =>
  startsAt !== undefined && startsAt.getTime() !== held.startsAt.getTime()

/**
 * Running late, pressed without a network. Nothing is done where the assignee has arrived since, or said something else
 * later; where its hour has passed, it is for them to call.
 */
export async function replayLate(
  db: Db,
  actor: Actor,
  id: string,
  { at: pressed, form: { minutes }, startsAt }: { form: { minutes: LateChoice | null } } & Shown,
  now: Date,
): Promise<AppointmentRow> {
  const at = clientTimestamp(pressed, now)
  const moved = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, id)
    if (await isReplay(tx, 'appointment', id, 'runLate', actor.id, pressed)) return held
    if (isReached('start', actor, factsOf(held))) return held
    if (await isSaidSince(tx, id, at)) return held
    await refuseEnded(tx, actor, held)
    await refuseOvertaken(tx, id, at)
    if (isOtherHour(held, startsAt))
      refuse(
        'failed-precondition',
        `La oficina la pasó al ${shortDate(held.startsAt)} a ${theTime(held.startsAt)}. Si aun así vas tarde, dilo otra vez.`,
      )
    return runLateHeld(tx, actor, held, minutes, { at, now, data: replayTrace(pressed, at) })
  })
  announce(db, { people: affectedUserIds(moved) })
  return moved
}

/** Whether somebody said later of an appointment that it runs late, or that it does not. */
async function isSaidSince(tx: Tx, id: string, at: Date): Promise<boolean> {
  const { rows } = await tx.$client.query(
    `select 1 from events where entity = 'appointment' and entity_id = $1 and name = 'runLate' and ${madeAt} > $2 limit 1`,
    [id, at],
  )
  return rows.length > 0
}

/** An end in the field that is no sheet, with its form. */
export type FieldEnd =
  | { move: 'finish'; form: Finishing }
  | { move: 'callOff'; form: Closing }
  | { move: 'noShow'; form: NoShow }
  | { move: 'release'; form: { reason: string } }

/** What an end came to: the appointment as it is now, and whether the office decides what follows. */
type Ended = { appointment: AppointmentRow; claimed: boolean }

/**
 * An end pressed on site, judged by the time it was pressed. Received twice, it is one; made alike on another phone, it
 * is done. Where the appointment was taken away meanwhile, or has an hour that its author did not know, it is kept for the
 * office, which decides what follows.
 */
export async function replayEnd(
  db: Db,
  actor: Actor,
  id: string,
  end: FieldEnd & Shown,
  now: Date,
): Promise<Ended> {
  const at = madeOnPhone(end.at, now)
  const ended = await transaction(db, async (tx): Promise<Ended> => {
    const held = await lockForAuthor(tx, actor, id)
    const isHeard = (entity: string, name: string) => isReplay(tx, entity, id, name, actor.id, end.at)
    if (await isHeard('appointment', end.move)) return { appointment: held, claimed: false }
    if (await isHeard('sheet', lateEnd)) return { appointment: held, claimed: true }
    const last = await lastChangeOf(tx, id)
    const isTaken = last && isTakenAway(end.move, actor, factsOf(held), last, at)
    // A no-show is judged by the hour anyway, and its photo before it.
    const isUnaware = end.move !== 'noShow' && isActive(held.state) && isOtherHour(held, end.startsAt)
    if (isTaken || isUnaware) return keepForOffice(tx, actor, held, end, { at, now })
    if (last && isAlike(held, last, end, actor)) return { appointment: held, claimed: false }
    if (isLeftToOffice(held, end.move, at, now) || lacksArrival(held, end.move, actor, at))
      return keepForOffice(tx, actor, held, end, { at, now })
    await refuseEnded(tx, actor, held)
    await refuseOvertaken(tx, id, at)
    const trace = replayTrace(end.at, at)
    return { appointment: await make(tx, actor, held, end, at, trace), claimed: false }
  })
  announce(db, { people: affectedUserIds(ended.appointment) })
  return ended
}

/**
 * Whether the office decides what an appointment came to: its end is too old, or what would have begun it is, without
 * which nothing is finished.
 */
export const isLeftToOffice = (
  { startsAt, state }: Pick<AppointmentRow, 'startsAt' | 'state'>,
  end: End,
  at: Date,
  now: Date,
): boolean =>
  isActive(state) &&
  (isTooOld(at, now) ||
    ((end === 'finish' || end === 'submit') && !isAtWork(state) && isTooOld(startsAt, now)))

/** A no-show whose arrival did not come, or was not asked for when it was pressed. */
function lacksArrival(held: AppointmentRow, end: FieldEnd['move'], actor: Actor, at: Date): boolean {
  const facts = factsOf(held)
  const isMade = (state: AppointmentRow['state']) =>
    appointmentMachine.can('noShow', actor, { ...facts, state }, at)
  return end === 'noShow' && !isMade(facts.state) && isActive(facts.state) && isMade('in_progress')
}

function make(tx: Tx, actor: Actor, held: AppointmentRow, end: FieldEnd, at: Date, data: object) {
  if (end.move === 'release') return releaseOwnHeld(tx, actor, held, end.form.reason, at, data)
  if (end.move === 'noShow') return noShowHeld(tx, actor, held, end.form, at, data)
  const step = end.move === 'finish' ? fieldEnds.finish(end.form, at) : fieldEnds.callOff(actor, end.form)
  const trace = { ...step.trace, data: { ...step.trace?.data, ...data } }
  return carry(tx, actor, held, end.move, at, { ...step, trace })
}

/** Whether its technician ended it in the same way before; a note of its own makes it another end. */
function isAlike(held: AppointmentRow, last: LastChange, { form, move }: FieldEnd, { id }: Actor): boolean {
  if (move === 'release') return last.name === move && last.by === id
  const { closingNote, closingReason, outcome } = held
  if (last.name !== move || last.by !== held.assigneeId) return false
  if (move === 'noShow') return isSameNote(form.note, closingNote)
  if (form.reason !== closingReason) return false
  return move === 'finish'
    ? form.outcome === outcome && isSameNote(form.closingNote, closingNote)
    : isSameNote(form.note, closingNote)
}

const isSameNote = (note: string | null, stored: string | null) => note === null || note === stored

const lateEnd = 'end_late'

/** Keeps what came of an appointment that was taken away, in its history and as a task of the office. */
async function keepForOffice(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  end: FieldEnd & { at: Date },
  { at, now }: { at: Date; now: Date },
): Promise<Ended> {
  const words = wordsOf(end)
  await record(tx, {
    entity: 'sheet',
    entityId: held.id,
    actorId: actor.id,
    name: lateEnd,
    reason: words,
    data: { move: end.move satisfies FormEnd, ...replayTrace(end.at, at) },
  })
  const who = actor.name ?? 'Su técnico'
  const state = stateFacts[held.state].label
  const subject = `${who} registró en ${held.folio} ${momentWords(at, now)}: ${short(lowerFirst(words))}. La cita está «${state}»: decide qué sigue`
  await askToCallCustomer(tx, held, { subject, reason: lateEnd })
  return { appointment: held, claimed: true }
}

function wordsOf(end: FieldEnd): string {
  if (end.move === 'noShow') return withNote(stateFacts.no_show.label, end.form.note)
  if (end.move === 'release') return `No puede llegar: ${end.form.reason}`
  const what = end.move === 'finish' ? outcomeLabels[end.form.outcome] : stateFacts.cancelled.label
  const why = end.form.reason && lowerFirst(closingReasons[end.form.reason])
  const note = end.move === 'finish' ? end.form.closingNote : end.form.note
  return withNote([what, why].filter(Boolean).join(', '), note)
}

/** The history has the whole note. */
const short = (words: string) => (words.length > 200 ? `${words.slice(0, 199)}…` : words)

const withNote = (words: string, note: string | null) => (note ? `${words} («${note}»)` : words)

/** A phone's clock may be so far ahead, in milliseconds. */
const MAX_AHEAD_MS = 2 * 60_000

/** After this long a step says nothing of how the appointment is now, in milliseconds. */
const MAX_AGE_MS = 72 * 60 * 60_000

/** Whether only the office can still register what was pressed then. */
const isTooOld = (at: Date, now: Date): boolean => at.getTime() < now.getTime() - MAX_AGE_MS

/** When something was pressed without a network, as the rules judge it; refused where it can't have been then. */
export function madeOnPhone(at: Date, now: Date): Date {
  if (at.getTime() > now.getTime() + MAX_AHEAD_MS)
    refuse('invalid-argument', 'La hora de tu teléfono va adelantada. Corrígela y vuelve a enviar.')
  return at < now ? at : now
}

/** The same of a step, which is refused after 72 hours. */
export function clientTimestamp(at: Date, now: Date): Date {
  if (isTooOld(at, now))
    refuse('failed-precondition', 'Esto se hizo hace más de tres días. Llama a la gerencia para registrarlo.')
  return madeOnPhone(at, now)
}

/** "a las 9:10 a. m.", of another day "el mar 24 nov 2026 a las 9:10 a. m.". */
export const momentWords = (at: Date, now: Date): string =>
  daysUntil(at, now) === 0 ? `a ${theTime(at)}` : `el ${shortDate(at)} a ${theTime(at)}`

/** Whether this very press was received before. */
export async function isReplay(
  tx: Tx,
  entity: string,
  id: string,
  name: string,
  actorId: string,
  at: Date,
): Promise<boolean> {
  const { rows } = await tx.$client.query(
    `select 1 from events where entity = $1 and entity_id = $2 and name = $3 and actor_id = $4
       and (data ->> 'pressedAt')::timestamptz = $5 limit 1`,
    [entity, id, name, actorId, at],
  )
  return rows.length > 0
}

/**
 * The history of an offline step: its time as the phone reported it, and as it was judged where the phone's clock was
 * ahead.
 */
export const replayTrace = (pressed: Date, at: Date) => ({
  pressedAt: pressed,
  ...(at < pressed && { judgedAt: at }),
})

/** Refuses what was pressed for an appointment that its technician ended from another phone meanwhile. */
export async function refuseEnded(
  tx: Tx,
  actor: Actor,
  { id, outcome, state }: Pick<AppointmentRow, 'id' | 'outcome' | 'state'>,
): Promise<void> {
  if (isActive(state) || (await lastChangeOf(tx, id))?.by !== actor.id) return
  const ended = outcome ? outcomeLabels[outcome] : stateFacts[state].label
  refuse(
    'failed-precondition',
    `Ya la cerraste desde otro teléfono: «${ended}». Si no quedó así, llama a la oficina.`,
  )
}

/** Refuses what was pressed before a change of the appointment that we received earlier. */
export async function refuseOvertaken(tx: Tx, id: string, at: Date): Promise<void> {
  const { rows } = await tx.$client.query<{ made: Date }>(
    `select max(${madeAt}) as made from events where ${ofChanges}`,
    [id],
  )
  const made = rows[0]?.made
  if (made && made > at)
    refuse(
      'failed-precondition',
      `La cita cambió a ${theTime(made)}, después de lo que hiciste aquí. Actualiza la página para ver cómo va.`,
    )
}
