import { randomBytes } from 'node:crypto'

/** Crockford's: no letter in it looks or sounds like a number. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new request's id: ten signs in two groups, which somebody can read out by telephone; a thousand million million of them. */
export function newRequestId(): string {
  const signs = Array.from(randomBytes(10), (byte) => alphabet[byte % 32]).join('')
  return `${signs.slice(0, 5)}-${signs.slice(5)}`
}
