import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { giveBack } from '../../payments/apply-ledger.ts'
import { nextFolio, type PaymentRow, type RefundRow, writeRefund } from '../../payments/rows.ts'
import { refundMachine, unpaidCheckoutStates } from '../../payments/rules/payment.ts'
import { type Db, isId, type Tx, transaction } from '../../platform/database/client.ts'
import { record } from '../../platform/database/lists.ts'
import { checkouts, payments, refunds } from '../../platform/database/schema/payments.ts'
import { announce } from '../../platform/live/announcements.ts'
import { log } from '../../platform/telemetry/log.ts'
import { lockProject } from '../../projects/open-project.ts'
import { fromEpochSeconds } from '../../shared/calendar.ts'
import { money } from '../../shared/format.ts'
import { type Cards, createOfficeTask, isRefusedByStripe, stripeFault } from './checkout-result.ts'
import { closeCheckout, lookAt, type Noted } from './checkout-sync.ts'

/**
 * Gives a card payment back the way it came, once a manager approved it; the job of that name runs it, again and again while
 * Stripe does not answer. What Stripe refuses waits for the manager again, with a task.
 */
export async function refundCharge(db: Db, cards: Cards, refundId: string, now: Date): Promise<void> {
  const approved = await approvedByCard(db, refundId)
  if (!approved) return
  const { intent, refund, source } = approved
  try {
    const made = await madeRefund(cards, intent, refund)
    await transaction(db, (tx) => noteRefunds(tx, [made], now))
  } catch (error) {
    if (!isRefusedByStripe(error)) throw error
    log.warn({ refund: refundId, code: stripeFault(error)?.code }, 'Stripe refused a refund')
    await transaction(db, (tx) => askForTransfer(tx, refund, source))
  }
  announce(db, { people: [refund.customerId] })
}

async function approvedByCard(db: Db, refundId: string) {
  const [found] = await db
    .select({ refund: refunds, source: payments })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.sourceId))
    .where(and(eq(refunds.id, refundId), eq(refunds.state, 'approved'), eq(refunds.method, 'card')))
  const intent = found?.source.cardReference
  return found && intent ? { ...found, intent } : null
}

/** One refund for each approval, however often it is asked for: Stripe's own keys are forgotten after a day, so it is looked for first. */
async function madeRefund(
  cards: Cards,
  intent: string,
  { amount, id, version }: RefundRow,
): Promise<Stripe.Refund> {
  const all = await refundsOf(cards, intent)
  const known = all.find((one) => one.metadata?.refund === id && !isFailed(one))
  if (known) return known
  const stripe = await cards.stripe()
  const asked = { payment_intent: intent, amount, metadata: { refund: id } }
  return stripe.refunds.create(asked, { idempotencyKey: `refund-${id}-${version}` })
}

const isFailed = ({ status }: Stripe.Refund) => status === 'failed' || status === 'canceled'

/** What was given back of a payment, as Stripe knows it. */
export async function refundsOf(cards: Cards, intent: string): Promise<Stripe.Refund[]> {
  const stripe = await cards.stripe()
  return (await stripe.refunds.list({ payment_intent: intent, limit: 100 })).data
}

/** It waits for the manager again, who sends it another way. */
async function askForTransfer(tx: Tx, { id, projectId }: RefundRow, source: PaymentRow): Promise<void> {
  await lockProject(tx, projectId)
  const held = await holdRefund(tx, id)
  if (!held || !refundMachine.can('reopen', 'system', held)) return
  const { amount, folio, state: fromState } = held
  const state = refundMachine.next('reopen', 'system', held)
  const undecided = { state, method: null, sourceId: null, decidedBy: null, decidedAt: null }
  await writeRefund(tx, held, undecided)
  await record(tx, {
    entity: 'refund',
    entityId: id,
    actorId: null,
    name: 'reopen',
    fromState,
    toState: state,
    data: { amount },
  })
  const subject = `Stripe no pudo devolver ${money(amount)} del reembolso ${folio}: apruébalo por transferencia`
  await createOfficeTask(tx, source, { subject, reason: 'card_refund' })
}

/** Records Stripe's refunds: a negative row for each, once, regardless of the requester. */
export async function noteRefunds(tx: Tx, given: readonly Stripe.Refund[], now: Date): Promise<Noted> {
  let noted: Noted = { outcome: 'no_news' }
  for (const refund of given)
    if (refund.status === 'succeeded' && refund.currency === 'mxn') {
      const customerId = await noteRefund(tx, refund, now)
      if (customerId) noted = { outcome: 'refunded', customerId }
    }
  return noted
}

async function noteRefund(tx: Tx, given: Stripe.Refund, now: Date): Promise<string | null> {
  const source = await sourceOf(tx, given)
  if (!source) return null
  await lockProject(tx, source.projectId)
  if (await paymentBy(tx, given.id)) return null
  const refund = (await askedFor(tx, given, source)) ?? (await madeElsewhere(tx, given, source, now))
  const paidAt = fromEpochSeconds(given.created)
  await giveBack(tx, refund, { method: 'card', paidAt, actorId: null, cardReference: given.id }, now)
  return source.customerId
}

const sourceOf = (tx: Tx, { payment_intent }: Stripe.Refund) => {
  const intent = typeof payment_intent === 'object' ? payment_intent?.id : payment_intent
  return intent ? paymentBy(tx, intent) : null
}

/** The refund that we asked Stripe for. */
async function askedFor(tx: Tx, given: Stripe.Refund, source: PaymentRow): Promise<RefundRow | null> {
  const row = await refundOf(tx, given, source)
  return row && refundMachine.can('pay', 'system', row) ? row : null
}

/** The refund that a Stripe refund belongs to, by our own id in it; its project's row is locked first. */
async function refundOf(
  tx: Tx,
  { amount, metadata }: Stripe.Refund,
  { projectId }: PaymentRow,
): Promise<RefundRow | null> {
  await lockProject(tx, projectId)
  const row = await holdRefund(tx, metadata?.refund ?? '')
  return row?.projectId === projectId && row.amount === amount ? row : null
}

async function holdRefund(tx: Tx, id: string): Promise<RefundRow | null> {
  const [row] = isId(id) ? await tx.select().from(refunds).where(eq(refunds.id, id)).for('update') : []
  return row ?? null
}

/** A refund made by hand on Stripe's own pages. */
async function madeElsewhere(
  tx: Tx,
  { amount, created }: Stripe.Refund,
  { customerId, id: sourceId, projectId, quoteId }: PaymentRow,
  now: Date,
): Promise<RefundRow> {
  const [made] = await tx
    .insert(refunds)
    .values({
      folio: nextFolio('REE', now),
      projectId,
      customerId,
      quoteId,
      sourceId,
      amount,
      state: 'paid',
      method: 'card',
      reason: 'Se devolvió desde Stripe.',
      decidedAt: fromEpochSeconds(created),
      paidAt: fromEpochSeconds(created),
    })
    .returning()
  return made!
}

/** A bank took no refund: the money is with us again, and its customer has to get it in another way. */
export async function noteFailedRefund(tx: Tx, given: Stripe.Refund): Promise<Noted> {
  const source = await sourceOf(tx, given)
  if (!source) return { outcome: 'unknown' }
  const asked = await refundOf(tx, given, source)
  if (asked?.state === 'approved') {
    await askForTransfer(tx, asked, source)
    return { outcome: 'reopened', customerId: source.customerId }
  }
  const subject = `El banco rechazó el reembolso de ${money(given.amount)} del pago ${source.folio}: págalo por SPEI`
  await createOfficeTask(tx, source, { subject, reason: 'card_refund' })
  return { outcome: 'task', customerId: source.customerId }
}

/** A customer disputed a charge: the office answers the bank at Stripe's pages, before its date. */
export async function noteDispute(tx: Tx, dispute: Stripe.Dispute): Promise<Noted> {
  const intent =
    typeof dispute.payment_intent === 'object' ? dispute.payment_intent?.id : dispute.payment_intent
  const payment = intent ? await paymentBy(tx, intent) : null
  if (!payment) return { outcome: 'unknown' }
  const due = dispute.evidence_details?.due_by
  await createOfficeTask(tx, payment, {
    subject: wordsOf(dispute, payment),
    reason: 'card_dispute',
    ...(due && { dueAt: fromEpochSeconds(due) }),
  })
  return { outcome: 'task', customerId: payment.customerId }
}

function wordsOf({ amount, status }: Stripe.Dispute, { folio }: PaymentRow): string {
  const of = `${money(amount)} del pago ${folio}`
  if (status === 'won') return `Contracargo ganado: nos quedamos con ${of}`
  if (status === 'lost') return `Contracargo perdido: el banco devolvió ${of}. Habla con el cliente`
  return `Contracargo de ${of}: responde en Stripe`
}

/** The payment that Stripe knows by a name. */
async function paymentBy(tx: Tx, reference: string): Promise<PaymentRow | null> {
  const [payment] = await tx.select().from(payments).where(eq(payments.cardReference, reference))
  return payment ?? null
}

const minute = 60_000

/** An event has come by then, or it won't. */
const after = 5 * minute
const atOnce = 50

/** Asks Stripe about everything that is under way and was not asked for lately: no payment hangs on an event. Answers how many. */
export async function reconcileCards(db: Db, cards: Cards, now: Date): Promise<number> {
  const pages = await pagesUnderWay(db, now)
  for (const { checkout, over } of pages)
    await patiently('checkout', checkout.id, () => (over ? closeCheckout : lookAt)(db, cards, checkout, now))
  const waiting = await refundsUnderWay(db, now)
  for (const { id } of waiting) await patiently('refund', id, () => refundCharge(db, cards, id, now))
  return pages.length + waiting.length
}

/** Pages that were not looked at for some minutes. `over`: what they ask for is not asked for any more. */
function pagesUnderWay(db: Db, now: Date) {
  const asked = sql<boolean>`${payments.state} = 'pending' and ${payments.amount} = ${checkouts.amount}`
  const before = new Date(now.getTime() - after)
  return db
    .select({
      checkout: checkouts,
      over: sql<boolean>`${checkouts.state} <> 'waiting'
        and (not (${asked}) or (${checkouts.session} is null and ${checkouts.expiresAt} < ${now}))`,
    })
    .from(checkouts)
    .innerJoin(payments, eq(payments.id, checkouts.paymentId))
    .where(
      and(
        inArray(checkouts.state, unpaidCheckoutStates),
        lt(sql`coalesce(${checkouts.lookedAt}, ${checkouts.createdAt})`, before),
      ),
    )
    .orderBy(sql`coalesce(${checkouts.lookedAt}, ${checkouts.createdAt})`)
    .limit(atOnce)
}

const refundsUnderWay = (db: Db, now: Date) =>
  db
    .select({ id: refunds.id })
    .from(refunds)
    .where(
      and(
        eq(refunds.method, 'card'),
        eq(refunds.state, 'approved'),
        lt(refunds.decidedAt, new Date(now.getTime() - after)),
      ),
    )
    .limit(atOnce)

/** One that Stripe fails does not keep the others waiting; the next round asks again. */
async function patiently(what: 'checkout' | 'refund', id: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!stripeFault(error)) throw error
    log.warn({ [what]: id, type: stripeFault(error)?.type }, 'Stripe request failed')
  }
}
