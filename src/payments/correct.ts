import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { bankLines, payments } from '../platform/database/schema/payments.ts'
import { events } from '../platform/database/schema/projects.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { followed, happened } from '../platform/follows.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockProject } from '../projects/open-project.ts'
import { localDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { syncCharges } from './apply-ledger.ts'
import { moveLine } from './bank-matching.ts'
import { addToCharge, createBalanceCharge, reopenDepositCharge } from './charges.ts'
import { assertSure } from './proofs.ts'
import { recordPayment } from './record-payment.ts'
import {
  getPayment,
  insertPayment,
  ledgerFactsOf,
  lockPayment,
  type PaymentRow,
  updatePayment,
} from './rows.ts'
import { isOwnCharge } from './rules/ledger.ts'
import {
  consequenceOf,
  correctable,
  countsAt,
  managesPayments,
  type OfficeMethod,
  type Sure,
} from './rules/payment.ts'
import { keyOnce } from './tracking-keys.ts'

export type Correcting = Sure & {
  paymentId: string
  version: number
  /** The amount really received, in centavos; zero for none. */
  amount: number
  /** The day and method that it really had; as they are recorded where left out. */
  paidOn?: Date | undefined
  method?: OfficeMethod | undefined
  reason: string
}

/**
 * The manager reverses a payment recorded by mistake, with all its rows, and records what was really received. Each
 * reversal is a row of its own; charges, the deposit, unapproved refunds and the bank line follow.
 */
export async function correctPayment(db: Db, actor: Actor, input: Correcting, now: Date): Promise<void> {
  const { customerId, projectId } = await getPayment(db, actor, input.paymentId)
  if (!managesPayments(actor)) refuse('permission-denied')
  await transaction(db, async (tx) => {
    await lockProject(tx, projectId)
    const held = await lockPayment(tx, input.paymentId)
    if (await isCorrected(tx, actor, held, input)) return
    assertCorrectable(held)
    await assertVersion(tx, actor, 'payment', held, input.version)
    const booked = await bookedWith(tx, held)
    const first = booked[0]!
    const isOnlyAmount = !isMoved(first, input)
    if (isOnlyAmount && input.amount === sumOf(booked)) {
      if (await wasCut(tx, actor, first, input)) return
      refuse('invalid-argument', same, { errors: { amount: same } })
    }
    // The first row is right: only its excess is wrong.
    const wrong = isOnlyAmount && input.amount === first.amount ? booked.slice(1) : booked
    for (const row of wrong) await takeBack(tx, actor, row, input.reason, now)
    if (wrong[0] === first) await bookAnew(tx, actor, first, input, now)
    await syncCharges(tx, projectId, { reason: 'Se corrigió un pago.', isMailed: true }, now)
    await assertHeld(tx, projectId)
    await enqueue(tx, 'letter', { letter: 'payment_corrected', paymentId: wrong[0]!.id, to: 'customer' })
  })
  announce(db, { people: [customerId, projectId] })
}

const same = 'Así está registrado. Cambia la cantidad, el día o la forma de pago.'
const dayOf = (at: Date) => localDate(toMinutes(at))
const isMoved = ({ method, paidAt }: PaymentRow, input: Correcting) =>
  (input.method !== undefined && input.method !== method) ||
  (input.paidOn !== undefined && dayOf(input.paidOn) !== dayOf(paidAt!))
const sumOf = (rows: readonly PaymentRow[]) => rows.reduce((sum, { amount }) => sum + amount, 0)

/** The same form sent twice is one correction. */
async function isCorrected(
  tx: Tx,
  { id }: Actor,
  held: PaymentRow,
  { reason }: Correcting,
): Promise<boolean> {
  if (!held.reversedAt) return false
  const [back] = await tx.select().from(payments).where(eq(payments.reversesId, held.id))
  return back?.recordedBy === id && back.note === reason
}

/** The same where the first row is right: its excess was reversed for the same reason. */
async function wasCut(tx: Tx, { id }: Actor, first: PaymentRow, { reason }: Correcting): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from payments back join payments excess on excess.id = back.reverses_id
    where excess.follows_id = ${first.id} and back.recorded_by = ${id} and back.note = ${reason}`)
  return rows.length > 0
}

function assertCorrectable(held: PaymentRow): void {
  if (held.reversedAt) refuse('failed-precondition', 'Este pago ya se corrigió.')
  if (held.method === 'card' || held.method === 'oxxo')
    refuse(
      'failed-precondition',
      'Lo que se paga con tarjeta o en OXXO lo dice Stripe. Si sobra, propón un reembolso.',
    )
  if (!correctable(held)) refuse('failed-precondition', 'Solo se corrige un pago que ya está registrado.')
}

/** The first row of a payment, and the rows of its excess. */
async function bookedWith(tx: Tx, held: PaymentRow): Promise<PaymentRow[]> {
  const isExcess = held.followsId !== null && held.trackingKey === null
  const [before] = isExcess
    ? await tx
        .select()
        .from(payments)
        .where(and(eq(payments.id, held.followsId!), isExcessOf(held)))
    : []
  const first = before ?? held
  const excess = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.followsId, first.id), isExcessOf(first), isNull(payments.trackingKey)))
    .orderBy(payments.createdAt, payments.id)
    .for('update')
  return [first, ...excess]
}

/** Recorded at the same moment, by the same method, and not reversed since. */
const isExcessOf = ({ method, paidAt }: PaymentRow) =>
  and(
    eq(payments.state, 'paid'),
    sql`${payments.method} = ${method} and ${payments.paidAt} = ${paidAt}`,
    isNull(payments.reversedAt),
    isNull(payments.reversesId),
    ne(payments.concept, 'refund'),
  )

/** A payment was recorded by mistake, and is about to be taken back. */
export const paymentReversed = followed<{ actor: Actor; payment: PaymentRow; reason: string; now: Date }>(
  'payment reversed',
)

async function takeBack(tx: Tx, actor: Actor, row: PaymentRow, reason: string, now: Date): Promise<void> {
  await happened(tx, paymentReversed, { actor, payment: row, reason, now })
  await updatePayment(tx, row, { reversedAt: now })
  const { concept, customerId, feeOutcome, id, method, paidAt, projectId, quoteId } = row
  const about = {
    projectId,
    customerId,
    quoteId,
    concept,
    feeOutcome,
    method,
    paidAt,
    countsAt: countsAt(row.countsAt ?? paidAt!, now) ?? row.countsAt,
    state: 'paid' as const,
  }
  const by = { recordedBy: actor.id, note: reason, reversesId: id }
  const back = await insertPayment(tx, { ...about, ...by, amount: -row.amount }, now)
  await record(tx, {
    entity: 'payment',
    entityId: id,
    actorId: actor.id,
    name: 'reverse',
    reason,
    fromState: 'paid',
    toState: 'paid',
    data: { amount: row.amount, by: back.folio },
  })
  const [line] = await tx.select().from(bankLines).where(eq(bankLines.paymentId, id)).for('update')
  if (line) await moveLine(tx, actor, line, line.state === 'settled' ? 'free' : 'untie', {}, now)
}

/** Reopens its charge, and records the amount really received as the same transfer. */
async function bookAnew(
  tx: Tx,
  actor: Actor,
  first: PaymentRow,
  input: Correcting,
  now: Date,
): Promise<void> {
  const demand = await askAgain(tx, first, now)
  if (input.amount === 0) return
  const { ledger } = await ledgerFactsOf(tx, first.projectId)
  const { amount } = input
  assertSure({ amount, consequence: consequenceOf(amount, demand?.amount ?? null, ledger.owed) }, input)
  const { bank, note, projectId, trackingKey } = first
  const method = input.method ?? first.method!
  const isSameDay = input.paidOn === undefined || dayOf(input.paidOn) === dayOf(first.paidAt!)
  const paidAt = isSameDay ? first.paidAt! : input.paidOn!
  // Only a transfer has them.
  const sent = method === 'spei' ? { bank, trackingKey } : {}
  const taking = { projectId, paymentId: demand?.id ?? null, amount: input.amount, actorId: actor.id }
  const when = { paidAt, countsAt: countsAt(paidAt, now) }
  await keyOnce(() => recordPayment(tx, { ...taking, method, ...when, ...sent, note, isMailed: true }, now))
}

async function askAgain(tx: Tx, row: PaymentRow, now: Date): Promise<PaymentRow | null> {
  const { appointmentId, concept, customerId, feeOutcome, id, projectId, quoteId } = row
  if (isOwnCharge(row) || concept === 'extra_work') {
    const about = { projectId, customerId, quoteId, appointmentId, feeOutcome, followsId: id }
    return addToCharge(tx, { ...about, concept, amount: row.amount }, now)
  }
  const deposit = await reopenDepositCharge(tx, projectId, now)
  if (await wasHandedOver(tx, projectId)) await createBalanceCharge(tx, projectId, now, { isMailed: true })
  if (deposit && concept !== 'balance') return deposit
  const open = and(eq(payments.concept, 'balance'), eq(payments.state, 'pending'))
  const [balance] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.projectId, projectId), open))
  return balance ?? null
}

/** Whether its balance was ever charged. */
async function wasHandedOver(tx: Tx, projectId: string): Promise<boolean> {
  const [asked] = await tx
    .select({ id: events.id })
    .from(events)
    .innerJoin(payments, eq(payments.id, events.entityId))
    .where(
      and(
        eq(events.entity, 'payment'),
        eq(events.name, 'demand'),
        eq(payments.projectId, projectId),
        eq(payments.concept, 'balance'),
      ),
    )
    .limit(1)
  return asked !== undefined
}

/** Refuses to reverse a payment that was refunded, or whose refund is approved. */
async function assertHeld(tx: Tx, projectId: string): Promise<void> {
  const { ledger } = await ledgerFactsOf(tx, projectId)
  if (ledger.held < ledger.promised)
    refuse(
      'failed-precondition',
      ledger.promised > 0
        ? 'Su reembolso ya está aprobado. Primero di que no procede, y luego corrige el pago.'
        : 'Ya se devolvió más de lo que quedaría pagado.',
    )
}
