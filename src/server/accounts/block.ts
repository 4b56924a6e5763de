import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { suppressionDue } from '../../domain/accounts/schema.ts'
import { log } from '../app/log.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { documents } from '../platform/database/schema/money-schema.ts'
import { type BlockedFile, blockedAccounts } from '../platform/database/schema/privacy-schema.ts'
import { type Drive, paperKey } from '../platform/storage/drive.ts'
import { seal, sealingKey, unseal } from './seal.ts'

const keyOf = (secret: string) => sealingKey(secret, 'blocked accounts')

/** Puts what was held of somebody aside, sealed; whoever calls this then erases it everywhere else, in the same transaction. */
export async function putAside(
  tx: Tx,
  customerId: string,
  { files, held }: { files: BlockedFile[]; held: unknown },
  secret: string,
  now: Date,
): Promise<void> {
  await tx.insert(blockedAccounts).values({
    ...{ customerId, files, blockedAt: now, suppressAt: suppressionDue(now) },
    sealed: seal(keyOf(secret), JSON.stringify(held)),
  })
  await record(tx, { entity: 'user', entityId: customerId, name: 'block' })
}

/** What was put aside, as its owner could read it; null where it was suppressed, or sealed with another AUTH_SECRET. */
export function unsealed(sealed: string | null, secret: string): Record<string, object[]> | null {
  const text = sealed && unseal(keyOf(secret), sealed)
  return text ? (JSON.parse(text) as Record<string, object[]>) : null
}

/** Suppresses what has been blocked for its whole term: nothing of it is left, here or on the drive, but the papers that the tax office may ask for. Answers how many. */
export async function suppressDue(db: Db, drive: Drive, now: Date): Promise<number> {
  const isDue = and(isNull(blockedAccounts.suppressedAt), lte(blockedAccounts.suppressAt, now))
  const due = await db.select({ id: blockedAccounts.customerId }).from(blockedAccounts).where(isDue)
  for (const { id } of due) {
    const gone = await transaction(db, (tx) => suppress(tx, id, now))
    // What a crash leaves here is nobody's any more, so the sweep takes it.
    for (const { key } of gone) await drive.delete(key)
    log.info({ user: id }, 'the data of a blocked account were suppressed')
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

/** Where the papers lie that the tax law wants kept: those whose rows were left in place. They go with `forgetFiscal`. */
async function papersKept(tx: Tx, customerId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.customerId, customerId), isNull(documents.replacedAt)))
  return rows.map(paperKey)
}

/** Of these keys of the drive those that a blocked account still holds. */
export async function heldKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ key: string }>(sql`
    select file->>'key' as key from blocked_accounts, jsonb_array_elements(files) file
    where file->>'key' in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`)
  return rows.map(({ key }) => key)
}
