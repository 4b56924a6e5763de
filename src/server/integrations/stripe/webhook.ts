import { eq } from 'drizzle-orm'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type Stripe from 'stripe'
import { log } from '../../app/log.ts'
import type { Db } from '../../platform/database/database.ts'
import { stripeEvents } from '../../platform/database/schema/money-schema.ts'
import type { HttpEnv } from '../../platform/http/types.ts'
import { announce } from '../../platform/live/announcements.ts'
import type { Cards } from './client.ts'
import { takeEvent } from './events.ts'
import { stripeFault } from './faults.ts'

/** Seconds that a signature is good for. */
const tolerance = 300
/** Larger than any event of Stripe's. */
const largest = 1024 * 1024

/**
 * What Stripe tells us by itself, at /stripe/webhook. Its signature is over the body to the letter, so nothing parses it
 * before. An answer other than 2xx has it told again, for days.
 */
export function stripeWebhook(db: Db, cards: Cards): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.post(
    '/webhook',
    bodyLimit({ maxSize: largest, onError: (c) => c.text('Demasiado grande.', 413) }),
    async (c) => {
      const event = await signedEvent(cards, await c.req.text(), c.req.header('stripe-signature'))
      if (!event) return c.text('La firma no es válida.', 400)
      if (await isKnown(db, event.id)) return c.json({ received: true })
      try {
        const { customerId, outcome } = await takeEvent(db, cards, event, new Date())
        if (customerId) announce(db, { people: [customerId] })
        log.info({ event: event.id, type: event.type, outcome }, 'stripe told something')
        return c.json({ received: true })
      } catch (error) {
        if (!stripeFault(error)) throw error
        // What the event is about could not be asked for.
        log.warn({ event: event.id, type: event.type }, 'an event of stripe has to come again')
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
    log.warn('a message to the webhook was not signed by stripe')
    return null
  }
}

/** Spares an event that was told already its locks; whether it is new is judged when it is written. */
async function isKnown(db: Db, id: string): Promise<boolean> {
  const known = await db.select({ id: stripeEvents.id }).from(stripeEvents).where(eq(stripeEvents.id, id))
  return known.length > 0
}
