import { isNull } from 'drizzle-orm'
import type { Db } from '../database/database.ts'
import { documents } from '../database/schema/money-schema.ts'
import { files } from '../database/schema/sheet-schema.ts'
import { type Drive, keysOf, paperKey } from './drive.ts'

/** The keys that living rows name and the drive does not have. */
export async function missingFiles(db: Db, drive: Drive): Promise<string[]> {
  const there = new Set<string>()
  for await (const { key } of drive.all()) there.add(key)
  const pictures = await db.select().from(files).where(isNull(files.replacedAt))
  const papers = await db.select({ id: documents.id }).from(documents).where(isNull(documents.replacedAt))
  const needed = [...pictures.flatMap((file) => Object.values(keysOf(file))), ...papers.map(paperKey)]
  return needed.filter((key) => !there.has(key))
}
