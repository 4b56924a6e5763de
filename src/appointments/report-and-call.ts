import { and, eq, isNull, sql } from 'drizzle-orm'
import { isOfKind } from '../accounts/people.ts'
import type { Queryable } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { callSittings, sheets } from '../platform/database/schema/appointments.ts'
import type { SheetState } from '../reports/rules/report.ts'

/** Whether a report waits for the office: sent, or returned to an author who left. */
export const waitsForOffice = sql`(${sheets.state} = 'submitted' or ${sheets.state} = 'returned' and not exists (
  select from users join appointments of_author on of_author.assignee_id = users.id
  where of_author.id = ${sheets.appointmentId} and ${isOfKind('tecnician')} and ${users.active}))`

/** The state of a report as others follow it: one that its author can't complete any more is the office's. */
export const reportTurn = sql<SheetState | null>`case when ${waitsForOffice} then 'submitted' else ${sheets.state} end`

/** The analysts who currently speak with a customer, whatever was planned; a kept place counts. */
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
