import { and, desc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type Db, prepared } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { calls } from '../platform/database/schema/call-schema.ts'
import { sheets } from '../platform/database/schema/sheet-schema.ts'
import { answered, reportOf, whyNot } from './parts.ts'
import { assignee } from './people.ts'

const ofProject = prepared((db) =>
  db
    .select({
      id: appointments.id,
      folio: appointments.folio,
      service: appointments.service,
      state: appointments.state,
      startsAt: appointments.startsAt,
      minutes: appointments.minutes,
      municipality: appointments.municipality,
      assignee: sql<string | null>`nullif(${assignee.fullName}, '')`,
      confirmed: sql<boolean>`${appointments.confirmedAt} is not null`,
      interest: appointments.interest,
      outcome: appointments.outcome,
      closingReason: appointments.closingReason,
      closingNote: appointments.closingNote,
      version: appointments.version,
      since: appointments.updatedAt,
      address: appointments.address,
      startedAt: appointments.startedAt,
      customerWaitingSince: appointments.customerWaitingSince,
      customerCameAt: appointments.customerCameAt,
      callBackAskedAt: appointments.callBackAskedAt,
      takenOverAt: appointments.takenOverAt,
      keepsWaitingAt: calls.keepsWaitingAt,
      summary: calls.summary,
      nextSteps: calls.nextSteps,
      sheetState: sheets.state,
      sheetSince: sql<Date | null>`coalesce(${sheets.reviewedAt}, ${sheets.submittedAt})`.mapWith(
        sheets.submittedAt,
      ),
      feasibility: answered('feasibility'),
      feasibilityReason: answered('feasibilityReason'),
    })
    .from(appointments)
    .leftJoin(calls, eq(calls.appointmentId, appointments.id))
    .leftJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(
      and(
        eq(appointments.projectId, sql.placeholder('projectId')),
        eq(appointments.customerId, sql.placeholder('customerId')),
      ),
    )
    .orderBy(desc(appointments.startsAt))
    .prepare('appointments_of_project'),
)

/** A customer's appointments in a project, the latest first. Who is only provisionally chosen is not told. */
export async function appointmentsOfProject(db: Db, customerId: string, projectId: string) {
  const rows = await ofProject(db).execute({ customerId, projectId })
  return rows.map(({ feasibility, feasibilityReason, sheetSince, sheetState, ...row }) => ({
    ...row,
    assignee: row.confirmed ? row.assignee : null,
    report: reportOf(sheetState, sheetSince, whyNot(feasibility, feasibilityReason)),
  }))
}

/** A customer's installations that were carried out to the end, of all projects, the newest first. */
export async function completedInstallations(db: Db, { id }: Pick<Actor, 'id'>): Promise<string[]> {
  const rows = await db
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      and(
        eq(appointments.customerId, id),
        eq(appointments.service, 'installation'),
        eq(appointments.state, 'done'),
        eq(appointments.outcome, 'completed'),
      ),
    )
    .orderBy(desc(appointments.startsAt))
  return rows.map((row) => row.id)
}
