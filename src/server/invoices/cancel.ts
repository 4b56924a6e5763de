import { and, eq, ne } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { seesToInvoices } from '../../domain/invoices/invoice.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { invoices } from '../platform/database/schema/payments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockInvoice, moveInvoice } from './sync-invoices.ts'

type Wish = { invoiceId: string; version: number; reason: string }

/** Takes a request back, or writes down that an issued invoice was cancelled at the SAT. Sent twice, it is one. */
export async function cancelInvoice(db: Db, actor: Actor, wish: Wish, now: Date): Promise<void> {
  if (!seesToInvoices(actor)) refuse('permission-denied')
  const customerId = await transaction(db, (tx) => cancel(tx, actor, wish, now))
  announce(db, { people: [customerId] })
}

async function cancel(
  tx: Tx,
  actor: Actor,
  { invoiceId, reason, version }: Wish,
  now: Date,
): Promise<string> {
  const held = await lockInvoice(tx, actor, invoiceId)
  const name = held.state === 'requested' ? 'drop' : 'cancel'
  if (held.state === 'cancelled' && held.cancelledBy === actor.id && held.cancelReason === reason)
    return held.customerId
  const wasIssued = held.state === 'issued'
  if (held.state === 'requested' && held.providerId && !held.providerError)
    refuse('failed-precondition', 'El proveedor ya la timbró. Cuando quede emitida podrás cancelarla.')
  if (wasIssued && (await hasFollowers(tx, invoiceId)))
    refuse('failed-precondition', 'Cancela antes sus complementos de pago y notas de crédito.')
  if (held.version !== version && held.state !== 'cancelled') refuse('aborted')
  await moveInvoice(tx, actor, held, name, { cancelledAt: now, cancelledBy: actor.id, cancelReason: reason })
  if (wasIssued) await enqueue(tx, 'letter', { letter: 'invoice_cancelled', invoiceId, to: 'customer' })
  return held.customerId
}

async function hasFollowers(tx: Tx, id: string): Promise<boolean> {
  const living = await tx
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(eq(invoices.relatesToId, id), ne(invoices.state, 'cancelled')))
    .limit(1)
  return living.length > 0
}
