import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { suppressionDue } from '../../domain/accounts/schema.ts'
import { log } from '../app/stop.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { type BlockedFile, blockedAccounts } from '../platform/database/schema/accounts.ts'
import { documents } from '../platform/database/schema/payments.ts'
import { type Drive, paperKey } from '../platform/storage/drive.ts'

const keyOf = (secret: string) => sealingKey(secret, 'blocked accounts')

/** Seals a user's data and stores them apart; the caller then erases them everywhere else, in the same transaction. */
export async function putAside(
  tx: Tx,
  customerId: string,
  { files, held }: { files: BlockedFile[]; held: unknown },
  secret: string,
  now: Date,
): Promise<void> {
  await tx.insert(blockedAccounts).values({
    customerId,
    files,
    blockedAt: now,
    suppressAt: suppressionDue(now),
    sealed: seal(keyOf(secret), JSON.stringify(held)),
  })
  await record(tx, { entity: 'user', entityId: customerId, name: 'block' })
}

/**
 * The sealed data, as their owner could read them; null where they were suppressed, or sealed with another AUTH_SECRET.
 */
export function unsealed(sealed: string | null, secret: string): Record<string, object[]> | null {
  const text = sealed && unseal(keyOf(secret), sealed)
  return text ? (JSON.parse(text) as Record<string, object[]>) : null
}

/**
 * Suppresses accounts that were blocked for their whole term: nothing is left, here or on the drive, except papers that
 * the tax office may ask for. Returns how many.
 */
export async function suppressDue(db: Db, drive: Drive, now: Date): Promise<number> {
  const isDue = and(isNull(blockedAccounts.suppressedAt), lte(blockedAccounts.suppressAt, now))
  const due = await db.select({ id: blockedAccounts.customerId }).from(blockedAccounts).where(isDue)
  for (const { id } of due) {
    const gone = await transaction(db, (tx) => suppress(tx, id, now))
    // A crash here leaves files without an owner, which the sweep removes.
    for (const { key } of gone) await drive.delete(key)
    log.info({ user: id }, 'data of a blocked account deleted')
  }
  return due.length
}

async function suppress(tx: Tx, customerId: string, now: Date): Promise<BlockedFile[]> {
  const mine = eq(blockedAccounts.customerId, customerId)
  const [held] = await tx
    .select({ files: blockedAccounts.files })
    .from(blockedAccounts)
    .where(and(mine, isNull(blockedAccounts.suppressedAt)))
    .for('update', { skipLocked: true })
  if (!held) return []
  await tx.update(blockedAccounts).set({ sealed: null, files: [], suppressedAt: now }).where(mine)
  await record(tx, { entity: 'user', entityId: customerId, name: 'erase' })
  const kept = new Set(await papersKept(tx, customerId))
  return held.files.filter(({ key }) => !kept.has(key))
}

/**
 * The drive keys of papers that tax law requires to be kept: those whose rows were left in place. `deleteFiscalData`
 * removes them.
 */
async function papersKept(tx: Tx, customerId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.customerId, customerId), isNull(documents.replacedAt)))
  return rows.map(paperKey)
}

/** Those of these drive keys that a blocked account still holds. */
export async function heldKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ key: string }>(sql`
    select file->>'key' as key from blocked_accounts, jsonb_array_elements(files) file
    where file->>'key' in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`)
  return rows.map(({ key }) => key)
}

const cipher = 'aes-256-gcm'
const [ivLength, tagLength] = [12, 16]

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
