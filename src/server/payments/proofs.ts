import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { BankCode } from '../../domain/payments/banks.ts'
import { paymentMachine } from '../../domain/payments/payment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { attach, keepPapers, type Taken, takeDocument } from '../documents/intake.ts'
import { type Db, databaseFault, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { shownSettings } from '../settings/queries.ts'
import { lockPayment, lockProject, type PaymentRow, updatePayment } from './payments-rows.ts'
import { assertFreeKey, keyTaken } from './record-payment.ts'

export type PaymentProof = {
  paymentId: string
  version: number
  bank: BankCode
  trackingKey: string
  file: File | null
}

/** A customer says that they transferred, with the bank's paper: somebody looks at it. Sent again, it is the same one. */
export async function sendProof(
  db: Db,
  drive: Drive,
  actor: Actor,
  proof: PaymentProof,
  now: Date,
): Promise<void> {
  const own = await ownPayment(db, actor, proof.paymentId)
  if (isSent(own, proof)) return
  paymentMachine.next('sendProof', actor, own)
  const { spei } = await shownSettings(db)
  if (!spei.clabe)
    refuse('failed-precondition', 'Por ahora no recibimos transferencias. Pide ayuda y vemos cómo.')
  const chosen = 'Elige el comprobante de tu transferencia.'
  const file = proof.file ?? refuse('invalid-argument', undefined, { errors: { file: chosen } })
  // Asked before its bytes are kept, and again with the row held.
  if (own.version !== proof.version) refuse('aborted')
  const { bank, trackingKey } = proof
  await assertFreeKey(db, { bank, trackingKey, exceptId: own.id, toOffice: false })
  const { customerId, projectId } = own
  const taken = await takeDocument(db, drive, actor, {
    file,
    purpose: 'payment_proof',
    customerId,
    projectId,
  })
  const change = () =>
    transaction(db, async (tx) => {
      await lockProject(tx, projectId)
      await keep(tx, actor, await lockPayment(tx, own.id), { ...proof, taken }, now)
    })
  await keepPapers({ db, drive }, [taken], now, change)
  announce(db, { people: [customerId, projectId] })
}

const isSent = ({ bank, state, trackingKey }: PaymentRow, proof: Omit<PaymentProof, 'file'>) =>
  (state === 'in_review' || state === 'paid') && bank === proof.bank && trackingKey === proof.trackingKey

async function ownPayment(db: Db, actor: Actor, id: string): Promise<PaymentRow> {
  if (actor.role !== 'customer') refuse('permission-denied')
  const mine = and(eq(payments.id, id), eq(payments.customerId, actor.id))
  const [row] = await db.select().from(payments).where(mine)
  return row ?? refuse('not-found')
}

async function keep(
  tx: Tx,
  actor: Actor,
  held: PaymentRow,
  { taken, ...proof }: Omit<PaymentProof, 'file'> & { taken: Taken },
  now: Date,
): Promise<void> {
  if (isSent(held, proof)) return
  const state = paymentMachine.next('sendProof', actor, held)
  if (held.version !== proof.version) refuse('aborted')
  const { bank, trackingKey } = proof
  await assertFreeKey(tx, { bank, trackingKey, exceptId: held.id, toOffice: false })
  const proofId = await attach(tx, taken)
  const set = {
    state,
    method: 'spei',
    bank,
    trackingKey,
    proofId,
    proofSentAt: now,
    rejectedReason: null,
  } as const
  await keyOnce(() => updatePayment(tx, held, set))
  await record(tx, {
    ...{ entity: 'payment', entityId: held.id, actorId: actor.id, name: 'send_proof' },
    ...{ fromState: held.state, toState: state, data: { proofId } },
  })
  await enqueue(tx, 'letter', { letter: 'proof_received', paymentId: held.id, to: 'managers' })
}

/** A bank's transfer pays once: its key may be in one payment only. */
export async function keyOnce<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (databaseFault(error).constraint !== 'payments_tracking_key_once') throw error
    return refuse('already-exists', keyTaken, { errors: { trackingKey: keyTaken } })
  }
}
