import type { Mover } from '../access/rules/actor.ts'
import { countAct, refuseBraked } from '../accounts/limits.ts'
import { databaseFault, type Tx } from '../platform/database/client.ts'
import { happened } from '../platform/follows.ts'
import { type Tell, unlessUndone, withoutDelay } from '../platform/jobs/jobs.ts'
import { lockAndCheck, type Placement } from '../scheduling/choose.ts'
import { type Staffing, zoneOf } from '../scheduling/roster.ts'
import { isHard, isLearntLater, type Reason } from '../scheduling/rules/eligibility.ts'
import { managesSchedule } from '../scheduling/rules/roster.ts'
import { toDate } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { appointmentMoved } from './changes.ts'
import type { MoveName } from './rules/transitions.ts'
import {
  type AppointmentChange,
  type AppointmentRow,
  type TransitionTrace,
  transition,
} from './transition.ts'
import { beforeOf } from './undo.ts'
import { enqueueFreedSlot } from './unverified.ts'

/** Where a held appointment goes: a start in epoch minutes, and who goes then, as chosen with a staffing. */
export type NewTime = {
  start: number
  personId: string
  staffing: Staffing
  /** The assignee is confirmed at once. Otherwise one who stays keeps their state, and another one is provisional. */
  confirmed?: boolean
  /** Caused by us, or wished by the customer: the customer's cut-off and number of moves do not count. */
  because?: 'ours' | 'wished'
  /** The time was held out already: notice, horizon and grid no longer count. */
  promised?: boolean
  /** That person was held out with it. */
  isHeldOut?: boolean
  /** The manager overrides the soft rules. */
  overrideReason?: string | null
  /** Why, for the history. */
  reason?: string
  /** Its letters wait for as long as the manager can undo it. */
  undoable?: boolean
  /** Another place, taken in the same change. */
  place?: Pick<AppointmentRow, 'municipality' | 'address'>
}

/** The reasons against a new time as committed now; empty: only the staffing changed, choose again. */
export type Against = { against: readonly Reason[] }

/**
 * Every change of an appointment's time passes here, but one that is undone (undo.ts): the assignee's day is locked and checked, the row is written with
 * its event, and the people concerned get a letter. The row is locked already, in a transaction that began with
 * `lockingStaffing`.
 */
export async function moveTo(
  tx: Tx,
  mover: Mover,
  held: AppointmentRow,
  to: NewTime,
  now: Date,
): Promise<AppointmentRow | Against> {
  if (to.because === 'wished') await refuseBraked(tx, held.customerId)
  const placement = placementAt(held, to)
  const against = await lockAndCheck(tx, to.staffing, placement, to.personId, now)
  if (!against || !maySetAside(mover, against, to)) return { against: against ?? [] }
  const moved = await written(tx, mover, held, to, against, now)
  if (moved.movedByCustomer > held.movedByCustomer)
    await countAct(tx, 'moves by account', held.customerId, now, to.staffing.settings.outward.movesPerDay)
  await happened(tx, appointmentMoved, { appointment: moved, now })
  const tell = to.undoable ? unlessUndone(moved) : withoutDelay
  await notify(tx, held, moved, tell)
  await enqueueFreedSlot(tx, held, tell)
  return moved
}

/** The place and time of a moved appointment for the engine, excluding itself. */
export const placementAt = (
  held: Pick<AppointmentRow, 'id' | 'service' | 'municipality' | 'minutes'>,
  { start, promised, place }: Pick<NewTime, 'start' | 'promised' | 'place'>,
): Placement => ({
  service: held.service,
  zone: zoneOf((place ?? held).municipality),
  start,
  without: held.id,
  ...(promised && { promised, minutes: held.minutes }),
})

const maySetAside = (mover: Mover, against: readonly Reason[], { isHeldOut, overrideReason }: NewTime) =>
  against.length === 0 ||
  (isHeldOut && against.every(isLearntLater)) ||
  (managesSchedule(mover) && Boolean(overrideReason) && !against.some(isHard))

async function written(
  tx: Tx,
  mover: Mover,
  held: AppointmentRow,
  to: NewTime,
  against: readonly Reason[],
  now: Date,
): Promise<AppointmentRow> {
  try {
    const set = changed(mover, held, to, against, now)
    return await transition(tx, mover, held, nameOf(held, to), now, set, traceOf(held, to, against))
  } catch (error) {
    if (databaseFault(error).code === '23P01') refuse('already-exists', taken(mover, held))
    throw error
  }
}

/** The assignee of a call is always shown. */
function nameOf({ assigneeId, service }: AppointmentRow, { confirmed, personId }: NewTime): MoveName {
  if (confirmed || service === 'videocall') return 'rescheduleTo'
  return personId === assigneeId ? 'reschedule' : 'rescheduleAnew'
}

/** A promised time keeps its duration; a new one takes the service's current duration. */
const lengthOf = ({ minutes, service }: AppointmentRow, { promised, staffing }: NewTime) =>
  promised ? minutes : staffing.settings.services[service].minutes

function changed(
  mover: Mover,
  held: AppointmentRow,
  to: NewTime,
  against: readonly Reason[],
  now: Date,
): AppointmentChange {
  const { personId, place, start } = to
  const stays = personId === held.assigneeId
  const isKnown = nameOf(held, to) === 'rescheduleTo'
  return {
    startsAt: toDate(start),
    minutes: lengthOf(held, to),
    assigneeId: personId,
    confirmedAt: (stays ? held.confirmedAt : null) ?? (isKnown ? now : null),
    overrideReason: against.length > 0 ? (to.overrideReason ?? null) : null,
    sequence: held.sequence + 1,
    timeSetAt: now,
    reminded24hAt: null,
    reminded2hAt: null,
    ...roomOfAnotherTime,
    ...countOf(mover, held, to),
    ...place,
  }
}

/** The room of the new time has no visitors and no wait yet. */
const roomOfAnotherTime = {
  customerWaitingSince: null,
  customerCameAt: null,
  takenOverAt: null,
  callBackAskedAt: null,
}

/** A move that its customer wished for counts neither as theirs nor as a disruption. */
function countOf(mover: Mover, held: AppointmentRow, { because }: NewTime): AppointmentChange {
  if (because === 'wished') return {}
  const byCustomer = !because && mover !== 'system' && mover.id === held.customerId
  return byCustomer ? { movedByCustomer: held.movedByCustomer + 1 } : { movedByUs: held.movedByUs + 1 }
}

function traceOf(held: AppointmentRow, to: NewTime, against: readonly Reason[]): TransitionTrace {
  const { because, overrideReason, personId, reason, staffing, start, undoable } = to
  const why = reason ?? (against.length > 0 ? overrideReason : undefined)
  return {
    settings: staffing.settings,
    ...(because && { free: true }),
    ...(why && { reason: why }),
    data: {
      from: held.assigneeId,
      assigneeId: personId,
      was: held.startsAt,
      startsAt: toDate(start),
      minutes: lengthOf(held, to),
      ...(against.length > 0 && { overridden: against.map(({ code }) => code) }),
      ...(undoable && beforeOf(held)),
    },
  }
}

const taken = (mover: Mover, { customerId }: AppointmentRow) =>
  mover !== 'system' && mover.id === customerId
    ? 'A esa hora ya tienes otra cita.'
    : 'A esa hora ya hay otra cita de esta persona o de su cliente.'

/** Notifies the customer of the new time; a confirmed assignee of the change, or of another assignee. */
async function notify(tx: Tx, held: AppointmentRow, moved: AppointmentRow, tell: Tell) {
  const about = {
    appointmentId: held.id,
    was: { startsAt: held.startsAt.toISOString(), zone: held.municipality },
  }
  await tell(tx, 'letter', { ...about, letter: 'changed', to: 'customer' })
  const before = held.confirmedAt && held.assigneeId
  const after = moved.confirmedAt && moved.assigneeId
  if (before && before !== after)
    await tell(tx, 'letter', { ...about, letter: 'no_person', to: 'person', personId: before })
  if (after)
    await tell(tx, 'letter', {
      ...about,
      letter: before === after ? 'changed' : 'assigned',
      to: 'person',
      personId: after,
    })
}
