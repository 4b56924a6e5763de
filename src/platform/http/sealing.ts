import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const cipher = 'aes-256-gcm'

const ivLength = 12
const tagLength = 16

/** The key for one use of a secret; it does not open data sealed for another use. */
export const sealingKey = (secret: string, use: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', use, 32))

/** A text encrypted with the key. */
export function seal(key: Buffer, text: string): string {
  const iv = randomBytes(ivLength)
  const sealing = createCipheriv(cipher, key, iv)
  const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return Buffer.concat([iv, sealing.getAuthTag(), body]).toString('base64url')
}

/** The decrypted text; null where it was sealed with another key, or was changed. */
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

/** Where the key made at the first start is kept. */
export const secretFile = (dataDir: string) => path.join(dataDir, 'auth-secret')

/** The key that signs sessions: the environment's, or one made at the first start and kept beside the data. */
export function authSecret(given: string | undefined, dataDir: string): string {
  if (given) return given
  const file = secretFile(dataDir)
  mkdirSync(dataDir, { recursive: true })
  try {
    // "wx" lets only one of two processes that start at once write it.
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

/** SHA-256 in hexadecimal, as the tables keep codes and e-mails. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
