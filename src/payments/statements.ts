import { createHash } from 'node:crypto'
import { and, asc, desc, eq, exists, isNotNull, ne, notExists, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { bankLines, bankStatements } from '../platform/database/schema/payments.ts'
import { announce } from '../platform/live/announcements.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { answerName, mostAsked } from './rules/bank-columns.ts'
import type { AlikeLine } from './rules/bank-known.ts'
import { assertUndecided, reconciles } from './rules/bank-matching.ts'
import type { BankLine, BankReading } from './rules/bank-statement.ts'
import type { StatementInput } from './rules/schema.ts'
import { draftOf, keepReading, readDraft } from './statement-drafts.ts'

/** The imported files, the latest first, and which of them can be removed. */
export async function readStatements(db: Db, actor: Actor) {
  if (!reconciles(actor)) return []
  const { account, debits, id, linesKnown, linesNew, name, readAt, unread } = bankStatements
  const linesOf = (within?: SQL) =>
    db
      .select({ id: bankLines.id })
      .from(bankLines)
      .where(and(eq(bankLines.statementId, id), within))
  return db
    .select({
      id,
      name,
      account,
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

/** The rows in one SQL statement. */
const chunk = 500

/** The most unreadable rows that are listed by number. */
const toldUnread = 20

/** Movements that were added, known before, and left out because they are like known ones. */
export type ImportedCounts = { added: number; known: number; left: number }

/** Two files are compared with what is stored one after the other. */
const comparing = sql`select pg_advisory_xact_lock(726013)`

/**
 * Imports a file as it is to be read: each credit becomes one bank line, even if another file contains it too. What must
 * be asked first is refused, and the file keeps how it was to be read. The same form sent twice is one import.
 */
export async function readStatement(
  db: Db,
  actor: Actor,
  { others, seen, ...input }: StatementInput,
  now: Date,
): Promise<ImportedCounts> {
  if (!reconciles(actor)) refuse('permission-denied')
  const read = await transaction(db, async (tx) => {
    const held = await draftOf(tx, actor, input)
    if (held.content === null) return { added: held.linesNew, known: held.linesKnown, left: 0 }
    await keepReading(tx, held, input)
    await tx.execute(comparing)
    const { alike, digest, fresh, known, reading } = await readDraft(tx, { ...held, ...input })
    const question = questionOf(reading!, input.account, alike.length > 0 && digest !== seen)
    if (question) return question
    const chosen = alike.filter(({ line }) => others.includes(line.row))
    await insertLines(tx, held.id, [...fresh, ...chosen.map(keptApart)])
    const added = fresh.length + chosen.length
    const left = alike.length - chosen.length
    const counts = {
      linesNew: added,
      linesKnown: known + left,
      debits: reading!.debits,
      unread: reading!.unread.slice(0, toldUnread).map(({ row }) => row),
      coversFrom: reading!.days?.from ?? null,
      coversTo: reading!.days?.to ?? null,
    }
    await tx
      .update(bankStatements)
      .set({ ...counts, content: null, readAt: now, version: held.version + 1 })
      .where(eq(bankStatements.id, held.id))
    const about = { entity: 'bank_statement', entityId: held.id, actorId: actor.id, name: 'read' }
    await record(tx, { ...about, data: { added, known, left } })
    return { added, known, left }
  })
  if (read instanceof Refusal) throw read
  announce(db, { people: [] })
  return read
}

/** What must be answered before a file is imported; null where nothing must. */
function questionOf({ asked, lines }: BankReading, account: string, hasUnseen: boolean): Refusal | null {
  const at = (field: string, message: string) =>
    new Refusal('invalid-argument', { description: message, details: { errors: { [field]: message } } })
  if (asked.length > mostAsked)
    return at('sign', `Esa columna trae ${asked.length} textos distintos: elige la que dice cargo o abono.`)
  const open = asked.find(({ answer }) => !answer)
  if (open) return at(answerName + open.word, 'Dinos si ese dinero entró o salió.')
  if (lines.length === 0)
    return at('credit', 'Con esas columnas no hay ningún abono. Revisa la de la fecha y la de la cantidad.')
  if (!account)
    return at('account', 'Escribe los últimos 4 dígitos de la cuenta, o un nombre para reconocerla.')
  return hasUnseen
    ? new Refusal('failed-precondition', {
        title: 'Hay movimientos parecidos a los que ya tienes',
        description: 'Marca los que son otros. Los demás quedan fuera.',
      })
    : null
}

/** A line that is another than the one like it: where both have one key, its key is kept as text. */
const keptApart = ({ like, line }: AlikeLine): BankLine =>
  line.trackingKey !== null && line.trackingKey === like.trackingKey
    ? { ...line, trackingKey: null, reference: `${line.trackingKey} ${line.reference}`.trim().slice(0, 60) }
    : line

async function insertLines(tx: Tx, statementId: string, lines: readonly BankLine[]): Promise<void> {
  const rows = lines.map(({ row, ...line }) => ({
    ...line,
    statementId,
    rowNumber: row,
    hash: createHash('sha256').update(`${statementId} ${row}`).digest('hex'),
  }))
  for (let at = 0; at < rows.length; at += chunk)
    await tx.insert(bankLines).values(rows.slice(at, at + chunk))
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
