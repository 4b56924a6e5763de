import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { unpaidCheckoutStates } from '../../../domain/payments/payment.ts'
import { log } from '../../app/log.ts'
import type { Db } from '../../platform/database/database.ts'
import { checkouts, payments, refunds } from '../../platform/database/schema/money-schema.ts'
import type { Cards } from './client.ts'
import { stripeFault } from './faults.ts'
import { closeCheckout, lookAt } from './look.ts'
import { refundCharge } from './refunds.ts'

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
    log.warn({ [what]: id, type: stripeFault(error)?.type }, 'stripe could not be asked')
  }
}
