import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { clientTimestamp, isReplay, replayTrace } from '../appointments/replay.ts'
import { isPerformer } from '../appointments/rules/appointment.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { timeOff } from '../platform/database/schema/accounts.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockingAllStaffing } from '../scheduling/choose.ts'
import type { MinuteSpan } from '../scheduling/rules/roster.ts'
import { toDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { timeOffState } from './rules/staffing-change.ts'

/** A user's own time off with its state, the latest first; null for a user without appointments to carry out. */
export async function ownTimeOff(db: Db, actor: Actor) {
  if (!isPerformer(actor.kind)) return null
  const rows = await db
    .select({
      id: timeOff.id,
      ...timeOffBounds,
      reason: timeOff.reason,
      refusedReason: timeOff.refusedReason,
      approvedAt: timeOff.approvedAt,
      refusedAt: timeOff.refusedAt,
      withdrawnAt: timeOff.withdrawnAt,
    })
    .from(timeOff)
    .where(and(eq(timeOff.personId, actor.id), sql`upper(${timeOff.during}) > now() - interval '30 days'`))
    .orderBy(desc(sql`lower(${timeOff.during})`), desc(timeOff.id))
    .limit(30)
  return rows.map(({ approvedAt, refusedAt, withdrawnAt, ...row }) => ({
    ...row,
    state: timeOffState({ approvedAt, refusedAt, withdrawnAt }),
  }))
}

export type OwnTimeOff = NonNullable<Awaited<ReturnType<typeof ownTimeOff>>>[number]

/** Requests time off; it counts once a manager approves it. The reason may be private: it is in no event. */
export async function askTimeOff(
  db: Db,
  actor: Actor,
  { span, reason }: { span: MinuteSpan; reason: string },
  now: Date,
): Promise<void> {
  const during = duringOf(span, now)
  // The roster's version changes with any absence, and open bookings are waited for.
  await transaction(db, (tx) => askedHeld(tx, actor, { during, reason }), lockingAllStaffing)
  announce(db, { people: [actor.id], desk: false })
}

/** The same in a transaction that holds the staffing; the history also keeps `trace`. */
export async function askedHeld(
  tx: Tx,
  actor: Actor,
  { during, reason }: { during: string; reason: string },
  trace = {},
): Promise<void> {
  if (!isPerformer(actor.kind)) refuse('permission-denied')
  const [known] = await tx
    .select({ id: timeOff.id })
    .from(timeOff)
    .where(and(standing(actor), sql`${timeOff.during} && ${during}::tstzrange`))
    .limit(1)
  if (known)
    refuse(
      'already-exists',
      'Ya tienes un permiso o una solicitud en esas fechas. Elige otras, o retira esa.',
    )
  const [asked] = await tx
    .insert(timeOff)
    .values({ personId: actor.id, during, reason })
    .returning({ id: timeOff.id, ...timeOffBounds })
  const { id, ...bounds } = asked!
  const data = { ...bounds, ...trace }
  await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'ask_time_off', data })
  await enqueue(tx, 'letter', { letter: 'time_off_asked', timeOffId: id, to: 'managers' })
}

/** Of this person, neither refused nor withdrawn. */
const standing = ({ id }: Actor) =>
  and(eq(timeOff.personId, id), isNull(timeOff.refusedAt), isNull(timeOff.withdrawnAt))

/** Whether the same dates are asked for already, or approved. */
export async function hasAsked(tx: Tx, actor: Actor, during: string): Promise<boolean> {
  const isSame = and(standing(actor), sql`${timeOff.during} = ${during}::tstzrange`)
  return (await tx.select({ id: timeOff.id }).from(timeOff).where(isSame).limit(1)).length > 0
}

/** Withdraws an unanswered request. */
export async function withdrawTimeOff(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  await transaction(db, (tx) => withdrawnHeld(tx, actor, id, now), lockingAllStaffing)
  announce(db, { people: [actor.id], desk: false })
}

/** The same in a transaction that holds the staffing; `at` is when it was withdrawn, and the history keeps `trace`. */
export async function withdrawnHeld(tx: Tx, actor: Actor, id: string, at: Date, trace = {}): Promise<void> {
  if (!isPerformer(actor.kind)) refuse('permission-denied')
  const isOwn = own(actor, id)
  const [gone] = await tx
    .update(timeOff)
    .set({ withdrawnAt: at })
    .where(and(isOwn, isTimeOffOpen))
    .returning(timeOffBounds)
  if (!gone) {
    const [known] = isId(id) ? await tx.select({ id: timeOff.id }).from(timeOff).where(isOwn) : []
    return known
      ? refuse('failed-precondition', 'Ya te respondieron, o ya la retiraste.')
      : refuse('not-found')
  }
  const event = { name: 'withdraw_time_off', data: { ...gone, ...trace } }
  await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, ...event })
}

const own = (actor: Actor, id: string) => and(eq(timeOff.id, id), eq(timeOff.personId, actor.id))

/** Whether this person withdrew the request before. */
export async function hasWithdrawn(tx: Tx, actor: Actor, id: string): Promise<boolean> {
  const isGone = and(own(actor, id), isNotNull(timeOff.withdrawnAt))
  return (await tx.select({ id: timeOff.id }).from(timeOff).where(isGone)).length > 0
}

/** The start and end of an absence, the end excluded. */
export const timeOffBounds = {
  from: sql`lower(${timeOff.during})`.mapWith(timeOff.createdAt),
  to: sql`upper(${timeOff.during})`.mapWith(timeOff.createdAt),
}

/** Asked for, and neither answered nor withdrawn. */
export const isTimeOffOpen = sql`${timeOff.approvedAt} is null and ${timeOff.refusedAt} is null and ${timeOff.withdrawnAt} is null`

const farthest = 2 * 365 * 1440
const areOver = 'Esas fechas ya pasaron.'
const tooFar = 'Elige una fecha dentro de los próximos dos años.'

/** A span as it is stored, or a refusal where it is over, or too far ahead. */
export function duringOf({ start, end }: MinuteSpan, now: Date): string {
  if (end <= toMinutes(now)) refuse('invalid-argument', areOver, { errors: { to: areOver } })
  const last = toMinutes(now) + farthest
  if (end > last) refuse('invalid-argument', tooFar, { errors: { [start > last ? 'from' : 'to']: tooFar } })
  return `[${toDate(start).toISOString()},${toDate(end).toISOString()})`
}

type PressedTimeOff = { at: Date } & (
  | { move: 'askTimeOff'; form: { span: MinuteSpan; reason: string } }
  | { move: 'withdrawTimeOff'; form: { timeOffId: string } }
)

/**
 * Time off asked for or withdrawn without a network, judged by the time it was pressed. Received twice, it is one; nothing
 * is done where another phone of the same person asked for the same dates, or withdrew the same request.
 */
export async function replayTimeOff(db: Db, actor: Actor, pressed: PressedTimeOff, now: Date): Promise<void> {
  const at = clientTimestamp(pressed.at, now)
  const trace = replayTrace(pressed.at, at)
  const isHeard = (tx: Tx, name: string) => isReplay(tx, 'user', actor.id, name, actor.id, pressed.at)
  await transaction(
    db,
    async (tx) => {
      if (pressed.move === 'askTimeOff') {
        const during = duringOf(pressed.form.span, at)
        if ((await isHeard(tx, 'ask_time_off')) || (await hasAsked(tx, actor, during))) return
        await askedHeld(tx, actor, { during, reason: pressed.form.reason }, trace)
      } else if (!(await hasWithdrawn(tx, actor, pressed.form.timeOffId)))
        await withdrawnHeld(tx, actor, pressed.form.timeOffId, at, trace)
    },
    lockingAllStaffing,
  )
  announce(db, { people: [actor.id], desk: false })
}
