import { and, eq, or } from 'drizzle-orm'
import { activeStates } from '../../domain/appointments/appointment.ts'
import type { Db } from '../platform/database/client.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { stateIn } from './own-day.ts'
import { affectedUserIds } from './transition.ts'

/** Whose screens show somebody's name and phone: those who have an appointment with that person, once they know of it. */
export async function contactsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select()
    .from(appointments)
    .where(
      and(
        or(eq(appointments.customerId, userId), eq(appointments.assigneeId, userId)),
        stateIn(activeStates),
      ),
    )
  return rows
    .filter(({ confirmedAt, customerId }) => confirmedAt !== null || customerId === userId)
    .flatMap(affectedUserIds)
}
