import { and, inArray, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../access/rules/actor.ts'
import { uploadShareOf } from '../../documents/rules/document.ts'
import { waitInWords } from '../../shared/format.ts'
import { Refusal } from '../../shared/refusal.ts'
import { type Db, databaseFault, isId, queryRows } from '../database/client.ts'
import { files } from '../database/schema/appointments.ts'
import { documents } from '../database/schema/payments.ts'
import { log } from '../telemetry/log.ts'
import { type Drive, keysOf, paperKey } from './drive.ts'

type Store = { db: Db; drive: Drive }

/**
 * Runs the change that needs bytes on the drive. If refused, they are removed, unless a current row names them; if
 * done, those no longer needed are removed. With an unknown outcome (the answer to a commit was lost) they are left to
 * the sweep.
 */
export async function keepOnly<Result>(
  { db, drive }: Store,
  keys: readonly string[],
  change: () => Promise<Result>,
  unneeded: (result: Result) => Promise<readonly string[]> | readonly string[],
): Promise<Result> {
  let result: Result
  try {
    result = await change()
  } catch (error) {
    if (isRefused(error)) await dropped(() => dropOrphans(db, drive, keys))
    throw error
  }
  await dropped(async () => dropOrphans(db, drive, await unneeded(result)))
  return result
}

const isRefused = (error: unknown) =>
  error instanceof Refusal || databaseFault(error).constraint !== undefined

/** The change stands, even if this fails. */
export const dropped = (drop: () => Promise<unknown>) =>
  drop().catch((err) => log.warn({ err }, 'unneeded file not deleted, left to the sweep'))

const hourMs = 3_600_000

/**
 * Counts an upload in its sender's share of this hour, and refuses what does not fit in the share or on the disk.
 * Checked once all is received, before processing, so that a lost network costs nothing.
 */
export async function takeShare(db: Db, drive: Drive, actor: Actor, bytes: number, now: Date): Promise<void> {
  await drive.demandRoom(bytes)
  const share = uploadShareOf(actor)
  const files = `uploads ${actor.id}`
  const kilobytes = `uploaded kilobytes ${actor.id}`
  const sent = Math.ceil(bytes / 1024)
  const endsAt = new Date(now.getTime() + hourMs)
  // One statement: of any number at once exactly those that fit pass.
  const rows = await queryRows<[key: string, count: number, endsAt: Date]>(
    db,
    sql`insert into limits as kept (key, count, window_ends_at) values (${files}, 1, ${endsAt}), (${kilobytes}, ${sent}, ${endsAt})
    on conflict (key) do update set
      count = excluded.count + case when kept.window_ends_at <= ${now} then 0 else kept.count end,
      window_ends_at = case when kept.window_ends_at <= ${now} then excluded.window_ends_at else kept.window_ends_at end
    returning key, count, window_ends_at`,
  )
  const [full] = rows.filter(([key, count]) => count > (key === files ? share.files : share.kilobytes))
  if (!full) return
  await queryRows(
    db,
    sql`update limits set count = greatest(count - case when key = ${files} then 1 else ${sent} end, 0)
    where key in (${files}, ${kilobytes})`,
  )
  const wait = waitInWords((full[2].getTime() - now.getTime()) / 1000)
  throw new Refusal('resource-exhausted', {
    title: 'Muchos archivos seguidos',
    description: `Este no se guardó. Espera ${wait} y vuelve a enviarlo; todo lo demás funciona como siempre.`,
  })
}

/** Younger files may still wait for their row. */
const graceMs = 24 * 60 * 60 * 1000
const batch = 500

/**
 * Deletes files on the drive that belong to no current file or document and no blocked account: the remains of a crash
 * between bytes and row, or between row and bytes. Returns how many.
 */
export async function sweepFiles(db: Db, drive: Drive, now: Date): Promise<number> {
  let count = 0
  let old: string[] = []
  for await (const { at, key } of drive.all()) {
    if (now.getTime() - at.getTime() < graceMs) continue
    old.push(key)
    if (old.length < batch) continue
    count += await dropOrphans(db, drive, old)
    old = []
  }
  return count + (await dropOrphans(db, drive, old))
}

/** Deletes those of these keys that no current row and no blocked account names. Returns how many. */
async function dropOrphans(db: Db, drive: Drive, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0
  const ids = keys.map((key) => key.split('/')[1] ?? '').filter(isId)
  const [pictures, papers, blocked] = await Promise.all([
    db
      .select()
      .from(files)
      .where(and(inArray(files.id, ids), isNull(files.replacedAt))),
    db
      .select({ id: documents.id })
      .from(documents)
      .where(and(inArray(documents.id, ids), isNull(documents.replacedAt))),
    heldKeys(db, keys),
  ])
  const needed = new Set([
    ...pictures.flatMap((file) => Object.values(keysOf(file))),
    ...papers.map(paperKey),
    ...blocked,
  ])
  const orphans = keys.filter((key) => !needed.has(key))
  for (const key of orphans) await drive.delete(key)
  return orphans.length
}

/** Those of these drive keys that a blocked account still holds. */
async function heldKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ key: string }>(sql`
    select file->>'key' as key from blocked_accounts, jsonb_array_elements(files) file
    where file->>'key' in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`)
  return rows.map(({ key }) => key)
}
