import { createHash, randomBytes } from 'node:crypto'

/** A code for a letter's link: 256 random bits. Only its hash is kept. */
export function newCode(): { code: string; hash: string } {
  const code = randomBytes(32).toString('base64url')
  return { code, hash: hashOf(code) }
}

/** SHA-256 in hexadecimal, as the tables keep codes and e-mails. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
