import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { and, between, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { bankLines, bankStatements } from '../platform/database/schema/payments.ts'
import { addDays } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { tidy } from '../shared/text.ts'
import type { BankTable } from './rules/bank-cells.ts'
import {
  accountKey,
  guessColumns,
  mostAsked,
  mostColumns,
  namedAccount,
  neededFields,
  rememberedColumns,
} from './rules/bank-columns.ts'
import { alikeWithinDays, compareLines, type StoredLine } from './rules/bank-known.ts'
import { reconciles } from './rules/bank-matching.ts'
import { type BankLine, readBankTable } from './rules/bank-statement.ts'
import { bankTable, bankText, isText } from './rules/bank-table.ts'
import type { StatementInput } from './rules/schema.ts'

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
  const table = tableOf(content)
  const { columns, head } = guessColumns(table)
  const headWords = head === -1 ? '' : JSON.stringify(table[head])
  const name = [...(tidy(file.name) || 'movimientos.csv')].slice(0, 200).join('')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return transaction(db, async (tx) => {
    // A user's earlier unread files are replaced; those of other users expire.
    await tx.delete(bankStatements).where(isDraftOf(actor))
    const before = await readBefore(tx, headWords)
    const known = before[0]
    const row = {
      name,
      sha256,
      content,
      head,
      headWords,
      columns: known ? rememberedColumns(known.columns, columns, table[head] ?? []) : columns,
      account: namedAccount(table, head) || (before.length === 1 ? known!.account : ''),
      answers: known?.answers ?? {},
      uploadedBy: actor.id,
    }
    const [made] = await tx.insert(bankStatements).values(row).returning({ id: bankStatements.id })
    return made!.id
  })
}

const isDraftOf = ({ id }: Actor) => and(isNull(bankStatements.readAt), eq(bankStatements.uploadedBy, id))

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
  return text
}

function tableOf(text: string): BankTable {
  const table = bankTable(text)
  if (!table.some((row) => row.length > 1))
    return wrong('En este archivo no hay columnas. Sube el CSV de movimientos de tu banco.')
  if (table.length > mostRows)
    return wrong('El archivo tiene más de 20,000 renglones. Súbelo por partes, por ejemplo por mes.')
  return table
}

/** PNG, JPEG and GIF, whatever their name says. */
const pictures = ['\x89PNG', '\xff\xd8\xff', 'GIF8']

/** How the last file of each account with the same headings was read, the latest first. */
async function readBefore(db: Queryable, headWords: string) {
  if (!headWords) return []
  const { account, answers, columns, readAt } = bankStatements
  const rows = await db
    .select({ account, answers, columns, readAt })
    .from(bankStatements)
    .where(and(eq(bankStatements.headWords, headWords), isNotNull(readAt)))
    .orderBy(desc(readAt))
    .limit(mostBefore)
  const accounts = Map.groupBy(rows, (row) => accountKey(row.account))
  return [...accounts.values()].map(([last]) => last!)
}
const mostBefore = 200

/** The file that a user uploaded and left before importing it; null without one. */
export async function waitingStatement(db: Db, actor: Actor) {
  if (!reconciles(actor)) return null
  const { id, name } = bankStatements
  const [row] = await db.select({ id, name }).from(bankStatements).where(isDraftOf(actor)).limit(1)
  return row ?? null
}

/** A file that is not imported yet and what reading it gives, for the user who uploaded it; null when there is none. */
export async function draftStatement(db: Db, actor: Actor, statementId: string) {
  if (!reconciles(actor) || !isId(statementId)) return null
  const [row] = await db
    .select()
    .from(bankStatements)
    .where(and(eq(bankStatements.id, statementId), isDraftOf(actor)))
  if (!row?.content) return null
  const { account, answers, columns, id, name, version } = row
  const { alike, digest, known, reading, table } = await readDraft(db, row)
  const preview = reading && {
    ...reading,
    known,
    alike: firstOf(alike, 100),
    asked: reading.asked.slice(0, mostAsked),
    lines: firstOf(reading.lines, 6),
    unread: firstOf(reading.unread, 10),
  }
  return {
    id,
    name,
    version,
    account,
    accountFrom: accountFrom(account, namedAccount(table, row.head), await readBefore(db, row.headWords)),
    answers,
    columns,
    headings: columnLabels(table, row.head),
    preview,
    digest,
  }
}

const firstOf = <Row>(rows: readonly Row[], most: number) => ({
  first: rows.slice(0, most),
  total: rows.length,
})

/** Where the account on the screen comes from: the file, an earlier one, or nowhere; and those it may be. */
function accountFrom(account: string, named: string, before: Awaited<ReturnType<typeof readBefore>>) {
  const key = accountKey(account)
  return {
    isNamed: named !== '' && accountKey(named) === key,
    readAt: (key && before.find((one) => accountKey(one.account) === key)?.readAt) || null,
    others: before.flatMap((one) => one.account || []),
  }
}

/** Of each column its heading, or its first cells where it has none. */
const columnLabels = (table: BankTable, head: number) =>
  Array.from({ length: Math.min(Math.max(...table.map((row) => row.length)), mostColumns) }, (_, at) => {
    const cells = table.slice(head + 1).flatMap((row) => row[at] || [])
    return (table[head]?.[at] || cells.slice(0, 2).join(', ')).slice(0, 50)
  })

type Draft = typeof bankStatements.$inferSelect

/** Reads a file by its columns, and compares its credits with what is stored; `reading` is null while columns lack. */
export async function readDraft(db: Queryable, { account, answers, columns, content, head }: Draft) {
  const table = bankTable(content ?? '')
  const isReady = neededFields.every((field) => columns[field] !== undefined)
  const reading = isReady ? readBankTable(table, head, columns, answers) : null
  const lines = reading?.lines ?? []
  const compared = compareLines(lines, await storedAround(db, lines), accountKey(account))
  const pairs = compared.alike.map(({ like, line }) => [line.row, 'id' in like ? like.id : like.row])
  const digest = createHash('sha256').update(JSON.stringify(pairs)).digest('hex')
  return { ...compared, table, reading, digest }
}

/** The stored movements of the same amounts, around the same days. */
async function storedAround(db: Queryable, lines: readonly BankLine[]): Promise<StoredLine[]> {
  const days = lines.map(({ bookedOn }) => bookedOn).toSorted()
  if (!days[0]) return []
  const { amount, bookedOn, description, id, reference, trackingKey } = bankLines
  const rows = await db
    .select({ id, amount, bookedOn, description, reference, trackingKey, account: bankStatements.account })
    .from(bankLines)
    .innerJoin(bankStatements, eq(bankStatements.id, bankLines.statementId))
    .where(
      and(
        inArray(amount, [...new Set(lines.map((line) => line.amount))]),
        between(bookedOn, addDays(days[0], -alikeWithinDays), addDays(days.at(-1)!, alikeWithinDays)),
      ),
    )
    .orderBy(bookedOn, id)
  return rows.map((row) => ({ ...row, account: accountKey(row.account) }))
}

/** The locked row of a user's file, in the version that was on the screen. */
export async function draftOf(
  tx: Tx,
  { id }: Actor,
  { statementId, version }: Pick<StatementInput, 'statementId' | 'version'>,
): Promise<Draft> {
  const [held] = await tx
    .select()
    .from(bankStatements)
    .where(eq(bankStatements.id, statementId))
    .for('update')
  if (held?.uploadedBy !== id) return refuse('not-found')
  if (held.content !== null && held.version !== version) refuse('aborted')
  return held
}

type Reading = Pick<StatementInput, 'account' | 'answers' | 'columns'>

/** Keeps how a file is to be read, where that changes. */
export async function keepReading(
  tx: Tx,
  held: Draft,
  { account, answers, columns }: Reading,
): Promise<void> {
  const kept = { account: held.account, answers: held.answers, columns: held.columns }
  if (isDeepStrictEqual(kept, { account, answers, columns })) return
  await tx.update(bankStatements).set({ account, answers, columns }).where(eq(bankStatements.id, held.id))
}

/** Keeps how a file is to be read, for its preview. */
export async function previewStatement(db: Db, actor: Actor, input: StatementInput): Promise<void> {
  if (!reconciles(actor)) refuse('permission-denied')
  await transaction(db, async (tx) => {
    const held = await draftOf(tx, actor, input)
    if (held.content !== null) await keepReading(tx, held, input)
  })
}

/** Discards a file that was not imported yet. Called again, it changes nothing. */
export async function discardStatement(db: Db, actor: Actor, id: string): Promise<void> {
  if (!reconciles(actor)) refuse('permission-denied')
  await db.delete(bankStatements).where(and(eq(bankStatements.id, id), isDraftOf(actor)))
}
