import { eq, isNotNull, sql } from 'drizzle-orm'
import { appointmentFacts, assignee, confirmedAssignee } from '../../appointments/visibility.ts'
import type { Db } from '../../platform/database/client.ts'
import { users, visitCards } from '../../platform/database/schema/accounts.ts'
import { appointments, calls, sheets } from '../../platform/database/schema/appointments.ts'
import { recipient } from '../email.ts'

/** What a letter about an appointment says of it, as it is now. */
export async function appointmentSnapshot(db: Db, id: string) {
  const [row] = await db
    .select({
      ...appointmentFacts,
      sequence: appointments.sequence,
      updatedAt: appointments.updatedAt,
      assigneeId: appointments.assigneeId,
      bookedAt: appointments.createdAt,
      isForCaller: isNotNull(appointments.bookedBy).mapWith(Boolean),
      confirmed: sql<boolean>`${appointments.confirmedAt} is not null`,
      performer: confirmedAssignee,
      car: { vehicle: visitCards.vehicle, colour: visitCards.colour, plates: visitCards.plates },
      outcome: appointments.outcome,
      closingReason: appointments.closingReason,
      closingNote: appointments.closingNote,
      late: appointments.late,
      nobodyCameAt: appointments.nobodyCameAt,
      summary: calls.summary,
      nextSteps: calls.nextSteps,
      nobodyCameAnswer: appointments.nobodyCameAnswer,
      sheetState: sheets.state,
      returnReason: sheets.returnReason,
      claimRefusal: sheets.claimRefusal,
      customer: recipient,
    })
    .from(appointments)
    .innerJoin(users, eq(users.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .leftJoin(visitCards, eq(visitCards.userId, appointments.assigneeId))
    .leftJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .leftJoin(calls, eq(calls.appointmentId, appointments.id))
    .where(eq(appointments.id, id))
  return row
}
