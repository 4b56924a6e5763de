import { and, desc, eq, inArray } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Actor } from '../../access/rules/actor.ts'
import { lockPayment, type PaymentRow } from '../../payments/rows.ts'
import {
  conceptLabels,
  openCheckoutStates,
  paymentMachine,
  takesCard,
  takesOxxo,
} from '../../payments/rules/payment.ts'
import { type Db, type Tx, transaction } from '../../platform/database/client.ts'
import { record } from '../../platform/database/lists.ts'
import { checkouts, payments } from '../../platform/database/schema/payments.ts'
import { announce } from '../../platform/live/announcements.ts'
import { lockProject } from '../../projects/open-project.ts'
import { epochSeconds } from '../../shared/calendar.ts'
import { refuse } from '../../shared/refusal.ts'
import { type Cards, type Checkout, isRefusedByStripe, stripeRefusal } from './checkout-result.ts'
import { closeCheckout } from './checkout-sync.ts'

const minute = 60_000
/** Stripe keeps a page from half an hour to a day. */
const pageLasts = 120 * minute
/** Stripe takes no page that would end within half an hour, so a try at opening one is given up before. */
const tryLasts = 60 * minute
/** A person who is led to a page has some time left on it. */
const enoughTime = 10 * minute
const voucherDays = 3

/**
 * The address of Stripe's page where a customer's payment is made. One that is open for the same amount is used again; another
 * is closed first.
 */
export async function payByCard(
  db: Db,
  cards: Cards | null,
  actor: Actor,
  paymentId: string,
  now: Date,
): Promise<string> {
  try {
    for (let tries = 0; tries < 3; tries++) {
      const { checkout, payment, stale, cards: open } = await beginCheckout(db, cards, actor, paymentId, now)
      if (!stale) return checkout.url ?? (await openPage(db, open, actor, checkout, payment))
      await closeCheckout(db, open, checkout, now)
    }
  } catch (error) {
    throw stripeRefusal(error)
  }
  return refuse('aborted')
}

/** Locks the payment and finds its page, or writes a new one before Stripe is called. */
const beginCheckout = (db: Db, cards: Cards | null, actor: Actor, paymentId: string, now: Date) =>
  transaction(db, async (tx) => {
    const payment = await holdOwnPayment(tx, actor, paymentId)
    paymentMachine.next('payByCard', actor, payment)
    if (!cards || !takesCard(payment.amount))
      refuse('failed-precondition', 'Este pago no se puede hacer con tarjeta.')
    const [known] = await tx
      .select()
      .from(checkouts)
      .where(and(eq(checkouts.paymentId, paymentId), inArray(checkouts.state, openCheckoutStates)))
      .for('update')
    if (known) return { cards, checkout: known, payment, stale: !isUsable(known, payment, now) }
    const [checkout] = await tx
      .insert(checkouts)
      .values({ paymentId, amount: payment.amount, expiresAt: new Date(now.getTime() + pageLasts) })
      .returning()
    const { amount } = payment
    await record(tx, {
      entity: 'payment',
      entityId: paymentId,
      actorId: actor.id,
      name: 'begin_card',
      data: { amount },
    })
    return { cards, checkout: checkout!, payment, stale: false }
  })

/** The project's row is held before the payment's. For everybody else the payment does not exist. */
async function holdOwnPayment(tx: Tx, actor: Actor, id: string): Promise<PaymentRow> {
  const [own] = await tx
    .select({ projectId: payments.projectId })
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.customerId, actor.id)))
  if (!own) refuse('not-found')
  await lockProject(tx, own.projectId)
  return lockPayment(tx, id)
}

function isUsable({ amount, expiresAt, state }: Checkout, payment: PaymentRow, now: Date): boolean {
  const left = expiresAt.getTime() - now.getTime()
  return amount === payment.amount && left > (state === 'opening' ? pageLasts - tryLasts : enoughTime)
}

/** Asks Stripe for the page. The key is the row's own: asked twice, or again after a lost answer, it is one page. */
async function openPage(db: Db, cards: Cards, actor: Actor, checkout: Checkout, payment: PaymentRow) {
  const { id } = checkout
  try {
    const stripe = await cards.stripe()
    const { id: session, url } = await stripe.checkout.sessions.create(
      pageOf(cards, actor, checkout, payment),
      { idempotencyKey: `checkout-${id}` },
    )
    await keepPage(db, id, { session, url })
    announce(db, { people: [actor.id], desk: false })
    return url ?? refuse('aborted')
  } catch (error) {
    // The same key would bring the same answer: the next try is a new one.
    if (isRefusedByStripe(error)) await giveUp(db, id)
    throw error
  }
}

/** An event may have arrived before Stripe's answer: then its state is further already. */
const keepPage = (db: Db, id: string, page: { session: string; url: string | null }) =>
  transaction(db, async (tx) => {
    await tx
      .update(checkouts)
      .set({ ...page, state: 'open' })
      .where(and(eq(checkouts.id, id), eq(checkouts.state, 'opening')))
  })

const giveUp = (db: Db, id: string) =>
  transaction(db, async (tx) => {
    await tx
      .update(checkouts)
      .set({ state: 'failed' })
      .where(and(eq(checkouts.id, id), eq(checkouts.state, 'opening')))
  })

/** The request to Stripe. It follows from the row alone, since a key that comes with something else is refused. */
function pageOf(
  { baseUrl, brand, installments }: Cards,
  actor: Actor,
  { amount, expiresAt, id }: Checkout,
  payment: PaymentRow,
): Stripe.Checkout.SessionCreateParams {
  const oxxo = takesOxxo(amount)
  const name = `${conceptLabels[payment.concept]} · ${payment.folio}`
  const back = `${baseUrl}/payments/tarjeta/${payment.id}`
  const metadata = { checkout: id, payment: payment.id }
  return {
    mode: 'payment',
    locale: 'es-419',
    submit_type: 'pay',
    customer_email: actor.email,
    allowed_payment_method_types: oxxo ? ['card', 'oxxo'] : ['card'],
    payment_method_options: {
      ...(installments && { card: { installments: { enabled: true } } }),
      ...(oxxo && { oxxo: { expires_after_days: voucherDays } }),
    },
    line_items: [
      { quantity: 1, price_data: { currency: 'mxn', unit_amount: amount, product_data: { name } } },
    ],
    // What a person pays is what we asked for, whatever their card's currency.
    adaptive_pricing: { enabled: false },
    metadata,
    client_reference_id: payment.id,
    payment_intent_data: { metadata, description: `${brand} · ${name}` },
    expires_at: epochSeconds(expiresAt),
    success_url: `${back}?listo`,
    cancel_url: `${back}?sin-pagar`,
  }
}

/** The last page that a payment was begun on. */
export async function lastCheckout(db: Db, paymentId: string): Promise<Checkout | null> {
  const [last] = await db
    .select()
    .from(checkouts)
    .where(eq(checkouts.paymentId, paymentId))
    .orderBy(desc(checkouts.createdAt))
    .limit(1)
  return last ?? null
}
