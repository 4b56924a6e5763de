import type Stripe from 'stripe'
import type { Env } from '../../app/env.ts'
import type { CardSettings } from './stripe-env.ts'

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

/** Long enough for Stripe, short enough for somebody who waits; a lost answer is asked for again under the same key. */
const patience = { timeout: 5_000, maxNetworkRetries: 2 }

/** Card payments as the environment sets them; null where it does not. */
export function openCards({ baseUrl, BRAND: brand, cards }: Env): Cards | null {
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
  return new Library(secretKey, { ...patience, telemetry: false, ...elsewhere })
}

/** Where customers pay: their form is led there, which a page's policy has to allow. */
export const checkoutOrigin = ({ api }: CardSettings) => api?.origin ?? 'https://checkout.stripe.com'
