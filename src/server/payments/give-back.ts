import { eq } from 'drizzle-orm'
import type { PaymentMethod } from '../../domain/payments/payment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { payments, refunds } from '../platform/database/schema/money-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { followSums } from './follow.ts'
import type { RefundRow } from './propose.ts'
import { insertPayment, ledgerFactsOf, type PaymentRow } from './rows.ts'

export type GivingBack = {
  method: Extract<PaymentMethod, 'spei' | 'card'>
  paidAt: Date
  /** Null is a provider. */
  actorId: string | null
  proofId?: string | null
  /** The provider's own name of it: what has it already is this refund, and what it did is done. */
  cardReference?: string | null
}

/**
 * Writes that a refund was paid: a new negative row, and never more than we hold. The project's row and the refund's are
 * held, and whether it may be paid was asked.
 */
export async function giveBack(
  tx: Tx,
  refund: RefundRow,
  giving: GivingBack,
  now: Date,
): Promise<PaymentRow> {
  const { actorId, cardReference = null, method, paidAt, proofId = null } = giving
  const { amount, customerId, id, projectId, quoteId, state: fromState, version } = refund
  const known = cardReference && (await byReference(tx, cardReference))
  if (known) return known
  const { ledger } = await ledgerFactsOf(tx, projectId)
  if (amount > ledger.held && !cardReference)
    refuse('failed-precondition', 'Es más de lo que queda pagado. Revisa los reembolsos anteriores.')
  const about = { projectId, customerId, quoteId, refundId: id, concept: 'refund', state: 'paid' } as const
  const row = { ...about, method, amount: -amount, paidAt, proofId, cardReference, recordedBy: actorId }
  const made = await insertPayment(tx, row, now)
  const set = { state: 'paid', method, paidAt, proofId, version: version + 1 } as const
  await tx.update(refunds).set(set).where(eq(refunds.id, id))
  await record(tx, {
    ...{ entity: 'refund', entityId: id, actorId, name: 'pay', fromState, toState: 'paid' },
    data: { amount, method },
  })
  await enqueue(tx, 'letter', { letter: 'refund_paid', refundId: id, to: 'customer' })
  await followSums(tx, projectId, { reason: refund.reason, ...(quoteId && { quoteId }) }, now)
  return made
}

async function byReference(tx: Tx, reference: string): Promise<PaymentRow | null> {
  const [row] = await tx.select().from(payments).where(eq(payments.cardReference, reference))
  return row ?? null
}
