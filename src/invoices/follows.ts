import { and, eq, ne } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import type { PaymentRow } from '../payments/rows.ts'
import type { Tx } from '../platform/database/client.ts'
import { invoices } from '../platform/database/schema/payments.ts'
import { refuse } from '../shared/refusal.ts'
import { lockInvoice, moveInvoice } from './sync-invoices.ts'

type Reversal = { actor: Actor; payment: PaymentRow; reason: string; now: Date }

/** Cancels the invoices requested for a payment; refused where the SAT has one already: it is cancelled there first. */
export async function dropComplements(tx: Tx, { actor, now, payment, reason }: Reversal): Promise<void> {
  const living = await tx
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(eq(invoices.paymentId, payment.id), ne(invoices.state, 'cancelled')))
  for (const { id: invoiceId } of living) {
    const held = await lockInvoice(tx, actor, invoiceId)
    if (held.state === 'issued' || held.providerId)
      refuse(
        'failed-precondition',
        'Este pago ya tiene su complemento timbrado. Cancélalo antes de corregirlo.',
      )
    const by = { cancelledAt: now, cancelledBy: actor.id, cancelReason: reason }
    await moveInvoice(tx, actor, held, 'drop', by)
  }
}
