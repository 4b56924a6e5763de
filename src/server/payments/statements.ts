import { createHash } from 'node:crypto'
import { and, asc, desc, eq, exists, isNotNull, isNull, ne, notExists, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { assertUndecided, reconciles } from '../../domain/payments/bank-matching.ts'
import {
  type BankColumns,
  type BankLine,
  bankTable,
  bankText,
  guessColumns,
  isText,
  readBankTable,
  rememberedColumns,
} from '../../domain/payments/bank-statement.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { tidy } from '../../domain/shared/text.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { bankLines, bankStatements } from '../platform/database/schema/payments.ts'
import { announce } from '../platform/live/announcements.ts'

/** Above any month of one account. */
const largest = 1024 * 1024
const mostRows = 20_000
const wrong = (message: string) => refuse('invalid-argument', message, { errors: { file: message } })

/** Stores a bank statement, whose columns are confirmed next; the same file sent twice is one. Returns its id. */
export async function takeStatement(db: Db, actor: Actor, file: File | null): Promise<string> {
  if (!reconciles(actor)) refuse('permission-denied')
  if (!file) return wrong('Elige el archivo de tu banco.')
  if (file.size > largest)
    return wrong('El archivo pesa demasiado. Sube uno de hasta 1\u00a0MB, por ejemplo de un mes.')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const content = textOf(bytes)
  const { columns, head } = guessColumns(bankTable(content))
  const headWords = head === -1 ? '' : JSON.stringify(bankTable(content)[head])
  const name = [...(tidy(file.name) || 'movimientos.csv')].slice(0, 200).join('')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return transaction(db, async (tx) => {
    // A user's earlier unread files are replaced; those of other users expire.
    await tx
      .delete(bankStatements)
      .where(and(isNull(bankStatements.readAt), eq(bankStatements.uploadedBy, actor.id)))
    const known = await knownColumns(tx, headWords)
    const row = {
      name,
      sha256,
      content,
      head,
      headWords,
      columns: known ? rememberedColumns(known, columns, bankTable(content)[head] ?? []) : columns,
      uploadedBy: actor.id,
    }
    const [made] = await tx.insert(bankStatements).values(row).returning({ id: bankStatements.id })
    return made!.id
  })
}

function textOf(bytes: Uint8Array): string {
  const begins = String.fromCharCode(...bytes.slice(0, 4))
  if (begins.startsWith('PK') || begins.startsWith('\xd0\xcf'))
    return wrong('Es un archivo de Excel. Ábrelo, guárdalo como CSV y sube ese.')
  if (begins.startsWith('%PDF')) return wrong('Es un PDF. Descarga los movimientos de tu banco como CSV.')
  // PostgreSQL text cannot contain NUL.
  const text = bankText(bytes).replaceAll('\0', '')
  if (pictures.some((begin) => begins.startsWith(begin)) || !isText(text))
    return wrong(
      'No es un CSV: parece una imagen u otro programa. Descarga los movimientos de tu banco como CSV.',
    )
  const table = bankTable(text)
  if (!table.some((row) => row.length > 1))
    return wrong('En este archivo no hay columnas. Sube el CSV de movimientos de tu banco.')
  if (table.length > mostRows)
    return wrong('El archivo tiene más de 20,000 renglones. Súbelo por partes, por ejemplo por mes.')
  return text
}

/** PNG, JPEG and GIF, whatever their name says. */
const pictures = ['\x89PNG', '\xff\xd8\xff', 'GIF8']

/** The columns chosen for the last file with the same headings. */
async function knownColumns(tx: Queryable, headWords: string): Promise<BankColumns | null> {
  if (!headWords) return null
  const [row] = await tx
    .select({ columns: bankStatements.columns })
    .from(bankStatements)
    .where(and(eq(bankStatements.headWords, headWords), isNotNull(bankStatements.readAt)))
    .orderBy(desc(bankStatements.readAt))
    .limit(1)
  return row?.columns ?? null
}

/** A file whose columns are not confirmed yet, for the user who uploaded it; null when there is none. */
export async function draftStatement(db: Db, actor: Actor, id: string) {
  if (!reconciles(actor) || !isId(id)) return null
  const [row] = await db
    .select()
    .from(bankStatements)
    .where(
      and(eq(bankStatements.id, id), eq(bankStatements.uploadedBy, actor.id), isNull(bankStatements.readAt)),
    )
  if (!row?.content) return null
  const { columns, content, head, name, version } = row
  return { id, name, version, head, columns, table: bankTable(content) }
}

/** Discards a file that was not imported yet. Called again, it changes nothing. */
export async function discardStatement(db: Db, actor: Actor, id: string): Promise<void> {
  if (!reconciles(actor)) refuse('permission-denied')
  await db
    .delete(bankStatements)
    .where(
      and(eq(bankStatements.id, id), eq(bankStatements.uploadedBy, actor.id), isNull(bankStatements.readAt)),
    )
}

/** The imported files, the latest first, and which of them can be removed. */
export async function readStatements(db: Db, actor: Actor) {
  if (!reconciles(actor)) return []
  const { debits, id, linesKnown, linesNew, name, readAt, unread } = bankStatements
  const linesOf = (within?: SQL) =>
    db
      .select({ id: bankLines.id })
      .from(bankLines)
      .where(and(eq(bankLines.statementId, id), within))
  return db
    .select({
      id,
      name,
      debits,
      linesKnown,
      linesNew,
      unread,
      readAt: sql<Date>`${readAt}`.mapWith(readAt),
      canGoBack: sql<boolean>`${exists(linesOf())} and ${notExists(linesOf(ne(bankLines.state, 'open')))}`,
    })
    .from(bankStatements)
    .where(isNotNull(readAt))
    .orderBy(desc(readAt), desc(id))
    .limit(12)
}

export type ReadStatement = Awaited<ReturnType<typeof readStatements>>[number]

/** The most lines of a file. */
const mostLines = 5_000

/** The rows in one SQL statement. */
const chunk = 500

/** The most unreadable rows that are listed by number. */
const toldUnread = 20

type Read = { added: number; known: number }

/**
 * Imports a file by its columns: each credit becomes one bank line, even if another file contains it too. The same form
 * sent twice is one import.
 */
export async function readStatement(
  db: Db,
  actor: Actor,
  { columns, statementId, version }: { statementId: string; version: number; columns: BankColumns },
  now: Date,
): Promise<Read> {
  if (!reconciles(actor)) refuse('permission-denied')
  const read = await transaction(db, async (tx) => {
    const [held] = await tx
      .select()
      .from(bankStatements)
      .where(eq(bankStatements.id, statementId))
      .for('update')
    if (held?.uploadedBy !== actor.id) return refuse('not-found')
    if (held.content === null) return { added: held.linesNew, known: held.linesKnown }
    if (held.version !== version) refuse('aborted')
    const { days, debits, lines, unread } = readBankTable(bankTable(held.content), held.head, columns)
    assertSome(lines)
    const added = await insertLines(tx, statementId, lines)
    const counts = {
      linesNew: added,
      linesKnown: lines.length - added,
      debits,
      unread: unread.slice(0, toldUnread),
      coversFrom: days?.from ?? null,
      coversTo: days?.to ?? null,
    }
    await tx
      .update(bankStatements)
      .set({ ...counts, columns, content: null, readAt: now, version: version + 1 })
      .where(eq(bankStatements.id, statementId))
    const about = { entity: 'bank_statement', entityId: statementId, actorId: actor.id, name: 'read' }
    await record(tx, { ...about, data: { added, known: lines.length - added } })
    return { added, known: lines.length - added }
  })
  announce(db, { people: [] })
  return read
}

function assertSome({ length }: readonly BankLine[]): void {
  if (length === 0)
    refuse(
      'invalid-argument',
      'Con esas columnas no hay ningún abono. Revisa la de la fecha y la de la cantidad.',
      {
        errors: { credit: 'Aquí no leemos ninguna cantidad recibida.' },
      },
    )
  if (length > mostLines)
    refuse(
      'invalid-argument',
      'El archivo tiene más de 5,000 abonos. Súbelo por partes, por ejemplo por mes.',
    )
}

/** Returns how many lines were new. Inserted in one order, so that two overlapping files cannot deadlock. */
async function insertLines(tx: Tx, statementId: string, lines: readonly BankLine[]): Promise<number> {
  const rows = lines.map(({ identity, row, ...line }) => ({
    ...line,
    statementId,
    rowNumber: row,
    hash: createHash('sha256').update(identity).digest('hex'),
  }))
  rows.sort((a, b) => (a.hash < b.hash ? -1 : 1))
  let added = 0
  for (let at = 0; at < rows.length; at += chunk) {
    const made = await tx
      .insert(bankLines)
      .values(rows.slice(at, at + chunk))
      .onConflictDoNothing()
      .returning({ id: bankLines.id })
    added += made.length
  }
  return added
}

/**
 * Removes an imported file with all of its lines, so that it can be imported again with other columns; refused once a line
 * was decided. Called again, it changes nothing.
 */
export async function takeBackStatement(db: Db, actor: Actor, id: string): Promise<void> {
  if (!reconciles(actor)) refuse('permission-denied')
  await transaction(db, async (tx) => {
    const [held] = await tx.select().from(bankStatements).where(eq(bankStatements.id, id)).for('update')
    if (!held) return
    if (held.readAt === null) refuse('not-found')
    const lines = await tx
      .select({ state: bankLines.state })
      .from(bankLines)
      .where(eq(bankLines.statementId, id))
      .orderBy(asc(bankLines.id))
      .for('update')
    assertUndecided(lines.map(({ state }) => state))
    await tx.delete(bankLines).where(eq(bankLines.statementId, id))
    await tx.delete(bankStatements).where(eq(bankStatements.id, id))
    const about = { entity: 'bank_statement', entityId: id, actorId: actor.id, name: 'take_back' }
    await record(tx, { ...about, data: { lines: lines.length, columns: held.columns } })
  })
  announce(db, { people: [] })
}
