import { and, asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { assignee, customer, visibleTo } from '../appointments/own-day.ts'
import type { Db } from '../platform/database/client.ts'
import { appointments, sheets } from '../platform/database/schema/appointments.ts'

/** As many as somebody looks through at once; `total` counts all of them. */
const shownAtOnce = 20

/** The sheets that wait for the office, the longest wait first; null for whom that is no matter of. */
export async function sheetsToReview(db: Db, actor: Actor) {
  if (actor.kind !== 'manager' && actor.kind !== 'analyst') return null
  const rows = await listed(db)
    .where(eq(sheets.state, 'submitted'))
    .orderBy(asc(sheets.submittedAt))
    .limit(shownAtOnce)
  return { rows: rows.map(({ total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

/** What was given back to a technician, the longest wait first; null for everybody else. */
export async function returnedSheets(db: Db, actor: Actor) {
  if (actor.kind !== 'tecnician') return null
  const rows = await listed(db)
    .where(and(eq(sheets.state, 'returned'), eq(appointments.assigneeId, actor.id), visibleTo(actor)))
    .orderBy(asc(sheets.reviewedAt))
    .limit(shownAtOnce)
  return { rows: rows.map(({ total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

const listed = (db: Db) =>
  db
    .select({
      id: appointments.id,
      folio: appointments.folio,
      service: appointments.service,
      kind: sheets.kind,
      customer: customer.fullName,
      technician: assignee.fullName,
      submittedAt: sheets.submittedAt,
      reviewedAt: sheets.reviewedAt,
      /** Why it was given back, the last time it was. */
      returnReason: sheets.returnReason,
      total: sql<number>`count(*) over ()::int`,
    })
    .from(sheets)
    .innerJoin(appointments, eq(appointments.id, sheets.appointmentId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .$dynamic()
