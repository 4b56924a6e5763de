import { and, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import {
  type Db,
  databaseFault,
  isId,
  type Queryable,
  type Tx,
  transaction,
} from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { events, tasks } from '../platform/database/schema/projects.ts'
import { happened } from '../platform/follows.ts'
import { dropFollowing, followingWaits } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockProject } from '../projects/open-project.ts'
import { lockAndCheckNow, lockingStaffing } from '../scheduling/choose.ts'
import { currentStaffing, type Staffing, zoneOf } from '../scheduling/roster.ts'
import { blocksUndo, isHard } from '../scheduling/rules/eligibility.ts'
import { managesSchedule } from '../scheduling/rules/roster.ts'
import { toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { appointmentMoved } from './changes.ts'
import { type AppointmentState, affectedUserIds, isPerformer } from './rules/appointment.ts'
import type { MoveName } from './rules/transitions.ts'
import { type AppointmentChange, type AppointmentRow, lockAppointment, transition } from './transition.ts'
import { wishAgain } from './unverified.ts'

/** What a change that can be undone replaced. In its event dates are text. */
export const beforeOf = ({
  assigneeId,
  confirmedAt,
  minutes,
  movedByUs,
  overrideReason,
  reminded24hAt,
  reminded2hAt,
  startsAt,
  timeSetAt,
}: AppointmentRow) => ({
  before: {
    assigneeId,
    confirmedAt,
    minutes,
    movedByUs,
    overrideReason,
    reminded24hAt,
    reminded2hAt,
    startsAt,
    timeSetAt,
  },
})

type Before = ReturnType<typeof beforeOf>['before']
type AsText<Value> = Value extends Date ? string : Value
/** The same as an event keeps it. */
export type Kept = { [Name in keyof Before]: AsText<Before[Name]> }

/** The change as it was shown: the appointment, and the version that the change made. */
type Undoing = { id: string; version: number }

const tooLate = 'Los avisos ya salieron: cámbiala otra vez si hace falta.'
const changed = 'Alguien más la cambió después: mira cómo va.'
const taken = 'Otra cita tomó su lugar mientras tanto.'
const another = 'Su cliente ya tiene otra cita de ese servicio.'
const notWanted = 'Su proyecto cambió mientras tanto: agéndala otra vez si hace falta.'

/** A manager undoes their changes, and who carries appointments out the no-show that they said. */
const mayUndo = (actor: Actor) => managesSchedule(actor) || isPerformer(actor.kind)

/**
 * Puts an appointment back to where it was before a change of the actor's own, as long as its letters wait; they are
 * dropped. Refused where it changed since, or its place was taken. Sent twice, it is undone once.
 */
export async function undoChange(db: Db, actor: Actor, undoing: Undoing, now: Date): Promise<void> {
  if (!mayUndo(actor)) refuse('permission-denied')
  const staffing = await currentStaffing(db)
  const people = await transaction(
    db,
    async (tx) => {
      const held = await lockAppointment(tx, actor, undoing.id)
      const last = await lastEvent(tx, held.id)
      if (last?.actorId === actor.id && last.data?.undoes === undoing.version) return []
      if (held.version !== undoing.version) refuse('aborted', changed)
      if (last?.actorId !== actor.id || !last.data?.before) return refuse('failed-precondition', tooLate)
      if (!(await dropFollowing(tx, [undoing]))) refuse('failed-precondition', tooLate)
      const target = { before: revived(last.data.before), state: last.fromState }
      const moved =
        held.state === 'no_show'
          ? await putBackMissed(tx, actor, held, now)
          : await putBack(tx, actor, held, target, staffing, now)
      if (last.data.endedAt) await wishAgain(tx, held, last.data.endedAt)
      return [...affectedUserIds(held), ...affectedUserIds(moved)]
    },
    lockingStaffing,
  )
  announce(db, { people })
}

/** For how many seconds the actor can still undo the last change of an appointment they see; zero where they can't. */
export async function undoableFor(db: Db, actor: Actor, id: string): Promise<number> {
  if (!mayUndo(actor) || !isId(id)) return 0
  const [row] = await db
    .select({ version: appointments.version, last: lastOf })
    .from(appointments)
    .where(eq(appointments.id, id))
  return row?.last?.by === actor.id && row.last.before
    ? followingWaits(db, [{ id, version: row.version }])
    : 0
}

/** By whom the last change of an appointment was, and whether its event keeps what it replaced. */
const lastOf = sql<{ by: string | null; before: boolean } | null>`(
  select json_build_object('by', last.actor_id, 'before', jsonb_typeof(last.data -> 'before') = 'object') from events last
  where last.entity = 'appointment' and last.entity_id = appointments.id order by last.id desc limit 1)`

/** `endedAt`: when a cancellation ended what its customer wished for. */
type Trail = { before?: Kept; endedAt?: string; undoes?: number } | null

async function lastEvent(db: Queryable, id: string) {
  const [last] = await db
    .select({ actorId: events.actorId, data: events.data, fromState: events.fromState })
    .from(events)
    .where(and(eq(events.entity, 'appointment'), eq(events.entityId, id)))
    .orderBy(desc(events.id))
    .limit(1)
  return last && { ...last, fromState: last.fromState as AppointmentState, data: last.data as Trail }
}

const dateOf = (text: string | null) => (text === null ? null : new Date(text))

/** What an event keeps, as a row holds it. */
export const revived = ({
  confirmedAt,
  reminded24hAt,
  reminded2hAt,
  startsAt,
  timeSetAt,
  ...same
}: Kept): Before => ({
  ...same,
  confirmedAt: dateOf(confirmedAt),
  reminded24hAt: dateOf(reminded24hAt),
  reminded2hAt: dateOf(reminded2hAt),
  startsAt: new Date(startsAt),
  timeSetAt: new Date(timeSetAt),
})

type Target = { before: Before; state: AppointmentState }

/** The customer was there after all: the visit goes on, and the office has nothing to arrange. */
async function putBackMissed(tx: Tx, actor: Actor, held: AppointmentRow, now: Date) {
  await assertWanted(tx, held)
  const set = { closingReason: null, closingNote: null, finishedAt: null }
  const data = { undoes: held.version }
  const moved = await transition(tx, actor, held, 'undoNoShow', now, set, { data }).catch(refuseTaken)
  await tx
    .update(tasks)
    .set({ doneAt: now, takenBy: actor.id, result: 'Se deshizo.', version: sql`${tasks.version} + 1` })
    .where(and(eq(tasks.appointmentId, held.id), eq(tasks.reason, 'no_show'), isNull(tasks.doneAt)))
  return moved
}

async function putBack(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  { before, state }: Target,
  staffing: Staffing,
  now: Date,
): Promise<AppointmentRow> {
  await assertWanted(tx, held)
  await assertFree(tx, held, before, staffing, now)
  const moves = before.startsAt.getTime() !== held.startsAt.getTime()
  const open = { closingReason: null, closingNote: null }
  const set: AppointmentChange = { ...before, ...open, ...(moves && { sequence: held.sequence + 1 }) }
  const moved = await transition(tx, actor, held, moveBack(held, state, moves), now, set, {
    settings: staffing.settings,
    reason: 'Se deshizo el cambio',
    data: {
      from: held.assigneeId,
      assigneeId: before.assigneeId,
      ...(moves && { was: held.startsAt, startsAt: before.startsAt, minutes: before.minutes }),
      undoes: held.version,
    },
  }).catch(refuseTaken)
  if (moves) await happened(tx, appointmentMoved, { appointment: moved, now })
  return moved
}

function refuseTaken(error: unknown): never {
  const { code } = databaseFault(error)
  if (code === '23P01') return refuse('already-exists', taken)
  if (code === '23505') return refuse('already-exists', another)
  throw error
}

/** The ordinary move that leads back to a state. */
function moveBack(held: AppointmentRow, state: AppointmentState, moves: boolean): MoveName {
  if (held.state === 'cancelled') return 'undoCancel'
  if (moves) return state === 'assigned' ? 'rescheduleTo' : 'rescheduleAnew'
  if (state === 'requested') return 'release'
  return held.state === 'requested' ? 'assign' : 'reassign'
}

/**
 * Refuses to bring a cancelled appointment back once its project was closed, its customer left, or the quote it was to
 * carry out ended.
 */
async function assertWanted(tx: Tx, { customerId, projectId, service, state }: AppointmentRow) {
  if (state !== 'cancelled' && state !== 'no_show') return
  const { closedAt } = await lockProject(tx, projectId)
  const accepted = and(eq(quotes.projectId, projectId), eq(quotes.state, 'accepted'))
  const [customer] = await tx
    .select({ deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, customerId))
  const lacksQuote = service === 'installation' && (await tx.$count(quotes, accepted)) === 0
  if (closedAt || customer?.deletedAt || lacksQuote) refuse('failed-precondition', notWanted)
}

/** Whether another appointment of a person changed since this one did: else the rules against it held before. */
const hasNewer = async (tx: Tx, { id, updatedAt }: AppointmentRow, personId: string) =>
  (await tx.$count(
    appointments,
    and(
      eq(appointments.assigneeId, personId),
      ne(appointments.id, id),
      gt(appointments.updatedAt, updatedAt),
    ),
  )) > 0

/** Refuses where the person could not take the appointment back, their day being held. */
async function assertFree(tx: Tx, held: AppointmentRow, before: Before, staffing: Staffing, now: Date) {
  const { assigneeId, minutes, overrideReason, startsAt } = before
  if (assigneeId === null) return
  const placement = {
    service: held.service,
    zone: zoneOf(held.municipality),
    start: toMinutes(startsAt),
    without: held.id,
    promised: true,
    minutes,
  }
  const against = (await lockAndCheckNow(tx, staffing, placement, assigneeId, now)) ?? refuse('aborted')
  const blocking = against.filter((reason) => blocksUndo(reason, overrideReason !== null))
  if (blocking.some(isHard) || (blocking.length > 0 && (await hasNewer(tx, held, assigneeId))))
    refuse('already-exists', taken)
}
