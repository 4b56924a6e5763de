import { and, eq, sql } from 'drizzle-orm'
import type { Actor, Mover } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockingStaffing } from '../scheduling/choose.ts'
import { notifyUnassigned } from './assign.ts'
import { type AppointmentRow, affectedUserIds, lockAppointment, transition } from './transition.ts'

/** The manager takes a confirmed person off an appointment; its customer hears that somebody else is looked for. `version`
 * is the one the manager saw; the same form sent twice releases once. */
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
      if (held.version !== version) refuse('aborted')
      return [held, await releaseHeld(tx, actor, held, reason, now)] as const
    },
    lockingStaffing,
  )
  announce(db, { people: [...affectedUserIds(before), ...affectedUserIds(moved)] })
  return moved
}

const isReleased = ({ assigneeId, state }: AppointmentRow) => state === 'requested' && assigneeId === null

/** Releases a held appointment: nobody's, to be assigned again by the manager or, in time, by itself. */
export async function releaseHeld(
  tx: Tx,
  mover: Mover,
  held: AppointmentRow,
  reason: string,
  now: Date,
): Promise<AppointmentRow> {
  const set = { assigneeId: null, confirmedAt: null, overrideReason: null }
  const moved = await transition(tx, mover, held, 'release', now, set, {
    reason,
    data: { from: held.assigneeId, assigneeId: null },
  })
  await enqueue(tx, 'letter', { letter: 'no_person', appointmentId: held.id, to: 'customer' })
  await notifyUnassigned(tx, held, moved)
  return moved
}

/** Gives a provisional place to somebody else, or to nobody for now. Neither of them nor the customer knew, so no one hears. */
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
