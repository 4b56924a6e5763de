import { eq } from 'drizzle-orm'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type Stripe from 'stripe'
import { noteTry } from '../../accounts/limits.ts'
import { type Db, type Tx, transaction } from '../../platform/database/client.ts'
import { stripeEvents } from '../../platform/database/schema/payments.ts'
import type { HttpEnv } from '../../platform/http/types.ts'
import { announce } from '../../platform/live/announcements.ts'
import { log } from '../../platform/telemetry/log.ts'
import { fromEpochSeconds } from '../../shared/calendar.ts'
import {
  type Cards,
  type CheckoutResult,
  checkoutResultOf,
  stripeFault,
  withPayment,
} from './checkout-result.ts'
import { applyCheckoutResult, lookByIntent, type Noted } from './checkout-sync.ts'
import { noteDispute, noteFailedRefund, noteRefunds, refundsOf } from './refunds.ts'

/** Seconds that a signature is good for. */
const tolerance = 300

/** Larger than any event of Stripe's. */
const largest = 1024 * 1024

/**
 * Stripe's events, at /stripe/webhook. The signature covers the exact body, so nothing parses it before. After an
 * answer other than 2xx, Stripe sends the event again, for days.
 */
export function stripeWebhook(db: Db, cards: Cards): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.post(
    '/webhook',
    bodyLimit({ maxSize: largest, onError: (c) => c.text('Demasiado grande.', 413) }),
    async (c) => {
      const event = await signedEvent(cards, await c.req.text(), c.req.header('stripe-signature'))
      if (!event) {
        await noteTry(db, 'stripe')
        return c.text('La firma no es válida.', 400)
      }
      if (await isKnown(db, event.id)) return c.json({ received: true })
      try {
        const { customerId, outcome } = await takeEvent(db, cards, event, new Date())
        if (customerId) announce(db, { people: [customerId] })
        log.info({ event: event.id, type: event.type, outcome }, 'Stripe event processed')
        return c.json({ received: true })
      } catch (error) {
        if (!stripeFault(error)) throw error
        // What the event is about could not be asked for.
        log.warn({ event: event.id, type: event.type }, 'Stripe event deferred, Stripe will resend it')
        return c.text('Vuelve a intentarlo.', 503)
      }
    },
  )
  return app
}

/** The event of a body, or null where Stripe did not sign it, or long ago. */
async function signedEvent(cards: Cards, body: string, signature = ''): Promise<Stripe.Event | null> {
  const { webhooks } = await cards.stripe()
  try {
    return webhooks.constructEvent(body, signature, cards.webhookSecret, tolerance)
  } catch {
    log.warn('Stripe webhook: invalid signature')
    return null
  }
}

/** Skips the locks for an event that was received already; whether it is new is decided when it is written. */
async function isKnown(db: Db, id: string): Promise<boolean> {
  const known = await db.select({ id: stripeEvents.id }).from(stripeEvents).where(eq(stripeEvents.id, id))
  return known.length > 0
}

/** Records one event, once: an event that arrives twice at the same moment waits for itself. */
async function takeEvent(db: Db, cards: Cards, event: Stripe.Event, now: Date): Promise<Noted> {
  const take = await preparation(db, cards, event, now)
  return transaction(db, async (tx) => {
    const { id, type } = event
    const fresh = await tx
      .insert(stripeEvents)
      .values({ id, type, outcome: 'taken' })
      .onConflictDoNothing()
      .returning({ id: stripeEvents.id })
    if (fresh.length === 0) return { outcome: 'repeated' }
    const noted = await take(tx)
    await tx.update(stripeEvents).set({ outcome: noted.outcome }).where(eq(stripeEvents.id, id))
    return noted
  })
}

type Take = (tx: Tx) => Promise<Noted>
const nothing: Take = async () => ({ outcome: 'ignored' })

/** Asks Stripe for what an event does not say itself, before anything is held. */
async function preparation(db: Db, cards: Cards, event: Stripe.Event, now: Date): Promise<Take> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired': {
      const told = await resultOfEvent(cards, event)
      return (tx) => applyCheckoutResult(tx, told, now)
    }
    case 'charge.refunded': {
      const intent = idOf(event.data.object.payment_intent)
      await lookByIntent(db, cards, intent, now)
      const refunds = intent ? await refundsOf(cards, intent) : []
      return (tx) => noteRefunds(tx, refunds, now)
    }
    case 'refund.updated':
      await lookByIntent(db, cards, idOf(event.data.object.payment_intent), now)
      return (tx) => noteRefunds(tx, [event.data.object], now)
    case 'refund.failed':
      await lookByIntent(db, cards, idOf(event.data.object.payment_intent), now)
      return (tx) => noteFailedRefund(tx, event.data.object)
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      await lookByIntent(db, cards, idOf(event.data.object.payment_intent), now)
      return (tx) => noteDispute(tx, event.data.object)
    default:
      return nothing
  }
}

type SessionEvent = Extract<Stripe.Event, { type: `checkout.session.${string}` }>

/**
 * What an event says of a page. The kind of card and the voucher are asked for; where Stripe does not answer, the payment is
 * recorded without them.
 */
async function resultOfEvent(cards: Cards, { created, data, type }: SessionEvent): Promise<CheckoutResult> {
  const at = fromEpochSeconds(created)
  const session = data.object as Stripe.Checkout.Session
  const told = checkoutResultOf(session, at)
  const news = type === 'checkout.session.async_payment_failed' ? 'fail' : told.news
  if (news !== 'pay' && news !== 'wait') return { ...told, news }
  const more = await moreOf(cards, session.id, at)
  const method = type.includes('async') ? 'oxxo' : (more?.method ?? told.method)
  return { ...told, news, method, funding: more?.funding ?? null, voucher: more?.voucher ?? null }
}

async function moreOf(cards: Cards, id: string, at: Date): Promise<CheckoutResult | null> {
  try {
    const stripe = await cards.stripe()
    return checkoutResultOf(
      await stripe.checkout.sessions.retrieve(id, withPayment, { maxNetworkRetries: 0 }),
      at,
    )
  } catch (error) {
    if (!stripeFault(error)) throw error
    return null
  }
}

const idOf = (named: string | { id: string } | null) =>
  typeof named === 'object' ? (named?.id ?? null) : named
