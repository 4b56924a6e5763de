import { z } from 'zod'
import { isLoopback } from '../../platform/http/security.ts'

/** What card payments stand on, in the environment. */
export const stripeVariables = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_\w+$/, 'must be a secret key of Stripe, such as sk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+$/, 'must be the secret of a Stripe webhook, such as whsec_…')
    .optional(),
  /** Another Stripe than the real one: that of the tests. */
  STRIPE_API_URL: z.url({ protocol: /^https?$/ }).optional(),
}

type Values = z.output<z.ZodObject<typeof stripeVariables>> & { CARD_MSI: boolean }

/** The same, checked together; null where no cards are taken. `api` is null for Stripe's own. */
export type CardSettings = {
  secretKey: string
  webhookSecret: string
  api: URL | null
  installments: boolean
}

export function cardsOf(env: Values): CardSettings | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL } = env
  const api = STRIPE_API_URL === undefined ? null : new URL(STRIPE_API_URL)
  if (secretKey && webhookSecret) {
    if (api?.protocol === 'http:' && !isLoopback(api.hostname))
      throw new Error('STRIPE_API_URL must be https, except on this machine: every request carries the key.')
    return { secretKey, webhookSecret, api, installments: env.CARD_MSI }
  }
  if (secretKey || webhookSecret || api || env.CARD_MSI)
    throw new Error('Card payments need STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET together.')
  return null
}
