import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { PaymentRow } from '../../payments/rows.ts'
import type { CheckoutNews } from '../../payments/rules/payment.ts'
import type { Tx } from '../../platform/database/client.ts'
import { users } from '../../platform/database/schema/accounts.ts'
import type { checkouts } from '../../platform/database/schema/payments.ts'
import { tasks } from '../../platform/database/schema/projects.ts'
import { externalSystems, limited } from '../../platform/external.ts'
import { log } from '../../platform/telemetry/log.ts'
import { fromEpochSeconds } from '../../shared/calendar.ts'
import { Refusal } from '../../shared/refusal.ts'
import type { CardSettings } from './stripe-env.ts'

/** A payment page of Stripe's, as we keep it. */
export type Checkout = typeof checkouts.$inferSelect

/** What Stripe says of a page: by an event, or asked. */
export type CheckoutResult = {
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
export function checkoutResultOf(session: Stripe.Checkout.Session, at: Date): CheckoutResult {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null
  const details = charge?.payment_method_details
  const voucher = intent?.next_action?.oxxo_display_details
  return {
    session: session.id,
    checkout: session.metadata?.checkout ?? null,
    news: newsIn(session, intent),
    amount: session.amount_total ?? 0,
    currency: session.currency ?? '',
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
  // A voucher that no one paid leaves its payment as if none had been asked for.
  return intent && ['requires_payment_method', 'canceled'].includes(intent.status) ? 'fail' : 'wait'
}

/** What a payment by card needs to know of the house. */
export type Cards = {
  /** The library takes 40 MB, and so is loaded at its first use. */
  stripe: () => Promise<Stripe>
  webhookSecret: string
  /** Whether months without interest are offered. */
  installments: boolean
  baseUrl: string
  brand: string
}

/** Card payments as the environment sets them; null where it does not. */
export function openCards({
  baseUrl,
  BRAND: brand,
  cards,
}: {
  baseUrl: string
  BRAND: string
  cards: CardSettings | null
}): Cards | null {
  if (!cards) return null
  const { installments, webhookSecret } = cards
  let opened: Promise<Stripe> | undefined
  const stripe = () => {
    opened ??= connect(cards)
    return opened
  }
  return { stripe, webhookSecret, installments, baseUrl, brand }
}

async function connect({ api, secretKey }: CardSettings): Promise<Stripe> {
  const { default: Library } = await import('stripe')
  const elsewhere = api && {
    host: api.hostname,
    ...(api.port && { port: api.port }),
    protocol: api.protocol === 'http:' ? ('http' as const) : ('https' as const),
  }
  const { answer: timeout, tries } = externalSystems.stripe
  const limits = { timeout, maxNetworkRetries: tries - 1, httpClient: watchedClient(Library) }
  return new Library(secretKey, { ...limits, telemetry: false, ...elsewhere })
}

/** The library's own client, each of whose tries ends within its limit and is counted where it fails. */
function watchedClient(Library: typeof Stripe) {
  const client = Library.createNodeHttpClient()
  const send = client.makeRequest.bind(client)
  client.makeRequest = async (...request) => {
    const response = await limited('stripe', () => send(...request), {
      statusOf: (one) => one.getStatusCode(),
    })
    const read = response.toJSON.bind(response)
    response.toJSON = () => limited('stripe', read)
    return response
  }
  return client
}

/** Where customers pay: their form is led there, which a page's policy has to allow. */
export const checkoutOrigin = ({ api }: CardSettings) => api?.origin ?? 'https://checkout.stripe.com'

type About = Pick<PaymentRow, 'customerId' | 'projectId'>

/** An urgent task: what a payment by card needs a person for. */
export async function createOfficeTask(
  tx: Tx,
  { customerId, projectId }: About,
  what: { subject: string; reason: string; dueAt?: Date },
): Promise<void> {
  const [customer] = await tx.select({ phone: users.phone }).from(users).where(eq(users.id, customerId))
  const phone = customer?.phone ?? null
  await tx.insert(tasks).values({ ...what, personId: customerId, projectId, phone, urgent: true })
}

/** What the library throws has one of these for its type. */
const kinds: Record<string, 'away' | 'busy' | 'card' | 'wrong'> = {
  StripeConnectionError: 'away',
  StripeAPIError: 'away',
  StripeRateLimitError: 'busy',
  StripeCardError: 'card',
  StripeIdempotencyError: 'wrong',
  StripeInvalidRequestError: 'wrong',
  StripeAuthenticationError: 'wrong',
  StripePermissionError: 'wrong',
}

const refusals = {
  away: () =>
    new Refusal('unavailable', {
      title: 'No pudimos abrir el pago con tarjeta',
      description: externalSystems.stripe.sentence,
    }),
  busy: () =>
    new Refusal('resource-exhausted', {
      title: 'Hay muchos pagos a la vez',
      description: 'No se te cobró nada. Espera un minuto y vuelve a intentarlo.',
    }),
  card: () =>
    new Refusal('failed-precondition', {
      title: 'El banco rechazó la tarjeta',
      description: 'No se te cobró nada. Prueba con otra tarjeta o paga por transferencia.',
    }),
  wrong: () =>
    new Refusal('unavailable', {
      title: 'El pago con tarjeta no está disponible',
      description: 'No se te cobró nada. Por ahora puedes pagar por transferencia, o pedirnos ayuda.',
    }),
}

type Fault = { type: string; code?: string; requestId?: string; statusCode?: number }

/** What Stripe's library threw; undefined for anything else. */
export const stripeFault = (error: unknown): Fault | undefined =>
  error instanceof Error && 'type' in error && String(error.type) in kinds
    ? (error as Error & Fault)
    : undefined

/** Whether Stripe judged a request and said no: asking again brings the same answer. */
export const isRefusedByStripe = (error: unknown): boolean => {
  const kind = kinds[stripeFault(error)?.type ?? '']
  return kind === 'wrong' || kind === 'card'
}

/** The message when Stripe fails; it goes to the log without the request's data. A bug goes on as it is. */
export function stripeRefusal(error: unknown): unknown {
  const fault = stripeFault(error)
  if (!fault) return error
  const { code, requestId, statusCode, type } = fault
  log.warn({ stripe: { code, requestId, statusCode, type } }, 'Stripe error')
  return refusals[kinds[type]!]()
}
