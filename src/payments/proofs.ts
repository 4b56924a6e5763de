import { and, eq } from 'drizzle-orm'
import { type Actor, assertCustomer } from '../access/rules/actor.ts'
import {
  attach,
  dropPapers,
  keepPapers,
  paperMissing,
  type Taken,
  takeDocument,
} from '../documents/documents.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { documents, payments } from '../platform/database/schema/payments.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { lockProject } from '../projects/open-project.ts'
import { shownSettings } from '../settings/queries.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { syncCharges } from './apply-ledger.ts'
import { reopenDepositCharge } from './charges.ts'
import { isRecorded, recordPayment } from './record-payment.ts'
import { getPayment, ledgerFactsOf, lockPayment, type PaymentRow, updatePayment } from './rows.ts'
import type { BankCode } from './rules/banks.ts'
import {
  type Consequence,
  consequenceOf,
  consequenceWords,
  isSure,
  managesPayments,
  type OfficeMethod,
  paymentMachine,
  type Sure,
} from './rules/payment.ts'
import { assertFreeKey, keyOnce, type SameKey, sameKeysOf } from './tracking-keys.ts'

type PaymentProof = {
  paymentId: string
  version: number
  bank: BankCode
  trackingKey: string
  file: File | null
}

/** A customer sends the proof of a transfer for review. The same form sent twice is one proof. */
export const sendProof = (db: Db, drive: Drive, actor: Actor, proof: PaymentProof, now: Date) =>
  offerProof({ db, drive }, 'sendProof', actor, proof, now)

/**
 * A customer changes a proof that waits for its review; without a file its own stays. Once the office has decided, it
 * is refused; a reader of the former one in the office learns that it changed.
 */
export const replaceProof = (db: Db, drive: Drive, actor: Actor, proof: PaymentProof, now: Date) =>
  offerProof({ db, drive }, 'replaceProof', actor, proof, now)

type ProofMove = 'sendProof' | 'replaceProof'

async function offerProof(
  { db, drive }: { db: Db; drive: Drive },
  move: ProofMove,
  actor: Actor,
  proof: PaymentProof,
  now: Date,
): Promise<void> {
  const own = await ownPayment(db, actor, proof.paymentId)
  if (isSent(own, proof)) return
  paymentMachine.next(move, actor, own)
  const { spei } = await shownSettings(db)
  if (!spei.clabe)
    refuse('failed-precondition', 'Por ahora no recibimos transferencias. Pide ayuda y vemos cómo.')
  const { file } = proof
  if (!file && move === 'sendProof') paperMissing('payment_proof')
  // Checked before the file is stored, and again on the locked row.
  await assertVersion(db, actor, 'payment', own, proof.version)
  const { bank, trackingKey } = proof
  await assertFreeKey(db, { bank, trackingKey, exceptId: own.id, toOffice: false })
  const { customerId, projectId } = own
  const about = { purpose: 'payment_proof', customerId, projectId } as const
  const taken = file && (await takeDocument(db, drive, actor, { ...about, file }))
  const change = () =>
    transaction(db, async (tx) => {
      await lockProject(tx, projectId)
      await keep(tx, actor, await lockPayment(tx, own.id), { ...proof, move, taken }, now)
    })
  await keepPapers({ db, drive }, taken ? [taken] : [], now, change)
  announce(db, { people: [customerId, projectId] })
}

/** The form was processed: what it showed has changed since, to what it says. */
const isSent = (
  { bank, state, trackingKey, version }: PaymentRow,
  proof: Pick<PaymentProof, 'bank' | 'trackingKey' | 'version'>,
) =>
  (state === 'in_review' || state === 'paid') &&
  bank === proof.bank &&
  trackingKey === proof.trackingKey &&
  version > proof.version

async function ownPayment(db: Db, actor: Actor, id: string): Promise<PaymentRow> {
  assertCustomer(actor)
  const mine = and(eq(payments.id, id), eq(payments.customerId, actor.id))
  const [row] = await db.select().from(payments).where(mine)
  return row ?? refuse('not-found')
}

async function keep(
  tx: Tx,
  actor: Actor,
  held: PaymentRow,
  { move, taken, ...proof }: Omit<PaymentProof, 'file'> & { move: ProofMove; taken: Taken | null },
  now: Date,
): Promise<void> {
  if (isSent(held, proof)) return
  const state = paymentMachine.next(move, actor, held)
  await assertVersion(tx, actor, 'payment', held, proof.version)
  const { bank, trackingKey } = proof
  await assertFreeKey(tx, { bank, trackingKey, exceptId: held.id, toOffice: false })
  if (taken && held.proofId) await forgetProof(tx, held.proofId, now)
  const proofId = taken ? await attach(tx, taken) : held.proofId
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
    entity: 'payment',
    entityId: held.id,
    actorId: actor.id,
    name: move === 'sendProof' ? 'send_proof' : 'replace_proof',
    fromState: held.state,
    toState: state,
    data: { proofId },
  })
  if (move === 'replaceProof') return
  await enqueue(tx, 'letter', { letter: 'proof_received', paymentId: held.id, to: 'customer' })
  await enqueue(tx, 'letter', { letter: 'proof_received', paymentId: held.id, to: 'managers' })
}

/** Its bytes go from the drive after the transaction. */
const forgetProof = (tx: Tx, id: string, now: Date) =>
  tx.update(documents).set({ replacedAt: now }).where(eq(documents.id, id))

/** A customer takes a proof back that waits for its review: nothing of it is kept. The same form sent twice is one change. */
export async function takeBackProof(
  db: Db,
  drive: Drive,
  actor: Actor,
  { paymentId, version }: Seen,
  now: Date,
): Promise<void> {
  const { customerId, projectId } = await ownPayment(db, actor, paymentId)
  const change = () =>
    transaction(db, async (tx) => {
      await lockProject(tx, projectId)
      const held = await lockPayment(tx, paymentId)
      if (held.state !== 'in_review' && held.state !== 'paid' && held.version > version) return null
      const isOver = await isChargeOver(tx, held, now)
      const state = paymentMachine.next('takeBackProof', actor, { ...held, isOver })
      await assertVersion(tx, actor, 'payment', held, version)
      if (held.proofId) await forgetProof(tx, held.proofId, now)
      await withoutProof(tx, actor, held, state, 'take_back_proof', {}, now)
      return held.proofId
    })
  await dropPapers({ db, drive }, change)
  announce(db, { people: [customerId, projectId] })
}

/** Whether nothing asks for a charge any more once its proof is gone; a fee may count towards a quote by now. */
async function isChargeOver(tx: Tx, { expiresAt, feeOutcome, ...held }: PaymentRow, now: Date) {
  if (feeOutcome !== null || (expiresAt && expiresAt <= now)) return true
  return isOfEnded(held, (await ledgerFactsOf(tx, held.projectId)).accepted)
}

/** Whether its quote is no longer agreed on. */
const isOfEnded = ({ quoteId }: Pick<PaymentRow, 'quoteId'>, accepted: readonly { id: string }[]) =>
  quoteId !== null && !accepted.some(({ id }) => id === quoteId)

/** Writes a payment without its proof, and what is still asked for. */
async function withoutProof(
  tx: Tx,
  actor: Actor,
  held: PaymentRow,
  state: PaymentRow['state'],
  name: 'reject_proof' | 'take_back_proof',
  set: Partial<PaymentRow> & { rejectedReason?: string },
  now: Date,
): Promise<void> {
  const forgotten = { method: null, bank: null, trackingKey: null, proofId: null, proofSentAt: null }
  await updatePayment(tx, held, { state, ...forgotten, ...set })
  await record(tx, {
    entity: 'payment',
    entityId: held.id,
    actorId: actor.id,
    name,
    ...(set.rejectedReason && { reason: set.rejectedReason }),
    fromState: held.state,
    toState: state,
    data: { proofId: held.proofId },
  })
  // The proof stood for the deposit of a newer version, which is asked for now.
  const { accepted } = await ledgerFactsOf(tx, held.projectId)
  const deposit = isOfEnded(held, accepted) ? await reopenDepositCharge(tx, held.projectId, now) : null
  const isMailed = name === 'reject_proof'
  if (deposit && !isMailed)
    await enqueue(tx, 'letter', { letter: 'payment_due', paymentId: deposit.id, to: 'customer' })
  // The charge may have ended, or be lower by now.
  await syncCharges(tx, held.projectId, { reason: 'Se recibió más de lo que se debía.', isMailed }, now)
}

type Seen = { paymentId: string; version: number }
/** `amount` is null for exactly what was asked for. */
type Confirming = Seen & Sure & { amount: number | null; paidOn: Date }

/** The office confirms that a transfer arrived, with its amount. The same form sent twice is one payment. */
export async function confirmProof(db: Db, actor: Actor, input: Confirming, now: Date): Promise<void> {
  await reviewed(db, actor, input.paymentId, async (tx, held) => {
    if (isConfirmed(held, actor, input)) return
    paymentMachine.next('confirmProof', actor, held)
    await assertVersion(tx, actor, 'payment', held, input.version)
    const { paidOn: paidAt } = input
    const amount = input.amount ?? held.amount
    const { ledger } = await ledgerFactsOf(tx, held.projectId)
    const consequence = consequenceOf(amount, held.amount, ledger.owed)
    assertSure({ amount, used: await usesOf(tx, held.trackingKey, held.id), consequence }, input)
    const about = { projectId: held.projectId, paymentId: held.id, method: 'spei', reviewed: true } as const
    await recordPayment(tx, { ...about, amount, paidAt, actorId: actor.id }, now)
  })
}

const isConfirmed = ({ reviewedBy, state, version }: PaymentRow, { id }: Actor, input: Confirming) =>
  state === 'paid' && reviewedBy === id && version > input.version

/** The office rejects a proof with a reason: the customer may send another. */
export async function rejectProof(
  db: Db,
  actor: Actor,
  { paymentId, reason, version }: Seen & { reason: string },
  now: Date,
): Promise<void> {
  await reviewed(db, actor, paymentId, async (tx, held) => {
    if (held.state !== 'in_review' && held.rejectedReason === reason && held.reviewedBy === actor.id) return
    const isOver = await isChargeOver(tx, held, now)
    const state = paymentMachine.next('rejectProof', actor, { ...held, isOver })
    await assertVersion(tx, actor, 'payment', held, version)
    const { trackingKey } = held
    const rejectedKeys = [
      ...new Set([...held.rejectedKeys, ...(trackingKey ? [trackingKey.toUpperCase()] : [])]),
    ]
    const by = { reviewedBy: actor.id, reviewedAt: now, rejectedReason: reason, rejectedKeys }
    await withoutProof(tx, actor, held, state, 'reject_proof', by, now)
    await enqueue(tx, 'letter', { letter: 'proof_rejected', paymentId, to: 'customer' })
  })
}

async function reviewed(
  db: Db,
  actor: Actor,
  id: string,
  change: (tx: Tx, held: PaymentRow) => Promise<void>,
): Promise<void> {
  const { customerId, projectId } = await getPayment(db, actor, id)
  await transaction(db, async (tx) => {
    await lockProject(tx, projectId)
    await change(tx, await lockPayment(tx, id))
  })
  announce(db, { people: [customerId, projectId] })
}

type Recording = Sure & {
  projectId: string
  /** The charge that it pays; null for the balance. */
  paymentId: string | null
  amount: number
  method: OfficeMethod
  paidOn: Date
  bank: string | null
  trackingKey: string | null
  note: string | null
  /** Generated with the form: sent twice, it is one payment. */
  requestKey: string
}

/** The manager records cash, a terminal payment, or a transfer without a proof. Returns the payment's id. */
export async function recordOfficePayment(
  db: Db,
  actor: Actor,
  input: Recording,
  now: Date,
): Promise<string> {
  const { amount, bank, method, note, paidOn: paidAt, paymentId, projectId, requestKey, trackingKey } = input
  if (!managesPayments(actor)) refuse('permission-denied')
  const { customerId, id } = await transaction(db, async (tx) => {
    const project = await lockProject(tx, projectId)
    await assertMeant(tx, input)
    const by = { method, paidAt, note, bank, trackingKey, actorId: actor.id, requestKey }
    const { row } = await keyOnce(() => recordPayment(tx, { projectId, paymentId, amount, ...by }, now))
    return { customerId: project.customerId, id: row.id }
  })
  announce(db, { people: [customerId, projectId] })
  return id
}

/** Asks to confirm an unusual amount; not for a form that was processed already. */
async function assertMeant(tx: Tx, input: Recording): Promise<void> {
  if (await isRecorded(tx, input)) return
  const { ledger } = await ledgerFactsOf(tx, input.projectId)
  const demand = input.paymentId === null ? null : await lockPayment(tx, input.paymentId)
  const asked = demand && demand.state !== 'paid' && demand.state !== 'in_review' ? demand.amount : null
  const { amount, bank, trackingKey } = input
  const exceptId = demand?.id ?? null
  if (trackingKey) await assertFreeKey(tx, { bank, trackingKey, exceptId, toOffice: true })
  const used = await usesOf(tx, trackingKey, exceptId)
  assertSure({ amount, used, consequence: consequenceOf(amount, asked, ledger.owed) }, input)
}

/** The other payments with a key, of any bank, and those whose rejected proof had it. */
async function usesOf(tx: Tx, trackingKey: string | null, exceptId: string | null): Promise<UsedKey | null> {
  if (trackingKey === null) return null
  const [same = []] = (await sameKeysOf(tx, [{ id: exceptId ?? '', trackingKey }])).values()
  const by = same.filter(({ id }) => id !== exceptId)
  return {
    trackingKey,
    by: by.map(({ customer, folio, isRejected, to }) => ({ customer, folio, isRejected, to })),
  }
}

type UsedKey = { trackingKey: string; by: Pick<SameKey, 'customer' | 'folio' | 'isRejected' | 'to'>[] }

/** What a form has to confirm: an amount, `twice` by typing it again, and a key that other payments have. */
export type ToConfirm = { amount: number; twice: boolean; used: UsedKey | null }

type Doubts = {
  amount: number
  consequence: Consequence | null
  used?: UsedKey | null
  /** Whether the amount was typed; the bank's own is confirmed by a press. */
  isTyped?: boolean
}

/** Refuses a payment with an unconfirmed consequence, and states it; the form confirms by submitting again. */
export function assertSure({ amount, consequence, isTyped = true, ...doubts }: Doubts, sure: Sure): void {
  const used = doubts.used?.by.length ? doubts.used : null
  const isAmountSure =
    !consequence || isSure(consequence, amount, isTyped ? sure : { ...sure, again: sure.sure })
  if (isAmountSure && (!used || sure.sureKey === used.trackingKey)) return
  const twice = isTyped && consequence?.kind === 'over'
  const confirm: ToConfirm = { amount, twice, used }
  const isWrong = twice && !isAmountSure && sure.again !== null
  throw new Refusal('failed-precondition', {
    title: consequence ? 'Revisa la cantidad' : 'Revisa la clave de rastreo',
    description: [consequence && consequenceWords(consequence), used && usedWords(used)]
      .filter(Boolean)
      .join(' '),
    details: { confirm, ...(isWrong && { errors: { again: 'No es la misma cantidad.' } }) },
  })
}

function usedWords({ by, trackingKey }: UsedKey): string {
  const named = (isRejected: boolean) =>
    by
      .filter((one) => one.isRejected === isRejected)
      .map(({ customer, folio }) => `${folio}, de ${customer}`)
      .join('; ')
  const used = named(false)
  const rejected = named(true)
  return [
    used && `La clave ${trackingKey} ya se usó en ${used}.`,
    rejected && `La clave ${trackingKey} ya venía en un comprobante rechazado de ${rejected}.`,
    'Regístralo solo si es otro depósito.',
  ]
    .filter(Boolean)
    .join(' ')
}
