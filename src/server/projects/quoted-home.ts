import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { type Home, homeLine, isSameHome } from '../../domain/projects/address.ts'
import {
  type Place,
  type PostalLine,
  parsePostalList,
  placeOf,
  placeOfLine,
} from '../../domain/projects/postal-codes.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Queryable, transaction } from '../platform/database/client.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { addresses, postalCodes } from '../platform/database/schema/projects.ts'

const present = and(eq(addresses.projectId, quotes.projectId), isNull(addresses.archivedAt))

/**
 * The home that a project's accepted quote is for, or the one that the manager approved since in its place; null while
 * no quote is accepted. It is the home of the sent quote, regardless of later changes of the address.
 */
export async function quotedHome(db: Queryable, projectId: string): Promise<Home | null> {
  const [row] = await db
    .select({ quoted: quotes.address, sentAt: quotes.sentAt, address: addresses })
    .from(quotes)
    .leftJoin(addresses, present)
    .where(
      and(eq(quotes.projectId, projectId), eq(quotes.kind, 'installation'), eq(quotes.state, 'accepted')),
    )
  if (!row) return null
  return isApproved(row.address, row.sentAt) ? row.address : (row.quoted ?? row.address)
}

const isApproved = (
  address: { approvedAt: Date | null } | null,
  sentAt: Date | null,
): address is NonNullable<typeof address> =>
  Boolean(address?.approvedAt && (!sentAt || address.approvedAt > sentAt))

/** Refuses another home than the one that a project's accepted quote is for. The writer holds the project's row. */
export async function assertQuotedHome(db: Queryable, projectId: string, wished: Home): Promise<void> {
  const home = await quotedHome(db, projectId)
  if (home && !isSameHome(home, wished))
    refuse(
      'failed-precondition',
      `Tu cotización es para este domicilio: ${homeLine(home)}. Para instalar en otro, pide ayuda y lo vemos contigo.`,
      { offers: 'help' },
    )
}

/** Refuses to remove the home of an accepted quote from its project. */
export async function assertNotQuoted(db: Queryable, projectId: string): Promise<void> {
  if (await quotedHome(db, projectId))
    refuse(
      'failed-precondition',
      'Tu cotización es para este domicilio, así que no se puede quitar. Pide ayuda si ya no vives ahí.',
      { offers: 'help' },
    )
}

type Sent = Pick<typeof quotes.$inferSelect, 'projectId' | 'address' | 'sentAt'>

/** Refuses to accept a quote for a home that its customer has left since. */
export async function assertStillHome(
  db: Queryable,
  { address: quoted, projectId, sentAt }: Sent,
): Promise<void> {
  const own = and(eq(addresses.projectId, projectId), isNull(addresses.archivedAt))
  const [address] = await db.select().from(addresses).where(own)
  if (!quoted || !address || isApproved(address, sentAt) || isSameHome(quoted, address)) return
  refuse(
    'failed-precondition',
    `Esta cotización es para ${homeLine(quoted)}, y tu domicilio ya es otro. Si sigue siendo tu casa, corrígelo en Mi domicilio; si te cambiaste, pide ayuda.`,
    { offers: 'help' },
  )
}

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
