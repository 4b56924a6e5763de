import type { RouterContextProvider } from 'react-router'
import { isSignature } from '../../domain/reports/photos.ts'
import type { Feasibility } from '../../domain/reports/visit-report.ts'
import { db } from '../../server/app/context.ts'
import { sheetFor } from '../../server/reports/queries.ts'
import type { ShownAppointment } from '../appointments/appointment-card.tsx'
import { requireActor } from '../lib/require-actor.ts'

export type OwnReport = NonNullable<Awaited<ReturnType<typeof ownReport>>>

/** What was found, as far as its customer reads it. */
const toldNames = [
  ...['supply', 'mainBreaker', 'groundOk', 'chargerDistance', 'route'],
  ...['chargerKilowatts', 'meterChoice', 'hours'],
] as const

/** The report of the last visit that was carried out to its end, in its customer's part; null before it was sent. */
export async function ownReport(context: Readonly<RouterContextProvider>, past: readonly ShownAppointment[]) {
  const done = past.find(({ outcome }) => outcome === 'completed')
  const sheet = done && (await sheetFor(context.get(db), requireActor(context), done.id))
  if (!sheet) return null
  const value = (name: string) => sheet.answers[name]?.value ?? null
  return {
    isReviewed: sheet.state === 'approved',
    told: Object.fromEntries(toldNames.map((name) => [name, value(name)])),
    feasibility: value('feasibility') as Feasibility | null,
    reason: value('feasibilityReason') as string | null,
    needs: {
      loadIncrease: value('loadIncrease') === true,
      needsUvie: value('needsUvie') === true,
      needsPermit: value('needsPermit') === true,
    },
    photos: sheet.files.filter(({ slot }) => !isSignature(slot)),
  }
}
