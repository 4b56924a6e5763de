import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Actor } from '../../access/rules/actor.ts'
import type { PaymentRow } from '../../payments/rows.ts'
import { monthsFor, takesCard, takesOxxo } from '../../payments/rules/payment.ts'
import { type Db, isId } from '../../platform/database/client.ts'
import { checkouts, payments } from '../../platform/database/schema/payments.ts'
import { log } from '../../platform/telemetry/log.ts'
import { refuse } from '../../shared/refusal.ts'
import { lastCheckout } from './checkout.ts'
import { type Cards, stripeFault } from './checkout-result.ts'
import { lookAt } from './checkout-sync.ts'

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
  const standing = (await cardPaymentStatuses(db, cards, [payment])).get(id)
  return {
    id,
    concept,
    folio,
    amount,
    state,
    paidAt,
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
    log.warn({ checkout: checkout.id, type: stripeFault(error)?.type }, 'Stripe request failed')
  }
}

/** How a payment can be made by card. */
export type CardOffer = {
  /** Also in cash, at an OXXO. */
  oxxo: boolean
  /** Without interest; none where they are not offered. */
  months: readonly number[]
}

/** A voucher of OXXO that waits for its money. */
type Voucher = { url: string | null; expiresAt: Date | null }

type CardPaymentStatus = { offer: CardOffer | null; voucher: Voucher | null }

type Payable = Pick<PaymentRow, 'id' | 'amount' | 'state' | 'voucherExpiresAt'>

/** What screens need of cards, for each of a customer's payments, by its id. */
export async function cardPaymentStatuses(
  db: Db,
  cards: Cards | null,
  payments: readonly Payable[],
): Promise<Map<string, CardPaymentStatus>> {
  const pending = payments.filter(({ state }) => state === 'pending')
  const waiting = await vouchersOf(
    db,
    pending.map(({ id }) => id),
  )
  return new Map(
    pending.map(({ amount, id, voucherExpiresAt: expiresAt }) => {
      const url = waiting.get(id)
      return [id, { offer: offerOf(cards, amount), voucher: url === undefined ? null : { url, expiresAt } }]
    }),
  )
}

function offerOf(cards: Cards | null, amount: number): CardOffer | null {
  if (!cards || !takesCard(amount)) return null
  return { oxxo: takesOxxo(amount), months: cards.installments ? monthsFor(amount) : [] }
}

/** The last voucher of each payment that has one. */
async function vouchersOf(db: Db, ids: string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ paymentId: checkouts.paymentId, url: checkouts.url })
    .from(checkouts)
    .where(and(inArray(checkouts.paymentId, ids), eq(checkouts.state, 'waiting')))
    .orderBy(sql`${checkouts.createdAt}`)
  return new Map(rows.map(({ paymentId, url }) => [paymentId, url]))
}
