import { type Actor, isCustomer } from '../../domain/access/actor.ts'
import { type Closing, closingWords } from '../../domain/appointments/appointment.ts'
import type { NoShow } from '../../domain/appointments/schema.ts'
import { asksFacade } from '../../domain/reports/photos.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { localDate, minuteAt, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { clockText } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { facadeOf } from '../platform/storage/addresses.ts'
import { askForNextStep, askToCallCustomer } from '../projects/open-project.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { type AppointmentRow, affectedUserIds, lockAppointment, transition } from './transition.ts'
import { releaseSlot } from './unverified.ts'

/** `version` is the one the form was shown with; `late` means that the customer confirmed a late cancellation. */
type CancelRequest = Closing & { version: number; late?: boolean }

/**
 * Cancels an upcoming appointment: its customer until the cut-off, and after it only with the confirmation that it is
 * late, of which the managers are notified at once; a manager always. The same form sent twice is one cancellation.
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
    if (held.version !== request.version) refuse('aborted')
    return [held, await cancelHeld(tx, actor, held, request, now, settings)]
  })
  announce(db, { people: [...affectedUserIds(before), ...affectedUserIds(after)] })
  return after
}

/** Cancels a locked appointment: its people are notified, and its time is free. */
export async function cancelHeld(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  request: Closing & { late?: boolean },
  now: Date,
  settings: Settings,
): Promise<AppointmentRow> {
  const late = Boolean(request.late) && isCustomer(actor)
  const closing = { closingReason: request.reason, closingNote: request.note, late }
  const moved = await transition(
    tx,
    actor,
    held,
    late ? 'cancelLate' : 'cancel',
    now,
    { ...closing, sequence: held.sequence + 1 },
    { settings, reason: closingWords(request), data: { from: held.assigneeId, startsAt: held.startsAt } },
  )
  await tell(tx, moved)
  await releaseSlot(tx, held, now)
  return moved
}

const isDone = ({ closingReason, state, version }: AppointmentRow, request: CancelRequest) =>
  state === 'cancelled' && version > request.version && closingReason === request.reason

async function tell(tx: Tx, { assigneeId, confirmedAt, id, late }: AppointmentRow) {
  await enqueue(tx, 'letter', { letter: 'cancelled', appointmentId: id, to: 'customer' })
  if (assigneeId && confirmedAt)
    await enqueue(tx, 'letter', {
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
  { calledAt, note }: NoShow,
  now: Date,
): Promise<AppointmentRow> {
  const moved = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, id)
    const called = toDate(minuteAt(localDate(toMinutes(held.startsAt)), clockText(calledAt)))
    const set = { closingReason: 'cliente_no_disponible', closingNote: note, finishedAt: now } as const
    const after = await transition(tx, actor, held, 'noShow', now, set, { data: { calledAt: called } })
    if (called > now)
      refuse('invalid-argument', undefined, { errors: { calledAt: 'Esa hora todavía no llega.' } })
    if (asksFacade(actor, held.service) && !(await facadeOf(tx, actor, id)))
      refuse('invalid-argument', undefined, { errors: { photo: 'Toma una foto de la fachada.' } })
    await enqueue(tx, 'letter', { letter: 'no_show', appointmentId: id, to: 'customer' })
    await askForNextStep(tx, after, 'no_show')
    return after
  })
  announce(db, { people: affectedUserIds(moved) })
  return moved
}

/**
 * The customer reports that the assignee did not arrive: an urgent task, and a letter for the managers and for them.
 * Reported again, it is the same one.
 */
export async function nobodyCame(db: Db, actor: Actor, id: string, now: Date): Promise<AppointmentRow> {
  const moved = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, id)
    if (held.nobodyCameAt !== null) return held
    const after = await transition(tx, actor, held, 'nobodyCame', now, { nobodyCameAt: now })
    await askToCallCustomer(tx, after, {
      subject: `Nadie llegó a la cita ${after.folio}`,
      reason: 'nobody_came',
    })
    for (const to of ['managers', 'customer'] as const)
      await enqueue(tx, 'letter', { letter: 'nobody_came', appointmentId: id, to })
    return after
  })
  announce(db, { people: affectedUserIds(moved) })
  return moved
}
