import { asc, eq } from 'drizzle-orm'
import { appointments } from '../database/appointment-schema.ts'
import type { Db } from '../database/database.ts'
import { faults } from '../database/sheet-schema.ts'

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
