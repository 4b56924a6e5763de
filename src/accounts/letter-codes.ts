import { eq, sql } from 'drizzle-orm'
import type { Queryable, Tx } from '../platform/database/client.ts'
import { letterCodes } from '../platform/database/schema/accounts.ts'
import { hashOf } from '../platform/http/sealing.ts'
import { Refusal } from '../shared/refusal.ts'
import { untilMoment } from '../shared/spoken-days.ts'
import { newCode } from './limits.ts'

export type Purpose = (typeof letterCodes.$inferSelect)['purpose']
export type LetterCode = typeof letterCodes.$inferSelect

const lifetimeHours = 1
/** How long the owner may take to claim an account that the office opened. */
export const claimDays = 7
/** Hours that the letter that changes an e-mail is valid, and the letter by which the old mailbox objects. */
export const emailChangeHours = 24
const objectionDays = 7

/** The link of an e-mail, in the specification's form. */
export const codeLink = (
  baseUrl: string,
  mode: 'resetPassword' | 'verifyEmail' | 'verifyAndChangeEmail' | 'recoverEmail',
  code: string,
) => `${baseUrl}/recover-password?mode=${mode}&oobCode=${code}`

/** A code, whose text is only here, and until when it is valid, in words. */
export type FreshCode = { code: string; until: string }

/** A new code for an e-mail. */
export const makeCode = (
  db: Queryable,
  purpose: Purpose,
  userId: string,
  now: Date,
  hours = lifetimeHours,
): Promise<FreshCode> => insertCode(db, { purpose, userId }, hours, now)

/** The same for a link to an account that the office opened, which reaches its owner otherwise than by the mailbox. */
export const makeClaimLink = (db: Queryable, userId: string, now: Date): Promise<FreshCode> =>
  insertCode(db, { purpose: 'reset_password', userId, provesMailbox: false }, claimDays * 24, now)

/** The same for the letters of an e-mail change, each bound to its change. */
export const makeChangeCode = (
  db: Queryable,
  purpose: 'change_email' | 'object_email',
  { id: emailChangeId, userId }: { id: string; userId: string },
  now: Date,
): Promise<FreshCode> =>
  insertCode(
    db,
    { purpose, userId, emailChangeId },
    purpose === 'change_email' ? emailChangeHours : objectionDays * 24,
    now,
  )

async function insertCode(
  db: Queryable,
  about: Omit<typeof letterCodes.$inferInsert, 'codeHash' | 'expiresAt'>,
  hours: number,
  now: Date,
): Promise<FreshCode> {
  const { code, hash } = newCode()
  const expiresAt = new Date(now.getTime() + hours * 3_600_000)
  await db.insert(letterCodes).values({ ...about, codeHash: hash, expiresAt })
  return { code, until: untilMoment(expiresAt, now) }
}

/** The row of a valid code. A used, an expired and a forged one are refused, each with its own message. */
export async function readCode(
  db: Queryable,
  purpose: Purpose,
  code: string,
  now: Date,
): Promise<LetterCode> {
  const row = await rowOf(db, purpose, code)
  if (!row) throw forged()
  if (row.usedAt) throw used()
  if (row.expiresAt <= now) throw expired()
  return row
}

/** The row of a code that may have expired: its holder may request the next. Null for a forged one. */
export async function rowOf(db: Queryable, purpose: Purpose, code: string): Promise<LetterCode | null> {
  const [row] = await db
    .select()
    .from(letterCodes)
    .where(sql`${letterCodes.codeHash} = ${hashOf(code)} and ${letterCodes.purpose} = ${purpose}`)
  return row ?? null
}

/**
 * Uses a code, with the change it stands for: of two at once the second finds it used. The user's other letters of the
 * same kind stop working.
 */
export async function useCode(tx: Tx, purpose: Purpose, code: string, now: Date): Promise<LetterCode> {
  await tx
    .select({ id: letterCodes.id })
    .from(letterCodes)
    .where(eq(letterCodes.codeHash, hashOf(code)))
    .for('update')
  const row = await readCode(tx, purpose, code, now)
  await voidCodes(tx, purpose, row.userId, now)
  return row
}

/** Voids a user's letters of one kind. */
export async function voidCodes(tx: Tx, purpose: Purpose, userId: string, now: Date): Promise<void> {
  await tx
    .update(letterCodes)
    .set({ usedAt: now })
    .where(
      sql`${letterCodes.userId} = ${userId} and ${letterCodes.purpose} = ${purpose} and ${letterCodes.usedAt} is null`,
    )
}

/** What a used link asked for holds already, by it or otherwise: no failure for who opens it again. */
export const settled = (title: string, description: string) =>
  new Refusal('failed-precondition', { title, description, details: { reason: 'settled' } })

const used = () =>
  new Refusal('failed-precondition', {
    title: 'Este enlace ya se usó',
    description: 'Cada enlace sirve una sola vez. Pide otro si todavía lo necesitas.',
    details: { reason: 'used' },
  })

const expired = () =>
  new Refusal('failed-precondition', {
    title: 'Este enlace venció',
    description: 'Cada enlace sirve por un tiempo. Pide otro.',
    details: { reason: 'expired' },
  })

const forged = () =>
  new Refusal('invalid-argument', {
    title: 'Este enlace no es válido',
    description: 'Puede que esté incompleto. Ábrelo de nuevo desde el correo, o pide otro.',
    details: { reason: 'forged' },
  })
