import type { Actor } from '../../domain/access/actor.ts'
import { sheetMachine } from '../../domain/reports/report.ts'
import { theTime } from '../../domain/shared/format.ts'
import type { Held } from '../appointments/appointments-changes.ts'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { sheets } from '../platform/database/schema/sheet-schema.ts'
import { askToCallCustomer, claimReason } from '../projects/call-customer.ts'
import { refuseIncomplete } from './complete.ts'
import type { HeldSheet } from './rows.ts'

/**
 * Keeps a whole sheet that was handed in after its appointment was taken from its author, and asks the manager. Heard of again it
 * is the same claim, also after it was answered.
 */
export async function claim(tx: Tx, actor: Actor, sheet: HeldSheet, at: Date, now: Date): Promise<Held> {
  const { appointment, facts, row } = sheet
  if (row?.claimedBy === actor.id) return appointment
  sheetMachine.next('claim', actor, facts)
  refuseIncomplete(sheet)
  const fresh = { claimedAt: at, claimedBy: actor.id, claimAnsweredAt: null, claimRefusal: null }
  await tx
    .insert(sheets)
    .values({ appointmentId: appointment.id, kind: sheet.kind, ...fresh })
    .onConflictDoUpdate({
      target: sheets.appointmentId,
      set: { ...fresh, version: (row?.version ?? 0) + 1, updatedAt: now },
    })
  await record(tx, {
    ...{ entity: 'sheet', entityId: appointment.id, actorId: actor.id, name: 'claim' },
    ...{ fromState: facts.state, toState: facts.state, data: { pressedAt: at } },
  })
  const subject = `${actor.name ?? 'Su técnico'} hizo ${appointment.folio} y la firmó a ${theTime(at)}: ¿reabrir?`
  await askToCallCustomer(tx, appointment, { subject, reason: claimReason })
  return appointment
}
