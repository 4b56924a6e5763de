import { randomUUID } from 'node:crypto'
import type { RouterContextProvider } from 'react-router'
import { isUnderWarranty } from '../../domain/warranty.ts'
import { db } from '../../server/context.ts'
import { ownFaults } from '../../server/faults/queries.ts'
import { sheetFor } from '../../server/sheets/queries.ts'
import type { ShownAppointment } from '../appointments/appointment-card.tsx'
import { someone } from '../someone.ts'

export type Installed = NonNullable<Awaited<ReturnType<typeof ownInstalled>>>

/** What a customer's page shows of what was installed: the charger, its papers, its warranty and what was reported; null before. */
export async function ownInstalled(
  context: Readonly<RouterContextProvider>,
  past: readonly ShownAppointment[],
) {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  const done = past.find(({ outcome }) => outcome === 'completed')
  const sheet = done && (await sheetFor(database, actor, done.id))
  if (!sheet) return null
  const faults = await ownFaults(database, actor, sheet.appointmentId)
  const said = (name: string) => {
    const value = sheet.answers[name]?.value
    return typeof value === 'string' ? value : null
  }
  return {
    appointmentId: sheet.appointmentId,
    brand: said('chargerBrand'),
    model: said('chargerModel'),
    serial: said('chargerSerial'),
    files: sheet.files,
    isApproved: sheet.state === 'approved',
    warrantyUntil: sheet.warrantyUntil,
    mayReport: isUnderWarranty(sheet.warrantyUntil, now),
    faults,
    // Made here and kept by the forms: sent twice, it is one report and one photo.
    ids: { faultId: randomUUID(), photoId: randomUUID() },
  }
}
