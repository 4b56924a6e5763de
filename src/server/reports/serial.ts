import { eq } from 'drizzle-orm'
import type { Answers } from '../../domain/reports/report.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { databaseFault, type Tx } from '../platform/database/database.ts'
import { sheets } from '../platform/database/schema/sheet-schema.ts'

const text = (value: Answers[string]) => (typeof value === 'string' && value !== '' ? value : null)

/** Keeps which charger an installation has; one is installed once. */
export async function keepSerial(
  tx: Tx,
  appointmentId: string,
  { chargerBrand, chargerSerial }: Answers,
): Promise<void> {
  try {
    await tx
      .update(sheets)
      .set({ chargerBrand: text(chargerBrand), chargerSerial: text(chargerSerial) })
      .where(eq(sheets.appointmentId, appointmentId))
  } catch (error) {
    if (databaseFault(error).constraint !== 'sheets_serial_once') throw error
    const message = 'Ese número de serie ya está en otra instalación. Revisa la placa.'
    refuse('already-exists', message, { errors: { chargerSerial: message } })
  }
}
