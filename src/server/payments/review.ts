import type { Actor } from '../../domain/access/actor.ts'
import { consequenceOf, paymentMachine, type Sure } from '../../domain/payments/payment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { followSums } from './follow.ts'
import { seenPayment } from './payments-queries.ts'
import { holdPayment, holdProject, ledgerFactsOf, type PaymentRow, updatePayment } from './rows.ts'
import { takePayment } from './settle.ts'
import { demandSure } from './sure.ts'

type Seen = { paymentId: string; version: number }
export type Confirming = Seen & Sure & { amount: number; paidOn: Date }

/** The office found a transfer in the account, of so much. The same form sent twice is one payment. */
export async function confirmProof(db: Db, actor: Actor, wish: Confirming, now: Date): Promise<void> {
  await reviewed(db, actor, wish.paymentId, async (tx, held) => {
    if (isConfirmed(held, actor, wish)) return
    if (held.state !== 'in_review') paymentMachine.next('rejectProof', actor, held)
    paymentMachine.next('confirm', actor, held)
    if (held.version !== wish.version) refuse('aborted')
    const { amount, paidOn: paidAt } = wish
    const { ledger } = await ledgerFactsOf(tx, held.projectId)
    demandSure(consequenceOf(amount, held.amount, ledger.owed), amount, wish)
    const about = { projectId: held.projectId, paymentId: held.id, method: 'spei', reviewed: true } as const
    await takePayment(tx, { ...about, amount, paidAt, actorId: actor.id }, now)
  })
}

const isConfirmed = ({ reviewedBy, state, version }: PaymentRow, { id }: Actor, wish: Confirming) =>
  state === 'paid' && reviewedBy === id && version > wish.version

/** The office did not find it, or it is somebody else's: its customer reads why, and sends another. */
export async function rejectProof(
  db: Db,
  actor: Actor,
  { paymentId, reason, version }: Seen & { reason: string },
  now: Date,
): Promise<void> {
  await reviewed(db, actor, paymentId, async (tx, held) => {
    if (held.state !== 'in_review' && held.rejectedReason === reason && held.reviewedBy === actor.id) return
    const back = paymentMachine.next('rejectProof', actor, held)
    if (held.version !== version) refuse('aborted')
    // A fee whose visit ended, or that went into a quote meanwhile, is asked for no more.
    const state = held.feeOutcome === null ? back : 'cancelled'
    const forgotten = { method: null, bank: null, trackingKey: null, proofId: null, proofSentAt: null }
    const by = { reviewedBy: actor.id, reviewedAt: now, rejectedReason: reason }
    await updatePayment(tx, held, { state, ...forgotten, ...by })
    const { proofId } = held
    await record(tx, {
      ...{ entity: 'payment', entityId: held.id, actorId: actor.id, name: 'reject_proof', reason },
      ...{ fromState: held.state, toState: state, data: { proofId } },
    })
    await enqueue(tx, 'letter', { letter: 'proof_rejected', paymentId, to: 'customer' })
    // What it was sent for may be over, or cost less by now.
    await followSums(tx, held.projectId, { reason: 'Se recibió más de lo que se debía.' }, now)
  })
}

async function reviewed(
  db: Db,
  actor: Actor,
  id: string,
  change: (tx: Tx, held: PaymentRow) => Promise<void>,
): Promise<void> {
  const { customerId, projectId } = await seenPayment(db, actor, id)
  await transaction(db, async (tx) => {
    await holdProject(tx, projectId)
    await change(tx, await holdPayment(tx, id))
  })
  announce(db, { people: [customerId, projectId] })
}
