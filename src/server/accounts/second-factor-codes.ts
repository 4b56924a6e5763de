import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { epochSeconds } from '../../domain/shared/calendar.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { twoFactors } from '../platform/database/schema/accounts.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { eraseSecondFactor } from './email-change-letters.ts'
import { countTry, hashOf, spendTotpCode } from './limits.ts'
import { assertPassword } from './own-password.ts'
import type { AskAuth } from './sign-in.ts'

/** Refuses a code that the key does not make now, or that was used already; marks it as used. */
export async function assertTotp(tx: Tx, key: string, actor: Actor, code: string, now: Date) {
  if (!fitsTotp(key, code, now))
    wrongCode('Ese código no es correcto. Escribe el que tu aplicación muestra ahora.')
  if (!(await spendTotpCode(tx, actor.id, code, now)))
    wrongCode('Ese código ya se usó. Espera a que tu aplicación muestre el siguiente.')
}

/** Takes a recovery code off the list, or refuses it. */
async function spendRecoveryCode(tx: Tx, ask: AskAuth, row: typeof twoFactors.$inferSelect, code: string) {
  const left = withoutCode(await ask.unsealed(row.backupCodes), code)
  if (left === null) wrongCode('Ese código de recuperación no es correcto o ya se usó.')
  await tx
    .update(twoFactors)
    .set({ backupCodes: await ask.sealed(left) })
    .where(eq(twoFactors.id, row.id))
}

function wrongCode(message: string): never {
  throw new Refusal('invalid-argument', {
    title: 'Revisa el código',
    description: message,
    details: { errors: { code: message } },
  })
}

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
function withoutCode(kept: string, code: string): string | null {
  const hashes = hashesIn(kept)
  const left = hashes.filter((hash) => hash !== hashOf(code))
  return left.length < hashes.length ? JSON.stringify(left) : null
}

/** How long one code lasts, in seconds, and how many before and after the present one are taken: clocks differ. */
const period = 30
const skew = 1

// Any text serves as the key; these are the printable signs, 6.5 bits each: 131 bits that are 32 letters in base 32.
const [firstSign, signs, keyLength] = [33, 94, 20]

/** A fresh key for somebody's authenticator. */
export const newTotpKey = () =>
  String.fromCharCode(...Array.from({ length: keyLength }, () => firstSign + randomInt(signs)))

/** Whether a code of six digits is one that the key makes about now (RFC 6238, SHA-1). */
function fitsTotp(key: string, code: string, now: Date): boolean {
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

type Row = typeof twoFactors.$inferSelect

type Proof = { currentPassword: string; code: string }

/** New recovery codes; the old ones serve no more. */
export async function renewRecoveryCodes(
  db: Db,
  ask: AskAuth,
  actor: Actor,
  proof: Proof,
  now: Date,
): Promise<string[]> {
  const { codes, kept } = newRecoveryCodes()
  const backupCodes = await ask.sealed(kept)
  await withProof(db, ask, actor, proof, now, async (tx, row) => {
    await tx.update(twoFactors).set({ backupCodes }).where(eq(twoFactors.id, row.id))
    await record(tx, { ...by(actor), name: 'renew_recovery_codes' })
    await enqueue(tx, 'account-letter', { letter: 'recovery_codes_renewed', userId: actor.id })
  })
  return codes
}

/** Turns it off; secret and recovery codes are forgotten. */
export async function turnOffSecondFactor(
  db: Db,
  ask: AskAuth,
  actor: Actor,
  proof: Proof,
  now: Date,
): Promise<void> {
  await withProof(db, ask, actor, proof, now, async (tx) => {
    await eraseSecondFactor(tx, actor.id)
    await record(tx, { ...by(actor), name: 'turn_off_second_factor' })
    await enqueue(tx, 'account-letter', { letter: 'second_factor_off', userId: actor.id })
  })
  announce(db, { people: [actor.id], desk: false })
}

/** A change that takes the password and a code, of the authenticator or of recovery; either serves once. */
async function withProof(
  db: Db,
  ask: AskAuth,
  actor: Actor,
  { currentPassword, code }: Proof,
  now: Date,
  change: (tx: Tx, row: Row) => Promise<void>,
): Promise<void> {
  await assertPassword(db, actor, currentPassword, now)
  await countTry(db, 'second factor by account', actor.id, now)
  await transaction(db, async (tx) => {
    const [row] = await tx
      .select()
      .from(twoFactors)
      .where(and(eq(twoFactors.userId, actor.id), eq(twoFactors.verified, true)))
      .for('update')
    if (!row) refuse('failed-precondition', 'Tu segundo factor ya no está activado.')
    if (code.includes('-')) await spendRecoveryCode(tx, ask, row, code)
    else await assertTotp(tx, await ask.unsealed(row.secret), actor, code, now)
    await change(tx, row)
  })
}

const by = ({ id }: Actor) => ({ entity: 'user', entityId: id, actorId: id })
