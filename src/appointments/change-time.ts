import { and, eq } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { isLeftWaiting } from '../calls/rules/room.ts'
import { type Db, isId, transaction } from '../platform/database/client.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { announce } from '../platform/live/announcements.ts'
import { candidates, lockingStaffing, questionFor, type SlotQuestion, tryBest } from '../scheduling/choose.ts'
import { deskTaker } from '../scheduling/desk-slots.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { managesSchedule } from '../scheduling/rules/roster.ts'
import { localDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { assertOverridable } from './assign.ts'
import { assertToCome, noOneLeft } from './book.ts'
import { moveTo, placementAt } from './reschedule.ts'
import { affectedUserIds } from './rules/appointment.ts'
import { type MissedStep, mayReportAgain, missedStepOf } from './rules/nobody-came.ts'
import { mayComeEarlier } from './rules/rules.ts'
import { appointmentMachine, changeRights } from './rules/transitions.ts'
import { type AppointmentRow, factsOf, lockAppointment } from './transition.ts'
import { visibleTo } from './visibility.ts'

/**
 * The new start; `version` is the one the form was shown with. The other fields are the manager's: the assignee, and
 * the reason.
 */
type TimeChangeRequest = {
  startsAt: Date
  version: number
  assigneeId?: string | null
  /** Whoever is chosen is confirmed at once. */
  confirm?: boolean
  reason?: string | null
  overrideReason?: string | null
}

/** Ends a series of lost attempts; so many in a row do not occur. */
const MAX_ATTEMPTS = 40

/**
 * Moves an appointment to another time. Its assignee stays when free then, else the best other one is chosen. The
 * customer chooses among the offered times; the manager may override soft rules with a written reason. The same form
 * sent twice is one change. Refuses with the three nearest free slots when no assignee is available.
 */
export async function changeTime(
  db: Db,
  actor: Actor,
  id: string,
  request: TimeChangeRequest,
  now: Date,
): Promise<AppointmentRow> {
  const start = toMinutes(request.startsAt)
  for (let losses = 0; losses < MAX_ATTEMPTS; ) {
    const row = await getAppointment(db, actor, id)
    if (isDone(row, request)) return row
    await assertVersion(db, actor, 'appointment', row, request.version)
    const question = await questionFor(db, placementAt(row, { start }), now)
    mayMove(actor, row, question, request, now)
    const chosen = choose(question, row, start, actor, request)
    if (!chosen) return await noOneLeft(db, { placement: placementAt(row, { start }) }, question, now)
    const outcome = await tryBest([chosen], localDate(start), start, () =>
      attempt(db, actor, row, request, question, chosen, now),
    )
    if (typeof outcome === 'object') {
      announce(db, { people: [...affectedUserIds(row), ...affectedUserIds(outcome)] })
      return outcome
    }
    if (outcome === 'lost') losses++
  }
  return refuse('unavailable', 'Mucha gente está agendando a la vez. Vuelve a intentarlo.')
}

/** Whether this very form was sent before: its answer was lost, or the button pressed twice. */
const isDone = (row: AppointmentRow, { startsAt, version }: TimeChangeRequest) =>
  row.version > version && row.startsAt.getTime() === startsAt.getTime()

/** Refuses before any search: by the state machine, or because the time is the same. */
function mayMove(
  actor: Actor,
  row: AppointmentRow,
  { staffing }: SlotQuestion,
  { startsAt }: TimeChangeRequest,
  now: Date,
) {
  appointmentMachine.next('reschedule', actor, factsOf(row, staffing.settings), now)
  if (row.startsAt.getTime() === startsAt.getTime())
    refuse('failed-precondition', 'La cita ya es a esa hora. Elige otra.')
  assertToCome(startsAt, now)
}

/** The assignee; `able` when the engine found them, so that another one may serve as well. */
type Chosen = { id: string; able: boolean }

/**
 * The person the manager named; else its own assignee if available, the best available one, or for a manager one with
 * only soft reasons against.
 */
function choose(
  question: SlotQuestion,
  row: AppointmentRow,
  start: number,
  actor: Actor,
  { assigneeId }: TimeChangeRequest,
): Chosen | undefined {
  if (managesSchedule(actor)) {
    if (assigneeId) return { id: assigneeId, able: false }
    const taker = deskTaker(question, start, { personId: null, preferredId: row.assigneeId })
    return taker ? { id: taker.id, able: taker.against.length === 0 } : undefined
  }
  const able = candidates(question, start)
  const best = able.find((one) => one.id === row.assigneeId) ?? able[0]
  return best && { id: best.id, able: true }
}

const attempt = (
  db: Db,
  actor: Actor,
  row: AppointmentRow,
  request: TimeChangeRequest,
  { staffing }: SlotQuestion,
  chosen: Chosen,
  now: Date,
): Promise<AppointmentRow | 'lost'> =>
  transaction(
    db,
    async (tx) => {
      const held = await lockAppointment(tx, actor, row.id)
      // Another user's change, or the same form's: the next attempt finds out.
      if (held.version !== row.version) return 'lost'
      const { assigneeId, confirm = false, overrideReason, reason, startsAt } = request
      const manages = managesSchedule(actor)
      const outcome = await moveTo(
        tx,
        actor,
        held,
        {
          start: toMinutes(startsAt),
          personId: chosen.id,
          staffing,
          ...(!manages && isLeftWaiting(factsOf(held), now) && { because: 'ours' }),
          ...(manages && {
            confirmed: confirm || Boolean(assigneeId),
            overrideReason: overrideReason ?? null,
            undoable: true,
          }),
          ...(manages && reason && { reason }),
        },
        now,
      )
      if (!('against' in outcome)) return outcome
      if (manages && !chosen.able) assertOverridable(outcome.against, overrideReason)
      return 'lost'
    },
    lockingStaffing,
  )

/** What a customer may still do about an appointment, and until when. */
export type AllowedActions = {
  id: string
  folio: string
  version: number
  startsAt: Date
  until: Date
  /** How many more times it may be moved. */
  left: number
  mayMove: boolean
  /** Why it cannot be moved, where the customer may ask. */
  whyNot: string | null
  mayCancel: boolean
  mayCancelLate: boolean
  /** Whether an earlier time could still be offered. */
  mayComeEarlier: boolean
  /** Whether a missing assignee can be reported now, and where an earlier report stands. */
  mayReport: boolean
  missed: MissedStep | null
}

export async function allowedActionsOf(db: Db, actor: Actor, id: string, now: Date): Promise<AllowedActions> {
  return (await ownAppointment(db, actor, id, now)).rights
}

/** One of a customer's appointments with their allowed actions. Another customer's does not exist. */
export async function ownAppointment(
  db: Db,
  actor: Actor,
  id: string,
  now: Date,
): Promise<{ row: AppointmentRow; rights: AllowedActions }> {
  const [row, { settings }] = await Promise.all([getAppointment(db, actor, id), currentStaffing(db)])
  const facts = factsOf(row, settings)
  const rights = {
    id,
    folio: row.folio,
    version: row.version,
    startsAt: row.startsAt,
    ...changeRights(row, settings),
    mayMove: appointmentMachine.can('reschedule', actor, facts, now),
    whyNot: appointmentMachine.blockedReason('reschedule', actor, facts, now),
    mayCancel: appointmentMachine.can('cancel', actor, facts, now),
    mayCancelLate: appointmentMachine.can('cancelLate', actor, facts, now),
    mayComeEarlier: mayComeEarlier(row, settings, now),
    mayReport: appointmentMachine.can('nobodyCame', actor, facts, now) && mayReportAgain(row, now),
    missed: missedStepOf(row),
  }
  return { row, rights }
}

/** An appointment as it stands, not held. For actors who may not see it, it does not exist. */
export async function getAppointment(db: Db, actor: Actor, id: string): Promise<AppointmentRow> {
  if (!isId(id)) refuse('not-found')
  const [row] = await db
    .select({ appointment: appointments })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .where(and(eq(appointments.id, id), visibleTo(actor)))
  return row?.appointment ?? refuse('not-found')
}
