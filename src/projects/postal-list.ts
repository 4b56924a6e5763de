import { asc, eq, sql } from 'drizzle-orm'
import { type Db, transaction } from '../platform/database/client.ts'
import { postalCodes } from '../platform/database/schema/projects.ts'
import { type Place, type PostalLine, parsePostalList, placeOf, placeOfLine } from './rules/postal-codes.ts'

/** Where a code lies: by the official list when it was loaded and knows it, otherwise by its digits. */
export async function placeOfCode(db: Db, postalCode: string): Promise<Place> {
  const [line] = await db.select().from(postalCodes).where(eq(postalCodes.postalCode, postalCode)).limit(1)
  return line ? placeOfLine(line) : placeOf(postalCode)
}

/** The settlements of a code, to choose from; none when the list was not loaded. */
export async function coloniasOf(db: Db, postalCode: string): Promise<string[]> {
  const rows = await db
    .select({ colonia: postalCodes.colonia })
    .from(postalCodes)
    .where(eq(postalCodes.postalCode, postalCode))
    .orderBy(asc(sql`${postalCodes.colonia} collate es`))
  return rows.map(({ colonia }) => colonia)
}

/** Replaces the list by the official file's; answers how many settlements it has. All of it, or nothing. */
export async function importPostalList(db: Db, file: Uint8Array): Promise<number> {
  // The postal service publishes it in Latin-1.
  const lines = distinct(parsePostalList(new TextDecoder('windows-1252').decode(file)))
  if (lines.length === 0) throw new Error('The file holds no postal codes.')
  await transaction(db, async (tx) => {
    await tx.delete(postalCodes)
    for (let from = 0; from < lines.length; from += 5_000)
      await tx.insert(postalCodes).values(lines.slice(from, from + 5_000))
  })
  return lines.length
}

const distinct = (lines: readonly PostalLine[]) => [
  ...new Map(lines.map((line) => [`${line.postalCode} ${line.colonia}`, line])).values(),
]
