import { and, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../../../domain/access/actor.ts'
import { appointmentMachine } from '../../../domain/appointments/transitions.ts'
import { faultSlots, noShowSlot, slotsOf } from '../../../domain/reports/photos.ts'
import { sheetKindOf, sheetMachine } from '../../../domain/reports/report.ts'
import { refuse } from '../../../domain/shared/refusal.ts'
import { factsOf, type Held } from '../../appointments/appointments-changes.ts'
import { sheetFactsOf } from '../../reports/rows.ts'
import { takenFrom } from '../../reports/taken-from.ts'
import type { Tx } from '../database/database.ts'
import { faults, sheets } from '../database/schema/sheet-schema.ts'

type Place = { slot: string; faultId?: string | null }

/** Refuses whoever may not put a picture into a slot of a held appointment: each sort of slot by its own rule. */
export async function demandMayStore(
  tx: Tx,
  actor: Actor,
  held: Held,
  { faultId, slot }: Place,
  now: Date,
): Promise<void> {
  const kind = sheetKindOf[held.service]
  if (kind === null) refuse('invalid-argument', 'Esta cita no lleva fotos.')
  if (faultSlots.includes(slot)) return demandOwnFault(tx, actor, held, faultId)
  if (slot === noShowSlot) return void appointmentMachine.next('noShow', actor, factsOf(held), now)
  if (!slotsOf[kind].includes(slot)) refuse('invalid-argument', 'Esta cita no lleva esa foto.')
  await demandMayWrite(tx, actor, held)
}

/** Whoever writes its sheet, as long as it is written. */
async function demandMayWrite(tx: Tx, actor: Actor, held: Held) {
  const [sheet] = await tx
    .select({ state: sheets.state })
    .from(sheets)
    .where(eq(sheets.appointmentId, held.id))
  const facts = { ...sheetFactsOf(held, sheet ?? null), takenFrom: await takenFrom(tx, held, actor) }
  sheetMachine.next('write', actor, facts)
}

/** Of a fault its customer shows what fails, until it is closed. */
async function demandOwnFault(tx: Tx, actor: Actor, held: Held, faultId: string | null | undefined) {
  if (actor.role !== 'customer' || held.customerId !== actor.id) refuse('permission-denied')
  const [open] = await tx
    .select({ id: faults.id })
    .from(faults)
    .where(and(eq(faults.id, faultId ?? held.id), eq(faults.appointmentId, held.id), isNull(faults.closedAt)))
  if (!open) refuse('failed-precondition', 'Ese reporte de falla ya no está abierto.')
}
