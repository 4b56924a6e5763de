import { and, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { payments, refunds } from '../platform/database/schema/payments.ts'
import { events, projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { notifyReady } from '../projects/conditions.ts'
import { refuse } from '../shared/refusal.ts'
import {
  insertPayment,
  ledgerFactsOf,
  type PaymentRow,
  proposeCredit,
  type RefundRow,
  updatePayment,
} from './rows.ts'
import { chargesAfter, endReason } from './rules/ledger.ts'
import type { PaymentMethod } from './rules/payment.ts'

/**
 * Applies the ledger of a project whose row is locked: open charges ask for no more than is owed, the deposit is marked
 * as paid or not, the customer is notified once that the installation can be booked, and an excess is proposed as a
 * refund. `isMailed`: the caller's own e-mail says what follows.
 */
export async function syncCharges(
  tx: Tx,
  projectId: string,
  { isMailed = false, ...why }: { reason: string; quoteId?: string; isMailed?: boolean },
  now: Date,
): Promise<void> {
  const before = await ledgerFactsOf(tx, projectId)
  for (const [at, asked] of chargesAfter(before.facts).entries()) {
    const row = before.facts.rows[at]!
    if (asked === 0) await cancelChargeRows(tx, eq(payments.id, row.id), endReason(row, before.facts), now)
    else if (asked !== null && asked !== row.amount) await updatePayment(tx, row, { amount: asked })
  }
  const { credit, difference, quote } = before.ledger
  const project = await updateDepositPaid(tx, projectId, quote !== null && quote.depositDue === 0, now)
  if (difference > 0) await recordDifference(tx, projectId, difference)
  const asking = { projectId, customerId: project.customerId, amount: credit, isMailed, ...why }
  const isProposed = await proposeCredit(tx, asking, now)
  await notifyReady(tx, projectId, { isMailed: isMailed || isProposed })
}

/** Once for each amount that an account is closed with. */
async function recordDifference(tx: Tx, projectId: string, amount: number) {
  const [last] = await tx
    .select({ amount: sql<number>`(${events.data} -> 'amount')::int` })
    .from(events)
    .where(and(eq(events.entity, 'project'), eq(events.entityId, projectId), eq(events.name, difference)))
    .orderBy(desc(events.id))
    .limit(1)
  if (last?.amount === amount) return
  const event = { entity: 'project', entityId: projectId, actorId: null, name: difference } as const
  await record(tx, { ...event, data: { amount } })
}

const difference = 'close_difference'

async function updateDepositPaid(tx: Tx, id: string, isPaid: boolean, now: Date) {
  const paidAt = isPaid ? sql`coalesce(${projects.depositPaidAt}, ${now})` : null
  const [project] = await tx
    .update(projects)
    .set({ depositPaidAt: paidAt })
    .where(eq(projects.id, id))
    .returning()
  return project!
}

/** Ends charges that need not be paid any more; of one that expires a late proof is still taken. */
export async function cancelChargeRows(
  tx: Tx,
  which: ReturnType<typeof and>,
  reason: string,
  now: Date,
  toState: 'cancelled' | 'expired' = 'cancelled',
): Promise<void> {
  const ended = await tx
    .update(payments)
    .set({ state: toState, updatedAt: now, version: sql`${payments.version} + 1` })
    .where(which)
    .returning({ id: payments.id })
  for (const { id } of ended)
    await record(tx, {
      entity: 'payment',
      entityId: id,
      actorId: null,
      name: toState === 'expired' ? 'expire' : 'cancel',
      fromState: 'pending',
      toState,
      reason,
    })
}

type GivingBack = {
  method: Extract<PaymentMethod, 'spei' | 'card'>
  paidAt: Date
  /** Null for the card provider. */
  actorId: string | null
  proofId?: string | null
  /** The provider's reference: a payment that has it already is this refund, and nothing more is written. */
  cardReference?: string | null
}

/**
 * Records that a refund was paid, as a new negative row; refused for more than we hold. The caller has locked the rows of
 * the project and the refund, and asked the machine.
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
    entity: 'refund',
    entityId: id,
    actorId,
    name: 'pay',
    fromState,
    toState: 'paid',
    data: { amount, method },
  })
  await enqueue(tx, 'letter', { letter: 'refund_paid', refundId: id, to: 'customer' })
  const why = { reason: refund.reason, ...(quoteId && { quoteId }) }
  await syncCharges(tx, projectId, { ...why, isMailed: true }, now)
  return made
}

async function byReference(tx: Tx, reference: string): Promise<PaymentRow | null> {
  const [row] = await tx.select().from(payments).where(eq(payments.cardReference, reference))
  return row ?? null
}
