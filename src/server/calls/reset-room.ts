import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../platform/database/client.ts'
import { callSittings, calls } from '../platform/database/schema/appointments.ts'

/** A call goes to another time: nobody is in the room of that yet, has met there, or waits. The row of the call is held. */
export async function resetRoom(tx: Tx, appointmentId: string, now: Date): Promise<void> {
  await tx
    .update(callSittings)
    .set({ leftAt: now, leftBecause: 'ended', connectionId: null })
    .where(and(eq(callSittings.appointmentId, appointmentId), isNull(callSittings.leftAt)))
  await tx
    .update(calls)
    .set({ metAt: null, keepsWaitingAt: null })
    .where(eq(calls.appointmentId, appointmentId))
}
