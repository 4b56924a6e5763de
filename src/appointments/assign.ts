import { and, eq, sql } from 'drizzle-orm'
import { type Actor, isAnalyst, type Mover } from '../access/rules/actor.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { enqueue, type Tell, unlessUndone, withoutDelay } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { askToCallCustomer } from '../projects/open-project.ts'
import {
  candidates,
  lockAndCheckNow,
  lockingStaffing,
  type Placement,
  questionFor,
} from '../scheduling/choose.ts'
import { currentStaffing, type Staffing, zoneOf } from '../scheduling/roster.ts'
import { isException, isHard, type Reason, reasonWords, whyNot } from '../scheduling/rules/eligibility.ts'
import { managesSchedule } from '../scheduling/rules/roster.ts'
import { toMinutes } from '../shared/calendar.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { whoTalks } from './report-and-call.ts'
import { placementAt } from './reschedule.ts'
import { affectedUserIds, performers, serviceFacts } from './rules/appointment.ts'
import type { Assigning } from './rules/schema.ts'
import { appointmentMachine } from './rules/transitions.ts'
import { type AppointmentRow, factsOf, lockAppointment, transition } from './transition.ts'
import { beforeOf } from './undo.ts'

/** The place and time of an appointment for the engine, excluding itself. Its time is promised already. */
export const placementOf = (
  row: Pick<AppointmentRow, 'id' | 'service' | 'municipality' | 'startsAt' | 'minutes'>,
): Placement => ({
  service: row.service,
  zone: zoneOf(row.municipality),
  start: toMinutes(row.startsAt),
  without: row.id,
  promised: true,
  minutes: row.minutes,
})

/** `exceptionsOnly`: its reason sets no rule aside by which the person could not come in time. */
type Choice = Assigning & { exceptionsOnly?: boolean }

/**
 * The manager assigns an appointment to a person, provisionally or confirmed. Soft reasons may be overridden with a
 * written one; a busy, absent or inactive person cannot be chosen. `version` is the one the manager saw; the same form
 * sent twice assigns once.
 */
export async function assign(
  db: Db,
  actor: Actor,
  id: string,
  choice: Choice & { version: number },
  now: Date,
): Promise<AppointmentRow> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const staffing = await currentStaffing(db)
  const [before, moved] = await transaction(
    db,
    async (tx) => {
      const held = await lockAppointment(tx, actor, id)
      if (isDone(held, choice)) return [held, held] as const
      await assertVersion(tx, actor, 'appointment', held, choice.version)
      return [held, await give(tx, actor, held, choice, staffing, now)] as const
    },
    lockingStaffing,
  )
  announce(db, { people: [...affectedUserIds(before), ...affectedUserIds(moved)] })
  return moved
}

/**
 * Whether this very form was sent before: since the version it showed, nothing happened but what it requests, without a
 * change of the time.
 */
const isDone = (
  { assigneeId, confirmedAt, timeSetAt, version }: AppointmentRow,
  choice: Assigning & { version: number },
) =>
  version === choice.version + 1 &&
  confirmedAt !== null &&
  confirmedAt > timeSetAt &&
  assigneeId === choice.assigneeId

async function give(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  { assigneeId, exceptionsOnly, overrideReason }: Choice,
  staffing: Staffing,
  now: Date,
) {
  const against =
    (await lockAndCheckNow(tx, staffing, placementOf(held), assigneeId, now)) ?? refuse('aborted')
  assertOverridable(against, exceptionsOnly && !against.every(isException) ? null : overrideReason)
  const name = held.state === 'requested' ? 'assign' : 'reassign'
  const reason = against.length > 0 ? (overrideReason ?? undefined) : undefined
  const moved = await transition(
    tx,
    actor,
    held,
    name,
    now,
    { assigneeId, confirmedAt: now, overrideReason: reason ?? null, ...withoutDelayOf(held, assigneeId) },
    {
      ...(reason && { reason }),
      data: {
        from: held.assigneeId,
        assigneeId,
        ...(reason && { overridden: against.map(({ code }) => code) }),
        ...beforeOf(held),
      },
    },
  )
  await notifyAssigned(tx, held, moved, unlessUndone(moved))
  return moved
}

/** What its assignee said about their way goes with them. */
export const withoutDelayOf = ({ assigneeId: before }: Pick<AppointmentRow, 'assigneeId'>, after: string) =>
  before === after ? {} : { setOutAt: null, runningLateAt: null, runningLateMinutes: null }

/** Refuses a manager's choice against the rules: hard reasons always, soft ones unless a reason is written. */
export function assertOverridable(against: readonly Reason[], overrideReason: string | null | undefined) {
  const title = 'No se pudo asignar'
  if (against.some(isHard))
    throw new Refusal('failed-precondition', { title, description: `${inWords(against.filter(isHard))}.` })
  if (against.length > 0 && !overrideReason)
    throw new Refusal('failed-precondition', {
      title,
      description: `${inWords(against)}. Para hacerlo de todos modos, escribe el motivo.`,
      details: { errors: { overrideReason: 'Escribe por qué lo haces de todos modos.' } },
    })
}

const inWords = (reasons: readonly Reason[]) => reasons.map(reasonWords).join('; ')

type Person = Pick<AppointmentRow, 'id' | 'assigneeId' | 'confirmedAt'>

/**
 * After a confirmation: notifies the customer of the assignee, the assignee of the appointment, and a former assignee
 * of the loss.
 */
export async function notifyAssigned(
  tx: Tx,
  before: Person,
  after: Person,
  tell: Tell = withoutDelay,
): Promise<void> {
  const about = { letter: 'assigned', appointmentId: after.id } as const
  await tell(tx, 'letter', { ...about, to: 'customer' })
  if (after.assigneeId && knew(before) !== after.assigneeId)
    await tell(tx, 'letter', { ...about, to: 'person', personId: after.assigneeId })
  await notifyUnassigned(tx, before, after, tell)
}

/** Notifies a former, confirmed assignee that the appointment is no longer theirs. */
export async function notifyUnassigned(
  tx: Tx,
  before: Person,
  after: Person,
  tell: Tell = withoutDelay,
): Promise<void> {
  const personId = knew(before)
  if (personId && personId !== after.assigneeId)
    await tell(tx, 'letter', { letter: 'no_person', appointmentId: after.id, to: 'person', personId })
}

/** A provisional assignee was not notified. */
const knew = ({ assigneeId, confirmedAt }: Person) => (confirmedAt ? assigneeId : null)

/**
 * The manager removes a confirmed assignee; the customer is notified that another is sought. `version` is the one the
 * manager saw; the same form sent twice releases once.
 */
export async function releaseAssignee(
  db: Db,
  actor: Actor,
  id: string,
  { reason, version }: { reason: string; version: number },
  now: Date,
): Promise<AppointmentRow> {
  const [before, moved] = await transaction(
    db,
    async (tx) => {
      const held = await lockAppointment(tx, actor, id)
      if (isReleased(held) && held.version > version) return [held, held] as const
      await assertVersion(tx, actor, 'appointment', held, version)
      return [held, await releaseHeld(tx, actor, held, reason, now, true)] as const
    },
    lockingStaffing,
  )
  announce(db, { people: [...affectedUserIds(before), ...affectedUserIds(moved)] })
  return moved
}

const isReleased = ({ assigneeId, state }: AppointmentRow) => state === 'requested' && assigneeId === null

/**
 * Releases a locked appointment: without an assignee, to be assigned again by the manager or, in time, automatically.
 */
export async function releaseHeld(
  tx: Tx,
  mover: Mover,
  held: AppointmentRow,
  reason: string,
  now: Date,
  undoable = false,
  trace: object = {},
): Promise<AppointmentRow> {
  const set = {
    assigneeId: null,
    confirmedAt: null,
    overrideReason: null,
    setOutAt: null,
    runningLateAt: null,
    runningLateMinutes: null,
  }
  const moved = await transition(tx, mover, held, 'release', now, set, {
    reason,
    data: { from: held.assigneeId, assigneeId: null, ...(undoable && beforeOf(held)), ...trace },
  })
  const tell = undoable ? unlessUndone(moved) : withoutDelay
  await tell(tx, 'letter', { letter: 'no_person', appointmentId: held.id, to: 'customer' })
  if (mover === 'system' || mover.id !== held.assigneeId) await notifyUnassigned(tx, held, moved, tell)
  return moved
}

/** Its assignee can't arrive: the office finds another one, or calls its customer. */
export async function releaseOwnHeld(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  reason: string,
  at: Date,
  trace: object = {},
): Promise<AppointmentRow> {
  const moved = await releaseHeld(tx, actor, held, reason, at, false, trace)
  await enqueue(tx, 'letter', { letter: 'no_person', appointmentId: held.id, to: 'managers' })
  const subject = `${actor.name ?? 'Su técnico'} no puede llegar a ${held.folio}: ${reason}`
  await askToCallCustomer(tx, held, { subject, reason: 'cannot_arrive' })
  return moved
}

/** The same, by a form. */
export async function releaseOwn(db: Db, actor: Actor, id: string, reason: string, now: Date): Promise<void> {
  const people = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, id)
    const moved = await releaseOwnHeld(tx, actor, held, reason, now)
    return [...affectedUserIds(held), ...affectedUserIds(moved)]
  })
  announce(db, { people })
}

/**
 * Moves a provisional appointment to another person, or to none for now. Neither they nor the customer were notified
 * before, so no letter is sent.
 */
export async function replaceProvisional(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  assigneeId: string | null,
  reason: string,
): Promise<AppointmentRow> {
  const [moved] = await tx
    .update(appointments)
    .set({ assigneeId, version: sql`${appointments.version} + 1` })
    .where(and(eq(appointments.id, held.id), eq(appointments.state, 'requested')))
    .returning()
  if (!moved) return refuse('aborted')
  await record(tx, {
    entity: 'appointment',
    entityId: held.id,
    actorId: actor.id,
    name: 'replace_provisional',
    fromState: held.state,
    toState: moved.state,
    reason,
    data: { from: held.assigneeId, assigneeId },
  })
  return moved
}

/** The analyst who takes over a call (the manager's choice, or the acting analyst), and the version seen. */
type TakeOverRequest = { assigneeId: string | null; version: number }

/**
 * Another analyst takes over a call whose customer waits. The first request wins, a repeated one has no effect; never
 * an analyst who has another call at that time, or is still in one.
 */
export async function takeOverCall(
  db: Db,
  actor: Actor,
  id: string,
  request: TakeOverRequest,
  now: Date,
): Promise<AppointmentRow> {
  const staffing = await currentStaffing(db)
  const [before, moved] = await transaction(
    db,
    async (tx) => {
      const held = await lockAppointment(tx, actor, id)
      if (isMine(actor, held) && held.version > request.version) return [held, held] as const
      const facts = factsOf(held)
      if (appointmentMachine.transitions.takeOver.by(actor, facts) && held.version !== request.version)
        refuse('aborted', 'Alguien más ya la tomó, o cambió. Mira cómo va.')
      appointmentMachine.next('takeOver', actor, facts, now)
      return [held, await giveCall(tx, actor, held, request, staffing, now)] as const
    },
    lockingStaffing,
  )
  announce(db, { people: [...affectedUserIds(before), ...affectedUserIds(moved)] })
  return moved
}

const isMine = (actor: Actor, { assigneeId }: AppointmentRow) => isAnalyst(actor) && assigneeId === actor.id

async function giveCall(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  request: TakeOverRequest,
  staffing: Staffing,
  now: Date,
) {
  const assigneeId = isAnalyst(actor) ? actor.id : request.assigneeId
  if (!assigneeId)
    return refuse('invalid-argument', undefined, { errors: { assigneeId: 'Elige a una persona.' } })
  if (assigneeId === held.assigneeId) return refuse('failed-precondition', 'Esa persona ya la tiene.')
  const against =
    (await lockAndCheckNow(tx, staffing, placementOf(held), assigneeId, now)) ?? refuse('aborted')
  // A customer waits: reasons that a manager could override are overridden by that.
  const hard = against.filter(isHard)
  if (hard.length > 0) cannotTake(hard.map(reasonWords).join('; '))
  if ((await whoTalks(tx)).has(assigneeId)) cannotTake('todavía habla con otro cliente')
  // A call just taken over cannot be taken over again at once. The room records who waits in it.
  const set = { assigneeId, confirmedAt: now, takenOverAt: now, overrideReason: null }
  return transition(tx, actor, held, 'takeOver', now, set, { data: { from: held.assigneeId, assigneeId } })
}

function cannotTake(why: string): never {
  throw new Refusal('failed-precondition', {
    title: 'No se pudo asignar',
    description: `No puede tomarla: ${why}.`,
  })
}

/** The analysts who could take a call right now besides its assignee, the best first. */
export async function freeToTakeOver(
  db: Db,
  row: Pick<AppointmentRow, 'id' | 'service' | 'municipality' | 'startsAt' | 'minutes'> & {
    assignee: { id: string } | null
  },
  now: Date,
) {
  const [{ able, unable }, talking] = await Promise.all([assigneesFor(db, row, now), whoTalks(db)])
  return [...able, ...unable.filter(({ hard }) => !hard)]
    .filter(({ id }) => id !== row.assignee?.id && !talking.has(id))
    .map(({ id, name }) => ({ id, name }))
}

type Able = { id: string; name: string; addedTravel: number; load: number }
type Unable = { id: string; name: string; reasons: string[]; hard: boolean }

/**
 * The people who can take an appointment, the best first, and for the others of this kind the reasons why not: at its
 * time, or another.
 */
async function assigneesFor(
  db: Db,
  row: Pick<AppointmentRow, 'id' | 'service' | 'municipality' | 'startsAt' | 'minutes'>,
  now: Date,
  at: Date = row.startsAt,
) {
  const isItsOwn = at.getTime() === row.startsAt.getTime()
  const placement = isItsOwn ? placementOf(row) : placementAt(row, { start: toMinutes(at) })
  const question = await questionFor(db, placement, now)
  const { staffing, busy, ask } = question
  const able: Able[] = candidates(question, placement.start).map(({ id, person, addedTravel, load }) => ({
    id,
    name: staffing.people[person]?.name ?? '',
    addedTravel,
    load,
  }))
  const kind = performers.indexOf(serviceFacts[row.service].by)
  const can = new Set(able.map(({ id }) => id))
  const unable: Unable[] = staffing.people.flatMap(({ id, name }, person) => {
    if (can.has(id) || staffing.roster.kinds[person] !== kind) return []
    const reasons: Reason[] = whyNot(staffing.roster, busy, person, placement.start, ask)
    return [{ id, name, reasons: reasons.map(reasonWords), hard: reasons.some(isHard) }]
  })
  return { able, unable }
}
