import { seal, sealingKey, unseal } from '../../accounts/seal.ts'

/** What sending needs to know of the house. */
export type Webhooks = {
  /** Makes of an endpoint's secret what is kept of it. */
  seal: (secret: string) => string
  /** The secret again; null where the key it was sealed with is another one's. */
  unseal: (sealed: string) => string | null
  /** Also to this machine and its network, and without https. */
  allowPrivate: boolean
  /** Milliseconds from the first word to the last of an answer. */
  patience: number
}

/** Webhooks as the environment sets them. Secrets are kept sealed: who reads the database alone can't sign as we do. */
export function openWebhooks({
  env,
  secret,
}: {
  env: { WEBHOOK_ALLOW_PRIVATE: boolean }
  secret: string
}): Webhooks {
  const key = sealingKey(secret, 'webhook secrets')
  return {
    seal: (text) => seal(key, text),
    unseal: (sealed) => unseal(key, sealed),
    allowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    patience: 10_000,
  }
}
