import { asc, eq } from 'drizzle-orm'
import type { Db } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { faults } from '../platform/database/schema/sheet-schema.ts'

/** The faults that somebody reported of their installations, in their own words; the photos stand among their pictures. */
export async function ownReportedFaults(db: Db, customerId: string) {
  const rows = await db
    .select({ fault: faults, folio: appointments.folio })
    .from(faults)
    .innerJoin(appointments, eq(appointments.id, faults.appointmentId))
    .where(eq(faults.customerId, customerId))
    .orderBy(asc(faults.createdAt), asc(faults.id))
  return rows.map(({ fault, folio }) => ({
    Folio: folio,
    'Lo que escribiste': fault.description,
    Reportada: fault.createdAt,
    Resuelta: fault.closedAt,
  }))
}
