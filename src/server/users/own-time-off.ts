import { and, desc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { isPerformer } from '../../domain/appointments/appointment.ts'
import type { MinuteSpan } from '../../domain/scheduling/roster.ts'
import { toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { timeOffState } from '../../domain/users/staffing-change.ts'
import { type Db, isId, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { timeOff } from '../platform/database/schema/accounts.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockingAllStaffing } from '../scheduling/choose.ts'

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
  if (!isPerformer(actor.kind)) refuse('permission-denied')
  const during = duringOf(span, now)
  await transaction(
    db,
    async (tx) => {
      const [known] = await tx
        .select({ id: timeOff.id })
        .from(timeOff)
        .where(
          and(
            eq(timeOff.personId, actor.id),
            sql`${timeOff.refusedAt} is null and ${timeOff.withdrawnAt} is null and ${timeOff.during} && ${during}::tstzrange`,
          ),
        )
        .limit(1)
      if (known) refuse('already-exists', 'Ya tienes un permiso o una solicitud en esas fechas.')
      const [asked] = await tx
        .insert(timeOff)
        .values({ personId: actor.id, during, reason })
        .returning({ id: timeOff.id, ...timeOffBounds })
      const { id, ...data } = asked!
      await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'ask_time_off', data })
      await enqueue(tx, 'letter', { letter: 'time_off_asked', timeOffId: id, to: 'managers' })
    },
    // The roster's version changes with any absence, and open bookings are waited for.
    lockingAllStaffing,
  )
  announce(db, { people: [actor.id], desk: false })
}

/** Withdraws an unanswered request. */
export async function withdrawTimeOff(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  if (!isPerformer(actor.kind)) refuse('permission-denied')
  await transaction(
    db,
    async (tx) => {
      const isOwn = and(eq(timeOff.id, id), eq(timeOff.personId, actor.id))
      const [gone] = await tx
        .update(timeOff)
        .set({ withdrawnAt: now })
        .where(and(isOwn, isTimeOffOpen))
        .returning(timeOffBounds)
      if (!gone) {
        const [known] = isId(id) ? await tx.select({ id: timeOff.id }).from(timeOff).where(isOwn) : []
        return known
          ? refuse('failed-precondition', 'Ya te respondieron, o ya la retiraste.')
          : refuse('not-found')
      }
      const event = { name: 'withdraw_time_off', data: gone }
      await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, ...event })
    },
    lockingAllStaffing,
  )
  announce(db, { people: [actor.id], desk: false })
}

/** The start and end of an absence, the end excluded. */
export const timeOffBounds = {
  from: sql`lower(${timeOff.during})`.mapWith(timeOff.createdAt),
  to: sql`upper(${timeOff.during})`.mapWith(timeOff.createdAt),
}

/** Asked for, and neither answered nor withdrawn. */
export const isTimeOffOpen = sql`${timeOff.approvedAt} is null and ${timeOff.refusedAt} is null and ${timeOff.withdrawnAt} is null`

const farthest = 2 * 365 * 1440

/** A span as it is stored, or a refusal where it is over, or too far ahead. */
export function duringOf({ start, end }: MinuteSpan, now: Date): string {
  if (end <= toMinutes(now))
    refuse('invalid-argument', undefined, { errors: { to: 'Esas fechas ya pasaron.' } })
  const last = toMinutes(now) + farthest
  if (end > last)
    refuse('invalid-argument', undefined, {
      errors: { [start > last ? 'from' : 'to']: 'Elige una fecha dentro de los próximos dos años.' },
    })
  return `[${toDate(start).toISOString()},${toDate(end).toISOString()})`
}
