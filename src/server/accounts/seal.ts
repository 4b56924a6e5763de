import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const [ivLength, tagLength] = [12, 16]

/** The key for one use of a secret; what is sealed for another use it does not open. */
export const sealingKey = (secret: string, use: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', use, 32))

/** A text as only whoever has the key reads it. */
export function seal(key: Buffer, text: string): string {
  const iv = randomBytes(ivLength)
  const sealing = createCipheriv(cipher, key, iv)
  const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return Buffer.concat([iv, sealing.getAuthTag(), body]).toString('base64url')
}

/** The text again; null where it was sealed with another key, or was changed. */
export function unseal(key: Buffer, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivLength), { authTagLength: tagLength })
    opening.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength))
    return opening.update(bytes.subarray(ivLength + tagLength), undefined, 'utf8') + opening.final('utf8')
  } catch {
    return null
  }
}
