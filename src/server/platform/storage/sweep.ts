import { and, inArray, isNull } from 'drizzle-orm'
import { heldKeys } from '../../accounts/block.ts'
import type { Db } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { documents } from '../database/schema/money-schema.ts'
import { files } from '../database/schema/sheet-schema.ts'
import { type Drive, keysOf, paperKey } from './drive.ts'

/** What is younger may be on its way to its row. */
const graceMs = 24 * 60 * 60 * 1000
const batch = 500

/** Deletes what lies on the drive and is no living file's or document's, nor a blocked account's: of a crash between bytes and row, or between row and bytes. Answers how many. */
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

/** Deletes of these keys what no living row names, and no blocked account. Answers how many. */
export async function dropOrphans(db: Db, drive: Drive, keys: readonly string[]): Promise<number> {
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
