import type Stripe from 'stripe'
import type { CheckoutNews } from '../../../domain/payments/payment.ts'
import { fromEpochSeconds } from '../../../domain/shared/calendar.ts'

/** What Stripe says of a page: by an event, or asked. */
export type Told = {
  /** Stripe's name of the page, and ours that we gave it. */
  session: string
  checkout: string | null
  /** Null while it is still open. */
  news: CheckoutNews | null
  /** Centavos, or the smallest unit of whatever currency it is. */
  amount: number
  currency: string
  /** Stripe's name of the payment. */
  intent: string | null
  method: 'card' | 'oxxo'
  /** credit, debit, prepaid; null where Stripe did not say yet. */
  funding: string | null
  /** Where a voucher of OXXO is seen, and its end. */
  voucher: { url: string; expiresAt: Date } | null
  at: Date
}

/** What a session says; much of it only where the payment was asked for with it (`withPayment`). */
export function toldBy(session: Stripe.Checkout.Session, at: Date): Told {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null
  const details = charge?.payment_method_details
  const voucher = intent?.next_action?.oxxo_display_details
  return {
    session: session.id,
    checkout: session.metadata?.checkout ?? null,
    news: newsIn(session, intent),
    ...{ amount: session.amount_total ?? 0, currency: session.currency ?? '' },
    intent: typeof session.payment_intent === 'string' ? session.payment_intent : (intent?.id ?? null),
    method: details?.type === 'oxxo' || voucher ? 'oxxo' : 'card',
    funding: details?.card?.funding ?? null,
    voucher:
      voucher?.hosted_voucher_url && voucher.expires_after
        ? { url: voucher.hosted_voucher_url, expiresAt: fromEpochSeconds(voucher.expires_after) }
        : null,
    at: charge ? fromEpochSeconds(charge.created) : at,
  }
}

/** Sessions are asked for with their payment and its charge. */
export const withPayment = { expand: ['payment_intent.latest_charge'] }

function newsIn(
  { payment_status, status }: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
): CheckoutNews | null {
  if (payment_status !== 'unpaid') return 'pay'
  if (status === 'expired') return 'expire'
  if (status !== 'complete') return null
  // A voucher that nobody paid leaves its payment as if none had been asked for.
  return intent && ['requires_payment_method', 'canceled'].includes(intent.status) ? 'fail' : 'wait'
}
