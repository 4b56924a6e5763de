import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { fromEpochSeconds } from '../../../domain/shared/calendar.ts'
import { type Db, type Tx, transaction } from '../../platform/database/database.ts'
import { stripeEvents } from '../../platform/database/schema/money-schema.ts'
import type { Cards } from './client.ts'
import { noteDispute } from './disputes.ts'
import { stripeFault } from './faults.ts'
import { lookByIntent } from './look.ts'
import { type Noted, noteNews } from './note.ts'
import { noteFailedRefund, noteRefunds, refundsOf } from './refunds.ts'
import { type Told, toldBy, withPayment } from './told.ts'

/** Records one event, once: an event that is told twice at the same moment waits for itself. */
export async function takeEvent(db: Db, cards: Cards, event: Stripe.Event, now: Date): Promise<Noted> {
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
      const told = await toldByEvent(cards, event)
      return (tx) => noteNews(tx, told, now)
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
async function toldByEvent(cards: Cards, { created, data, type }: SessionEvent): Promise<Told> {
  const at = fromEpochSeconds(created)
  const session = data.object as Stripe.Checkout.Session
  const told = toldBy(session, at)
  const news = type === 'checkout.session.async_payment_failed' ? 'fail' : told.news
  if (news !== 'pay' && news !== 'wait') return { ...told, news }
  const more = await moreOf(cards, session.id, at)
  const method = type.includes('async') ? 'oxxo' : (more?.method ?? told.method)
  return { ...told, news, method, funding: more?.funding ?? null, voucher: more?.voucher ?? null }
}

async function moreOf(cards: Cards, id: string, at: Date): Promise<Told | null> {
  try {
    const stripe = await cards.stripe()
    return toldBy(await stripe.checkout.sessions.retrieve(id, withPayment, { maxNetworkRetries: 0 }), at)
  } catch (error) {
    if (!stripeFault(error)) throw error
    return null
  }
}

const idOf = (named: string | { id: string } | null) =>
  typeof named === 'object' ? (named?.id ?? null) : named
