import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { type Db, transaction } from '../../platform/database/client.ts'
import { checkouts, payments } from '../../platform/database/schema/payments.ts'
import { announce } from '../../platform/live/announcements.ts'
import {
  type Cards,
  type Checkout,
  checkoutResultOf,
  isRefusedByStripe,
  withPayment,
} from './checkout-result.ts'
import { applyCheckoutResult } from './note.ts'

/** Asks Stripe what became of a page, and records it: an event that was lost costs no payment. */
export async function lookAt(db: Db, cards: Cards, { id, session }: Checkout, now: Date): Promise<void> {
  if (session === null) return
  await db.update(checkouts).set({ lookedAt: now }).where(eq(checkouts.id, id))
  const stripe = await cards.stripe()
  await noteSession(db, await stripe.checkout.sessions.retrieve(session, withPayment), now)
}

/** Ends a page that nobody is to pay on any more; one that was paid meanwhile is recorded instead. */
export async function closeCheckout(db: Db, cards: Cards, checkout: Checkout, now: Date): Promise<void> {
  // Stripe may know it all the same, but nobody was ever led there.
  if (checkout.session === null) return end(db, checkout)
  const stripe = await cards.stripe()
  try {
    await noteSession(db, await stripe.checkout.sessions.expire(checkout.session, withPayment), now)
  } catch (error) {
    if (!isRefusedByStripe(error)) throw error
    await lookAt(db, cards, checkout, now)
  }
}

/** What Stripe tells of a payment may come before the payment itself: then that is asked for first. */
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
