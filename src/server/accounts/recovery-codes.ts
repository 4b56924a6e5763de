import { randomInt } from 'node:crypto'
import { hashOf } from './code.ts'

const count = 10
// No 0, o, 1, l or i: people copy these by hand.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Fresh recovery codes, and what is kept of them: a list of hashes, to be encrypted. */
export function newRecoveryCodes(): { codes: string[]; kept: string } {
  const group = () => Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('')
  const codes = Array.from({ length: count }, () => `${group()}-${group()}`)
  return { codes, kept: JSON.stringify(codes.map(hashOf)) }
}

const hashesIn = (kept: string) => JSON.parse(kept) as string[]

/** How many are left. */
export const countCodes = (kept: string) => hashesIn(kept).length

/** The list without this code, or null when it was not in it. */
export function withoutCode(kept: string, code: string): string | null {
  const hashes = hashesIn(kept)
  const left = hashes.filter((hash) => hash !== hashOf(code))
  return left.length < hashes.length ? JSON.stringify(left) : null
}
