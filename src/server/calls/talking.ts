import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Queryable } from '../platform/database/client.ts'
import { callSittings } from '../platform/database/schema/appointments.ts'

/** Who speaks with a customer right now, whatever the plan said; a place that is kept counts. */
export async function whoTalks(db: Queryable): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ userId: callSittings.userId })
    .from(callSittings)
    .where(
      and(
        eq(callSittings.side, 'analyst'),
        isNull(callSittings.leftAt),
        sql`exists (select from call_sittings other where other.appointment_id = ${callSittings.appointmentId}
          and other.side = 'customer' and other.left_at is null)`,
      ),
    )
  return new Set(rows.map(({ userId }) => userId))
}
