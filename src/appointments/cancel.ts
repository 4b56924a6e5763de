import { and, eq, isNull } from 'drizzle-orm'
import { type Actor, assertCustomer, isCustomer, isManager } from '../access/rules/actor.ts'
import { endFee, hasFee } from '../payments/charges.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { addresses, tasks } from '../platform/database/schema/projects.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { happened } from '../platform/follows.ts'
import { enqueue, type Tell, unlessUndone, withoutDelay } from '../platform/jobs/jobs.ts'
import type { Jobs } from '../platform/jobs/queues.ts'
import { announce } from '../platform/live/announcements.ts'
import { askForNextStep, askToCallCustomer } from '../projects/open-project.ts'
import { pinAt } from '../projects/rules/pin.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { kilometresBetween } from '../scheduling/rules/roster.ts'
import type { Settings } from '../settings/rules/settings-schema.ts'
import { localDate, minuteAt, toDate, toMinutes } from '../shared/calendar.ts'
import { clockText } from '../shared/format.ts'
import { refuse } from '../shared/refusal.ts'
import { customerAbsent } from './changes.ts'
import { type AppointmentState, affectedUserIds, type Closing, closingWords } from './rules/appointment.ts'
import type { NoShow } from './rules/ends-schema.ts'
import type { MoveName } from './rules/transitions.ts'
import { absenceUndoSeconds } from './rules/undo.ts'
import { type AppointmentRow, lockAppointment, transition } from './transition.ts'
import { beforeOf } from './undo.ts'
import { dropBooked, releaseSlot } from './unverified.ts'

/** `version` is the one the form was shown with; `late` means that the customer confirmed a late cancellation. */
type CancelRequest = Closing & { version: number; late?: boolean }

/**
 * Cancels an upcoming appointment: its customer until the cut-off, and after it only with the confirmation that it is
 * late, of which the managers are notified at once; a manager always, who can undo it while its letters wait. The same
 * form sent twice is one cancellation.
 */
export async function cancel(
  db: Db,
  actor: Actor,
  id: string,
  request: CancelRequest,
  now: Date,
): Promise<AppointmentRow> {
  const { settings } = await currentStaffing(db)
  const [before, after] = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, id)
    if (isDone(held, request)) return [held, held]
    await assertVersion(tx, actor, 'appointment', held, request.version)
    return [
      held,
      await cancelHeld(tx, actor, held, { ...request, undoable: isManager(actor) }, now, settings),
    ]
  })
  announce(db, { people: [...affectedUserIds(before), ...affectedUserIds(after)] })
  return after
}

/**
 * Cancels a locked appointment: its people are notified, and its time is free. `undoable`: the letters, the offer of its
 * time and the end of its fee wait for as long as the manager can undo it.
 */
export async function cancelHeld(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  request: Closing & { late?: boolean; undoable?: boolean },
  now: Date,
  settings: Settings,
): Promise<AppointmentRow> {
  const { undoable = false } = request
  const late = Boolean(request.late) && isCustomer(actor)
  const closing = { closingReason: request.reason, closingNote: request.note, late }
  // No e-mail about it has left yet, and it has not changed since it was booked.
  const isUntold = isCustomer(actor) && (await dropBooked(tx, held)) && held.version === 1 && !late
  const moved = await transition(
    tx,
    actor,
    held,
    late ? 'cancelLate' : 'cancel',
    now,
    { ...closing, sequence: held.sequence + 1 },
    {
      settings,
      reason: closingWords(request),
      feeLater: undoable,
      isMailed: !isUntold,
      data: {
        from: held.assigneeId,
        startsAt: held.startsAt,
        ...(undoable && { ...beforeOf(held), endedAt: now }),
      },
    },
  )
  const tell = undoable ? unlessUndone(moved) : withoutDelay
  if (!isUntold) await notifyCancelled(tx, moved, tell)
  await releaseSlot(tx, held, now, tell)
  return moved
}

/** How a visit may end whose fee waits for as long as that can be undone. */
const undoableEnds: Partial<Record<AppointmentState, MoveName>> = { cancelled: 'cancel', no_show: 'noShow' }

/** Notifies a customer of an end that can be undone; of one with a fee, by the job that decides about it. */
async function notifyEnded(tx: Tx, id: string, email: 'cancelled' | 'no_show', tell: Tell) {
  if (await hasFee(tx, id)) await tell(tx, 'end-fee', { appointmentId: id, email })
  else await tell(tx, 'letter', { letter: email, appointmentId: id, to: 'customer' })
}

/**
 * Ends the fee of a visit that was cancelled or missed, now that it can't be undone, and notifies its customer. It may run
 * twice.
 */
export async function endFeeOfCancelled(
  db: Db,
  { appointmentId: id, email }: Jobs['end-fee'],
  now: Date,
): Promise<void> {
  const held = await transaction(db, async (tx) => {
    const row = await lockAppointment(tx, 'system', id)
    const end = undoableEnds[row.state]
    if (end) await endFee(tx, row, end, now, { isMailed: email !== undefined })
    // Under the id of the change: sent twice, it is one.
    if (email) await unlessUndone(row, 0)(tx, 'letter', { letter: email, appointmentId: id, to: 'customer' })
    return row
  })
  announce(db, { people: affectedUserIds(held) })
}

const isDone = ({ closingReason, state, version }: AppointmentRow, request: CancelRequest) =>
  state === 'cancelled' && version > request.version && closingReason === request.reason

async function notifyCancelled(tx: Tx, { assigneeId, confirmedAt, id, late }: AppointmentRow, tell: Tell) {
  await notifyEnded(tx, id, 'cancelled', tell)
  if (assigneeId && confirmedAt)
    await tell(tx, 'letter', {
      letter: 'cancelled',
      appointmentId: id,
      to: 'person',
      personId: assigneeId,
    })
  if (late) await enqueue(tx, 'letter', { letter: 'late_cancel', appointmentId: id, to: 'managers' })
}

/**
 * The customer is absent, and did not answer a call made at `calledAt`, a time of the appointment's day. An assignee on
 * site has stored a photo of the façade.
 */
export async function noShow(
  db: Db,
  actor: Actor,
  id: string,
  form: NoShow,
  now: Date,
): Promise<AppointmentRow> {
  const moved = await transaction(db, async (tx) =>
    noShowHeld(tx, actor, await lockAppointment(tx, actor, id), form, now),
  )
  announce(db, { people: affectedUserIds(moved) })
  return moved
}

/** The same for a locked row; `at` is when it was pressed, and `trace` what else its history keeps. */
export async function noShowHeld(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  { calledAt, note, place }: NoShow,
  at: Date,
  trace: object = {},
): Promise<AppointmentRow> {
  const called = toDate(minuteAt(localDate(toMinutes(held.startsAt)), clockText(calledAt)))
  const set = { closingReason: 'cliente_no_disponible', closingNote: note, finishedAt: at } as const
  const metres = await metresFrom(tx, held, place)
  const data = {
    ...beforeOf(held),
    endedAt: at,
    calledAt: called,
    ...(metres !== null && { metres }),
    ...trace,
  }
  const after = await transition(tx, actor, held, 'noShow', at, set, { data, feeLater: true })
  const early = called > at ? { calledAt: 'Esa hora todavía no llega.' } : {}
  const { errors } = await happened(tx, customerAbsent, { actor, appointment: held, errors: early })
  const [first] = Object.values(errors)
  if (first) refuse('invalid-argument', first, { errors })
  const tell = unlessUndone(after, absenceUndoSeconds)
  await notifyEnded(tx, held.id, 'no_show', tell)
  await askForNextStep(tx, after, 'no_show')
  return after
}

/** How far from the address the photo was taken; null where either place is unknown. */
async function metresFrom(tx: Tx, { address, projectId }: AppointmentRow, place: NoShow['place']) {
  if (!place) return null
  const own = and(eq(addresses.projectId, projectId), isNull(addresses.archivedAt))
  const [home = null] = await tx.select().from(addresses).where(own)
  const pin = pinAt(address, home)
  return pin && Math.round(kilometresBetween([pin.latitude, pin.longitude], place) * 1000)
}

const answerReason = 'no_show_answer'

/** Its customer says that they were there: a task for the office, which decides what follows. Said again, it is the same one. */
export async function answerNoShow(
  db: Db,
  actor: Actor,
  { appointmentId: id, words }: { appointmentId: string; words: string },
): Promise<void> {
  assertCustomer(actor)
  const held = await transaction(db, async (tx) => {
    const missed = await lockAppointment(tx, actor, id)
    if (missed.state !== 'no_show')
      refuse('failed-precondition', 'Esta cita ya no está así. Actualiza la página.')
    if (await isNoShowAnswered(tx, id)) return missed
    const subject = `Dice que sí estaba en ${missed.folio}: «${words}»`
    await askToCallCustomer(tx, missed, { subject, reason: answerReason })
    return missed
  })
  announce(db, { people: affectedUserIds(held) })
}

/** Whether a customer answered that they were there. */
export async function isNoShowAnswered(db: Queryable, id: string): Promise<boolean> {
  const [answer] = await db
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(eq(tasks.appointmentId, id), eq(tasks.reason, answerReason)))
  return answer !== undefined
}
