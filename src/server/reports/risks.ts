import { and, eq, inArray } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { riskNames } from '../../domain/reports/installation-record.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import type { Tx } from '../platform/database/client.ts'
import { sheetAnswers, sheets } from '../platform/database/schema/appointments.ts'

/** An installation begins when every risk was looked at: those ticked before, and those ticked with the start, which are kept. */
export async function assertRisks(
  tx: Tx,
  { id: changedBy }: Actor,
  { id: appointmentId, service }: Pick<AppointmentRow, 'id' | 'service'>,
  ticked: readonly string[],
  now: Date,
): Promise<void> {
  if (service !== 'installation') return
  const ofIt = and(eq(sheetAnswers.appointmentId, appointmentId), inArray(sheetAnswers.name, [...riskNames]))
  const stored = await tx.select().from(sheetAnswers).where(ofIt)
  const isTicked = (name: string) => stored.some((one) => one.name === name && one.value === true)
  const open = riskNames.filter((name) => !isTicked(name) && !ticked.includes(name))
  if (open.length > 0)
    refuse('failed-precondition', 'Antes de empezar, marca toda la lista de seguridad.', {
      errors: Object.fromEntries(open.map((name) => [name, 'Falta marcarlo.'])),
    })
  const fresh = riskNames.filter((name) => !isTicked(name))
  if (fresh.length === 0) return
  await tx.insert(sheets).values({ appointmentId, kind: 'installation' }).onConflictDoNothing()
  await tx.delete(sheetAnswers).where(and(ofIt, inArray(sheetAnswers.name, fresh)))
  await tx.insert(sheetAnswers).values(
    fresh.map((name) => ({
      ...{ appointmentId, name, value: true, changedBy, changedAt: now },
      revision: (stored.find((one) => one.name === name)?.revision ?? 0) + 1,
    })),
  )
}
