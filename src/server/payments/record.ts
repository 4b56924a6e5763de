import type { Actor } from '../../domain/access/actor.ts'
import { consequenceOf, type PaymentMethod, type Sure } from '../../domain/payments/payment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { announce } from '../platform/live/announcements.ts'
import { keyOnce } from './proofs.ts'
import { holdPayment, holdProject, ledgerFactsOf } from './rows.ts'
import { isRecorded, takePayment } from './settle.ts'
import { demandSure } from './sure.ts'

export type Recording = Sure & {
  projectId: string
  /** What it pays; null goes to the balance. */
  paymentId: string | null
  amount: number
  method: Extract<PaymentMethod, 'cash' | 'terminal' | 'spei'>
  paidOn: Date
  bank: string | null
  trackingKey: string | null
  note: string | null
  /** Made with the form: sent twice, it is one payment. */
  requestKey: string
}

/** The manager writes down money that came by hand, by a terminal, or by a transfer that nobody told us of. */
export async function recordPayment(db: Db, actor: Actor, wish: Recording, now: Date): Promise<void> {
  const { amount, bank, method, note, paidOn: paidAt, paymentId, projectId, requestKey, trackingKey } = wish
  if (actor.kind !== 'manager') refuse('permission-denied')
  const { customerId } = await transaction(db, async (tx) => {
    const project = await holdProject(tx, projectId)
    await demandMeant(tx, wish)
    const by = { method, paidAt, note, bank, trackingKey, actorId: actor.id, requestKey }
    await keyOnce(() => takePayment(tx, { projectId, paymentId, amount, ...by }, now))
    return project
  })
  announce(db, { people: [customerId, projectId] })
}

/** Sent again, it was meant the first time. */
async function demandMeant(tx: Tx, wish: Recording): Promise<void> {
  if (await isRecorded(tx, wish)) return
  const { ledger } = await ledgerFactsOf(tx, wish.projectId)
  const demand = wish.paymentId === null ? null : await holdPayment(tx, wish.paymentId)
  const asked = demand && demand.state !== 'paid' && demand.state !== 'in_review' ? demand.amount : null
  demandSure(consequenceOf(wish.amount, asked, ledger.owed), wish.amount, wish)
}
