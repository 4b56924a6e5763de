import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

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

const cipher = 'aes-256-gcm'
const [ivLength, tagLength] = [12, 16]

/** Webhooks as the environment sets them. Secrets are kept sealed: who reads the database alone can't sign as we do. */
export function openWebhooks({
  env,
  secret,
}: {
  env: { WEBHOOK_ALLOW_PRIVATE: boolean }
  secret: string
}): Webhooks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'webhook secrets', 32))
  return {
    seal: (text) => seal(key, text),
    unseal: (sealed) => unseal(key, sealed),
    allowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    patience: 10_000,
  }
}

function seal(key: Buffer, text: string): string {
  const iv = randomBytes(ivLength)
  const sealing = createCipheriv(cipher, key, iv)
  const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return Buffer.concat([iv, sealing.getAuthTag(), body]).toString('base64url')
}

function unseal(key: Buffer, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivLength), { authTagLength: tagLength })
    opening.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength))
    return opening.update(bytes.subarray(ivLength + tagLength), undefined, 'utf8') + opening.final('utf8')
  } catch {
    return null
  }
}
