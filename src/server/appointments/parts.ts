import { desc, eq, inArray, sql } from 'drizzle-orm'
import type { ProjectPart } from '../../domain/projects/project.ts'
import type { Queryable } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { sheets } from '../platform/database/schema/sheet-schema.ts'

/** What a sheet's answer to a question is, beside its appointment. */
export const answered = (name: 'feasibility' | 'feasibilityReason') => sql<string | null>`(
  select value #>> '{}' from sheet_answers where appointment_id = ${appointments.id} and name = ${sql.raw(`'${name}'`)})`

/** What the standing of some projects asks of their appointments, by project, the latest first. */
export async function partsOfProjects(
  db: Queryable,
  projectIds: readonly string[],
): Promise<Map<string, ProjectPart[]>> {
  const rows = await db
    .select({
      projectId: appointments.projectId,
      ...{ service: appointments.service, state: appointments.state, outcome: appointments.outcome },
      ...{ since: appointments.updatedAt, sheetState: sheets.state },
      sheetSince: sql<Date | null>`coalesce(${sheets.reviewedAt}, ${sheets.submittedAt})`.mapWith(
        sheets.submittedAt,
      ),
      feasibility: answered('feasibility'),
      reason: answered('feasibilityReason'),
    })
    .from(appointments)
    .leftJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .where(inArray(appointments.projectId, [...projectIds]))
    .orderBy(desc(appointments.startsAt))
  return Map.groupBy(
    rows.map(({ feasibility, reason, sheetSince, sheetState, ...part }) => ({
      ...part,
      report: reportOf(sheetState, sheetSince, whyNot(feasibility, reason)),
    })),
    ({ projectId }) => projectId,
  )
}

/** What a sheet says to others: what is still being written is nobody's yet. */
export const reportOf = (
  state: (typeof sheets.$inferSelect)['state'] | null,
  since: Date | null,
  notViable: string | null,
) => (state && state !== 'draft' && since ? { state, since, notViable } : null)

/** Why an installation is not possible as things are; null where it is. */
export const whyNot = (feasibility: string | null, reason: string | null) =>
  feasibility === 'not_viable' ? (reason ?? '') : null
