import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { epochSeconds } from '../../domain/shared/calendar.ts'

/** How long one code lasts, in seconds, and how many before and after the present one are taken: clocks differ. */
const period = 30
const skew = 1

// Any text serves as the key; these are the printable signs, 6.5 bits each: 131 bits that are 32 letters in base 32.
const [firstSign, signs, keyLength] = [33, 94, 20]

/** A fresh key for somebody's authenticator. */
export const newTotpKey = () =>
  String.fromCharCode(...Array.from({ length: keyLength }, () => firstSign + randomInt(signs)))

/** Whether a code of six digits is one that the key makes about now (RFC 6238, SHA-1). */
export function fitsTotp(key: string, code: string, now: Date): boolean {
  const step = Math.floor(epochSeconds(now) / period)
  let fits = false
  // All are compared, whichever fits: the time it takes says nothing.
  for (let off = -skew; off <= skew; off++) fits = same(codeAt(key, step + off), code) || fits
  return fits
}

function codeAt(key: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const from = digest[digest.length - 1]! & 15
  return String((digest.readUInt32BE(from) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const same = (ours: string, given: string) =>
  ours.length === given.length && timingSafeEqual(Buffer.from(ours), Buffer.from(given))

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The key as authenticators are given it, in base 32. */
export function base32(key: string): string {
  let [bits, held, text] = [0, 0, '']
  for (const byte of Buffer.from(key)) {
    held = ((held << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31]
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text
}

/** What the QR code says to an authenticator. */
export const totpUri = (key: string, brand: string, email: string) =>
  `otpauth://totp/${encodeURIComponent(brand)}:${encodeURIComponent(email)}?secret=${base32(key)}&issuer=${encodeURIComponent(brand)}&digits=6&period=${period}`
