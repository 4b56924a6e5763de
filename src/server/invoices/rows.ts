import { and, eq } from 'drizzle-orm'
import type { Mover } from '../../domain/access/actor.ts'
import type { Cfdi } from '../../domain/invoices/cfdi-schema.ts'
import { type InvoiceMoveName, invoiceMachine } from '../../domain/invoices/invoice.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { holdProject } from '../payments/rows.ts'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { invoices } from '../platform/database/schema/money-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { visibleInvoices } from './visible.ts'

export type InvoiceRow = Omit<typeof invoices.$inferSelect, 'request'> & { request: Cfdi }
type NewInvoice = Omit<typeof invoices.$inferInsert, 'request' | 'state'> & { request: Cfdi }

/** An invoice held until the transaction ends, its project before it. For whoever may not see it, it does not exist. */
export async function holdInvoice(tx: Tx, mover: Mover, id: string): Promise<InvoiceRow> {
  if (!isId(id)) refuse('not-found')
  const seen = mover === 'system' ? undefined : visibleInvoices(mover)
  const found = and(eq(invoices.id, id), seen)
  const [row] = await tx.select({ projectId: invoices.projectId }).from(invoices).where(found)
  if (!row) return refuse('not-found')
  await holdProject(tx, row.projectId)
  const [held] = await tx.select().from(invoices).where(found).for('update')
  return (held as InvoiceRow | undefined) ?? refuse('not-found')
}

/** Asks for an invoice: the row, the letter to who sees to it, and the job that stamps it where somebody is set up for that. */
export async function insertInvoice(tx: Tx, row: NewInvoice): Promise<void> {
  const [made] = await tx.insert(invoices).values(row).returning({ id: invoices.id })
  const invoiceId = made!.id
  await record(tx, {
    ...{ entity: 'invoice', entityId: invoiceId, actorId: row.requestedBy ?? null, name: 'request' },
    ...{ toState: 'requested', data: { kind: row.kind, total: row.total } },
  })
  await enqueue(tx, 'letter', { letter: 'invoice_requested', invoiceId, to: 'managers' })
  await enqueue(tx, 'stamp-invoice', { invoiceId })
}

/** Every change of an invoice's state passes here: ask the rules, write, leave a trace. */
export async function moveInvoice(
  tx: Tx,
  mover: Mover,
  { id, state, version }: InvoiceRow,
  name: InvoiceMoveName,
  set: Partial<typeof invoices.$inferInsert>,
): Promise<InvoiceRow> {
  const to = invoiceMachine.next(name, mover, { state })
  const [moved] = await tx
    .update(invoices)
    .set({ ...set, state: to, version: version + 1 })
    .where(eq(invoices.id, id))
    .returning()
  await record(tx, {
    ...{ entity: 'invoice', entityId: id, actorId: mover === 'system' ? null : mover.id, name },
    ...{ fromState: state, toState: to, reason: set.cancelReason ?? null },
  })
  return moved as InvoiceRow
}
