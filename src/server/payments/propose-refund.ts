import { and, eq, sql } from 'drizzle-orm'
import { openRefundStates } from '../../domain/payments/payment.ts'
import type { Tx } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { refunds } from '../platform/database/schema/payments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { nextFolio } from './payments-rows.ts'

export type RefundRow = typeof refunds.$inferSelect

/** A project's refund that is asked for or approved, its row held; there is one at most. */
export async function lockOpenRefund(tx: Tx, projectId: string): Promise<RefundRow | null> {
  const open = sql`${refunds.state} in (${listed(openRefundStates)})`
  const [row] = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.projectId, projectId), open))
    .for('update')
  return row ?? null
}

export type Asking = {
  projectId: string
  customerId: string
  /** What there is too much of, in centavos. */
  amount: number
  reason: string
  quoteId?: string | null
  /** Null when the product proposes it. */
  requestedBy?: string | null
  clabe?: string | null
  beneficiary?: string | null
  accountAt?: Date
}

/** Writes a refund that is asked for, and tells its customer and the managers. */
export async function insertRefund(tx: Tx, asking: Asking, now: Date): Promise<RefundRow> {
  const [made] = await tx
    .insert(refunds)
    .values({ ...asking, folio: nextFolio('REE', now) })
    .returning()
  const { id, amount, reason, requestedBy } = made!
  await record(tx, {
    ...{ entity: 'refund', entityId: id, actorId: requestedBy, name: 'request', toState: 'requested' },
    ...{ reason, data: { amount } },
  })
  await enqueue(tx, 'letter', { letter: 'refund_requested', refundId: id, to: 'customer' })
  await enqueue(tx, 'letter', { letter: 'refund_requested', refundId: id, to: 'managers' })
  return made!
}

/**
 * Has a refund of what there is too much of. One that is asked for already becomes of that amount, or ends when nothing is
 * left; what was refused once is not proposed again.
 */
export async function proposeCredit(tx: Tx, asking: Asking, now: Date): Promise<void> {
  const open = await lockOpenRefund(tx, asking.projectId)
  if (open?.state === 'approved') return
  if (open) return adjust(tx, open, asking.amount, now)
  if (asking.amount > 0 && !(await wasRefused(tx, asking))) await insertRefund(tx, asking, now)
}

async function adjust(tx: Tx, { amount: before, id, version }: RefundRow, amount: number, now: Date) {
  if (before === amount) return
  const over = { state: 'refused', refusedReason: 'Ya no hay saldo a tu favor.', decidedAt: now } as const
  await tx
    .update(refunds)
    .set({ ...(amount > 0 ? { amount } : over), version: version + 1 })
    .where(eq(refunds.id, id))
  await record(tx, {
    ...{ entity: 'refund', entityId: id, actorId: null, name: amount > 0 ? 'adjust' : 'refuse' },
    ...{
      fromState: 'requested',
      toState: amount > 0 ? 'requested' : 'refused',
      data: { from: before, to: amount },
    },
  })
}

async function wasRefused(tx: Tx, { amount, projectId }: Asking): Promise<boolean> {
  const [last] = await tx
    .select({
      amount: sql<number>`${refunds.amount} + ${refunds.materials}`.mapWith(refunds.amount),
      ...{ decidedBy: refunds.decidedBy, state: refunds.state },
    })
    .from(refunds)
    .where(eq(refunds.projectId, projectId))
    .orderBy(sql`${refunds.createdAt} desc`)
    .limit(1)
  return last?.state === 'refused' && last.decidedBy !== null && last.amount >= amount
}
