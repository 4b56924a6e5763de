import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { recordPayment } from '../../payments/record-payment.ts'
import { lockPayment, type PaymentRow, updatePayment } from '../../payments/rows.ts'
import { type CheckoutNews, checkoutMachine } from '../../payments/rules/payment.ts'
import { type Db, type Tx, transaction } from '../../platform/database/client.ts'
import { checkouts, payments } from '../../platform/database/schema/payments.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { announce } from '../../platform/live/announcements.ts'
import { lockProject } from '../../projects/open-project.ts'
import { money } from '../../shared/format.ts'
import {
  type Cards,
  type Checkout,
  type CheckoutResult,
  checkoutResultOf,
  createOfficeTask,
  isRefusedByStripe,
  withPayment,
} from './checkout-result.ts'

/** The outcome of a Stripe event: a word for the record, and the customer whose screens change. */
export type Noted = { outcome: string; customerId?: string }

/** Records what Stripe says of a page, whether it says so once, twice or late: what is no news changes nothing. */
export async function applyCheckoutResult(tx: Tx, told: CheckoutResult, now: Date): Promise<Noted> {
  const held = await holdCheckout(tx, told)
  if (!held) return { outcome: 'unknown' }
  const { checkout, payment } = held
  if (!told.news || !checkoutMachine.can(told.news, 'system', checkout)) return { outcome: 'no_news' }
  const state = checkoutMachine.next(told.news, 'system', checkout)
  await tx
    .update(checkouts)
    .set({
      state,
      session: told.session,
      intent: told.intent ?? checkout.intent,
      ...(told.voucher && { url: told.voucher.url }),
      version: checkout.version + 1,
    })
    .where(eq(checkouts.id, checkout.id))
  await consequences[told.news](tx, held, told, now)
  return { outcome: state, customerId: payment.customerId }
}

type Held = { checkout: Checkout; payment: PaymentRow }

const consequences: Record<
  CheckoutNews,
  (tx: Tx, held: Held, told: CheckoutResult, now: Date) => Promise<void>
> = {
  pay: takeMoney,
  wait: (tx, { payment }, { voucher }) => waitForVoucher(tx, payment, voucher),
  fail: (tx, { payment }) => endVoucher(tx, payment),
  expire: async () => undefined,
}

/** The project's row first, then the payment's, then the page's. By our own name of it where Stripe was faster than its answer. */
async function holdCheckout(tx: Tx, { checkout, session }: CheckoutResult): Promise<Held | null> {
  const { rows } = await tx.$client.query<{ id: string; payment_id: string; project_id: string }>({
    name: 'find_checkout',
    text: `select checkouts.id, payment_id, project_id from checkouts join payments on payments.id = payment_id
      where session = $1 or (session is null and checkouts.id::text = $2)`,
    values: [session, checkout],
  })
  const found = rows[0]
  if (!found) return null
  await lockProject(tx, found.project_id)
  const payment = await lockPayment(tx, found.payment_id)
  const [held] = await tx.select().from(checkouts).where(eq(checkouts.id, found.id)).for('update')
  return { checkout: held!, payment }
}

/** Records what really came in. Another amount than was asked for is looked at by a person, and another currency is no payment of ours. */
async function takeMoney(
  tx: Tx,
  { checkout, payment }: Held,
  told: CheckoutResult,
  now: Date,
): Promise<void> {
  const { amount, at: paidAt, currency, funding, intent, method } = told
  if (currency !== 'mxn' || amount <= 0) {
    const sum = `${(amount / 100).toFixed(2)} ${currency.toUpperCase()}`
    const subject = `Stripe cobró ${sum} por ${payment.folio}, que se pide en pesos: revisa y devuélvelo`
    return createOfficeTask(tx, payment, { subject, reason: 'card_currency' })
  }
  const { id: paymentId, projectId } = payment
  const taking = { projectId, paymentId, amount, method, paidAt, actorId: null }
  await recordPayment(tx, { ...taking, cardReference: intent, cardFunding: funding }, now)
  if (amount === checkout.amount) return
  const subject = `Stripe cobró ${money(amount)} por ${payment.folio}, que pedía ${money(checkout.amount)}: revisa la diferencia`
  await createOfficeTask(tx, payment, { subject, reason: 'card_amount' })
}

async function waitForVoucher(
  tx: Tx,
  payment: PaymentRow,
  voucher: CheckoutResult['voucher'],
): Promise<void> {
  if (voucher) await updatePayment(tx, payment, { voucherExpiresAt: voucher.expiresAt })
  await enqueue(tx, 'letter', { letter: 'voucher_made', paymentId: payment.id, to: 'customer' })
}

async function endVoucher(tx: Tx, payment: PaymentRow): Promise<void> {
  await updatePayment(tx, payment, { voucherExpiresAt: null })
  await enqueue(tx, 'letter', { letter: 'card_failed', paymentId: payment.id, to: 'customer' })
}

/** Asks Stripe what became of a page, and records it: an event that was lost costs no payment. */
export async function lookAt(db: Db, cards: Cards, { id, session }: Checkout, now: Date): Promise<void> {
  if (session === null) return
  await db.update(checkouts).set({ lookedAt: now }).where(eq(checkouts.id, id))
  const stripe = await cards.stripe()
  await noteSession(db, await stripe.checkout.sessions.retrieve(session, withPayment), now)
}

/** Ends a page that no one is to pay on any more; one that was paid meanwhile is recorded instead. */
export async function closeCheckout(db: Db, cards: Cards, checkout: Checkout, now: Date): Promise<void> {
  // Stripe may know it all the same, but no one was ever led there.
  if (checkout.session === null) return end(db, checkout)
  const stripe = await cards.stripe()
  try {
    await noteSession(db, await stripe.checkout.sessions.expire(checkout.session, withPayment), now)
  } catch (error) {
    if (!isRefusedByStripe(error)) throw error
    await lookAt(db, cards, checkout, now)
  }
}

/** An event about a payment may arrive before the payment's own: then the payment is requested first. */
export async function lookByIntent(db: Db, cards: Cards, intent: string | null, now: Date): Promise<void> {
  if (intent === null) return
  const known = await db.select({ id: payments.id }).from(payments).where(eq(payments.cardReference, intent))
  if (known.length > 0) return
  const stripe = await cards.stripe()
  const expand = withPayment.expand.map((part) => `data.${part}`)
  const { data } = await stripe.checkout.sessions.list({ payment_intent: intent, expand })
  for (const session of data) await noteSession(db, session, now)
}

async function noteSession(db: Db, session: Stripe.Checkout.Session, now: Date) {
  const { customerId } = await transaction(db, (tx) =>
    applyCheckoutResult(tx, checkoutResultOf(session, now), now),
  )
  if (customerId) announce(db, { people: [customerId] })
}

async function end(db: Db, { id, version }: Checkout) {
  const ended = { state: 'expired' as const, version: version + 1 }
  await db.update(checkouts).set(ended).where(eq(checkouts.id, id))
}
