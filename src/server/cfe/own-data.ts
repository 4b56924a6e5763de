import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { caseKindLabels, caseStateFacts } from '../../domain/cfe/case.ts'
import { record } from '../platform/database/changes.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { cfeCases } from '../platform/database/schema/cfe-schema.ts'
import { updateCase } from './rows.ts'

/** Somebody's cases with CFE, in the words of what we hold about them; the files stand among their documents. */
export async function ownCases(db: Db, customerId: string) {
  const rows = await db
    .select()
    .from(cfeCases)
    .where(eq(cfeCases.customerId, customerId))
    .orderBy(asc(cfeCases.createdAt))
  return rows.map((row) => ({
    Folio: row.folio,
    Trámite: caseKindLabels[row.kind],
    Estado: caseStateFacts[row.state].label,
    'Titular del servicio': row.holderName,
    'Número de servicio de CFE': row.serviceNumber,
    'Número de medidor': row.meterNumber,
    'Folio de la solicitud en CFE': row.requestNumber,
    'Por qué': row.holdReason ?? row.reason,
    Abierto: row.createdAt,
    Ingresado: row.filedAt,
    Terminado: row.closedAt,
  }))
}

/**
 * Of somebody whose account goes, what their cases were stays, and nothing that tells whose: neither papers nor numbers.
 * Those that are open end, as there is nobody to ask or to answer.
 */
export async function forgetCases(tx: Tx, customerId: string, now: Date): Promise<void> {
  const open = await tx
    .select()
    .from(cfeCases)
    .where(and(eq(cfeCases.customerId, customerId), isNull(cfeCases.closedAt)))
    .orderBy(asc(cfeCases.id))
    .for('update')
  for (const row of open) {
    const over = { state: 'cancelled', heldFrom: null, closedAt: now } as const
    await updateCase(tx, row, { ...over, waitingOn: 'none', waitingSince: now, dueOn: null })
    await record(tx, {
      ...{ entity: 'cfe_case', entityId: row.id, name: 'cancel' },
      ...{ fromState: row.state, toState: over.state },
    })
  }
  await tx.execute(
    sql`delete from cfe_papers where case_id in (select id from cfe_cases where customer_id = ${customerId})`,
  )
  await tx.execute(sql`
    update cfe_cases set holder_name = null, service_number = null, meter_number = null, request_number = null,
      reason = null, hold_reason = null, version = version + 1
    where customer_id = ${customerId}`)
}
