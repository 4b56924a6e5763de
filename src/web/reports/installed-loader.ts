import { randomUUID } from 'node:crypto'
import type { RouterContextProvider } from 'react-router'
import { isUnderWarranty } from '../../domain/reports/warranty.ts'
import { db } from '../../server/app/context.ts'
import { completedInstallations } from '../../server/appointments/queries.ts'
import { ownFaults } from '../../server/reports/faults-queries.ts'
import { sheetFor } from '../../server/reports/queries.ts'
import { someone } from '../lib/someone.ts'

export type Installed = NonNullable<Awaited<ReturnType<typeof installedBy>>>

/** What a customer's page shows of each charger that was installed, of all projects, the newest first. */
export async function ownInstalled(context: Readonly<RouterContextProvider>): Promise<Installed[]> {
  const done = await completedInstallations(context.get(db), someone(context))
  const installed = await Promise.all(done.map((id) => installedBy(context, id)))
  return installed.filter((one) => one !== null)
}

/** A charger: its papers, its warranty and what was reported; null where nothing was written of it. */
async function installedBy(context: Readonly<RouterContextProvider>, appointmentId: string) {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  const sheet = await sheetFor(database, actor, appointmentId)
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
