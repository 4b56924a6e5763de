import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../platform/database/database.ts'
import { slotWishes } from '../platform/database/schema/appointment-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import type { Held } from './appointments-changes.ts'

/** Somebody's time is free again: once this commits, it is held out to whoever would come earlier. */
export const freed = (tx: Tx, { service, startsAt }: Pick<Held, 'service' | 'startsAt'>) =>
  enqueue(tx, 'offer-freed-slot', { service, startsAt: startsAt.toISOString() })

/** An appointment is over before its time: its slot is free, and nobody waits for an earlier one in its place. */
export async function freedForGood(tx: Tx, held: Held, now: Date) {
  await tx
    .update(slotWishes)
    .set({ endedAt: now, endedBecause: 'appointment_over' })
    .where(and(eq(slotWishes.appointmentId, held.id), isNull(slotWishes.endedAt)))
  await freed(tx, held)
}
