import { createHash } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { assertUndecided, reconciles } from '../../domain/payments/bank-matching.ts'
import {
  type BankColumns,
  type BankLine,
  bankTable,
  readBankTable,
} from '../../domain/payments/bank-statement.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { bankLines, bankStatements } from '../platform/database/schema/payments.ts'
import { announce } from '../platform/live/announcements.ts'

/** How many movements one file may have: what is more is no month of ours. */
const mostLines = 5_000

/** How many rows go into one statement. */
const chunk = 500

/** How many rows that are no movement are told by number. */
const toldUnread = 20

type Read = { added: number; known: number }

/** Reads a file by its columns: its money in becomes movements, each once, whatever other file tells it too. Sent again, it is the same. */
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
    const { debits, lines, unread } = readBankTable(bankTable(held.content), held.head, columns)
    assertSome(lines)
    const added = await insertLines(tx, statementId, lines)
    const counts = {
      linesNew: added,
      linesKnown: lines.length - added,
      debits,
      unread: unread.slice(0, toldUnread),
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

/** How many of them nobody had told yet. In one order, so that two files that overlap never wait for each other in a circle. */
async function insertLines(tx: Tx, statementId: string, lines: readonly BankLine[]): Promise<number> {
  const rows = lines.map(({ identity, row, ...line }) => ({
    ...{ ...line, statementId, rowNumber: row },
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
 * Takes a file back that was read, with all of its movements, so that it can be read anew by other columns. Whoever decides
 * about one of them in the same moment comes first, and it stays, or finds it gone. Done twice, it is the same.
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
