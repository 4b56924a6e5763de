import { and, or, sql } from 'drizzle-orm'
import { isOfKind } from '../accounts/people.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments, sheets } from '../platform/database/schema/appointments.ts'
import type { SheetState } from '../reports/rules/report.ts'

/** Whether a report waits for the office: sent, or returned to an author who left. */
export const waitsForOffice = sql`(${sheets.state} = 'submitted' or ${sheets.state} = 'returned' and not exists (
  select from users join appointments of_author on of_author.assignee_id = users.id
  where of_author.id = ${sheets.appointmentId} and ${isOfKind('tecnician')} and ${users.active}))`

/** The state of a report as others follow it: one that its author can't complete any more is the office's. */
export const reportTurn = sql<SheetState | null>`case when ${waitsForOffice} then 'submitted' else ${sheets.state} end`
