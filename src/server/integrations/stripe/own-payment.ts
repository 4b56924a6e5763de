import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../../domain/access/actor.ts'
import { refuse } from '../../../domain/shared/refusal.ts'
import { log } from '../../app/log.ts'
import type { Db } from '../../platform/database/database.ts'
import { isId } from '../../platform/database/ids.ts'
import { payments } from '../../platform/database/schema/money-schema.ts'
import { lastCheckout } from './checkout.ts'
import type { Cards } from './client.ts'
import { stripeFault } from './faults.ts'
import { lookAt } from './look.ts'
import { cardStandings } from './standing.ts'

/** Long enough that a page which is read again and again asks Stripe once. */
const notAgainFor = 30_000

/**
 * A customer's own payment as the page shows it that Stripe leads back to. `cameBack` is all the browser says, and nothing is
 * taken from it but that Stripe is asked once: an event that was lost, or is late, costs no payment.
 */
export async function ownCardPayment(
  db: Db,
  cards: Cards | null,
  actor: Actor,
  id: string,
  { cameBack, now }: { cameBack: boolean; now: Date },
) {
  await ownPayment(db, actor, id)
  if (cards && cameBack) await askOnce(db, cards, id, now)
  const payment = await ownPayment(db, actor, id)
  const last = await lastCheckout(db, id)
  const { concept, folio, amount, state, paidAt } = payment
  const standing = (await cardStandings(db, cards, [payment])).get(id)
  return {
    ...{ id, concept, folio, amount, state, paidAt },
    offer: standing?.offer ?? null,
    voucher: standing?.voucher ?? null,
    /** Stripe did not say yet what became of the page that the customer comes from. */
    confirming: cameBack && last?.state === 'open',
  }
}

export type OwnCardPayment = Awaited<ReturnType<typeof ownCardPayment>>

async function ownPayment(db: Db, actor: Actor, id: string) {
  if (!isId(id)) refuse('not-found')
  const [own] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.customerId, actor.id)))
  return own ?? refuse('not-found')
}

async function askOnce(db: Db, cards: Cards, paymentId: string, now: Date): Promise<void> {
  const checkout = await lastCheckout(db, paymentId)
  const lately = checkout?.lookedAt && now.getTime() - checkout.lookedAt.getTime() < notAgainFor
  if (checkout?.state !== 'open' || lately) return
  try {
    await lookAt(db, cards, checkout, now)
  } catch (error) {
    if (!stripeFault(error)) throw error
    log.warn({ checkout: checkout.id, type: stripeFault(error)?.type }, 'stripe could not be asked')
  }
}
