import {
  type AnyColumn,
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { alias, type PgTable } from 'drizzle-orm/pg-core'
import { addDays, minuteAt, toDate } from '../../shared/calendar.ts'
import { type Count, countLimits, countOf, type ListOrder, rowsPerPage } from '../../shared/count.ts'
import type { DayFilters } from '../../shared/day-range.ts'
import { isId, type Queryable, queryRows, type Tx } from './client.ts'
import { users } from './schema/accounts.ts'
import { events } from './schema/projects.ts'

/** The rows of an export in memory at once. */
const CHUNK_SIZE = 1000

export type Page<Row> = { rows: Row[]; next: string | null }

/** The order of a list, and the condition that a row follows another. */
export type Keyset = { orderBy: SQL[]; after: (id: string | undefined) => SQL | undefined }

type KeysetOptions<Table> = {
  direction: 'asc' | 'desc'
  /** The sort key; unique, so its last part is an id. */
  key: (row: Table) => readonly (AnyColumn | SQL)[]
  /** The column that a cursor names. */
  id: AnyColumn
  /** A condition on the cursor's row; for other cursors the page is empty. */
  within?: (last: Table) => SQL
}

/** A keyset and the same the other way round: one index serves both. */
type Keysets = Keyset & { reversed: Keyset }

/** The order that a list is asked in: its usual one or that of another column, each either way round. */
export function inOrder<Column extends string = never>(
  usual: Keysets,
  order: ListOrder<Column> | undefined,
  columns?: Record<Column, Keysets>,
): Keyset {
  const [column, turned] = order === 'reverse' ? [undefined, order] : (order ?? '').split('-')
  const keysets = columns?.[column as Column] ?? usual
  return turned ? keysets.reversed : keysets
}

/** A keyset of a table. A cursor is the id of the previous page's last row; an invalid one is ignored. */
export function keyset<Table extends PgTable>(
  table: Table,
  { direction, key, id, within }: KeysetOptions<Table>,
): Keysets {
  const last = alias(table, 'last') as unknown as Table
  const named = Object.entries(getTableColumns(table)).find(([, column]) => column === id)![0]
  const lastId = getTableColumns(last)[named]!
  const tuple = (of: Table) => sql.join([...key(of)], sql`, `)
  const ordered = (isUp: boolean): Keyset => ({
    orderBy: key(table).map(isUp ? asc : desc),
    after: (cursor) =>
      cursor === undefined || !isId(cursor)
        ? undefined
        : sql`(${tuple(table)}) ${sql.raw(isUp ? '>' : '<')} (select ${tuple(last)} from ${table} "last" where ${lastId} = ${cursor}${
            within ? sql` and ${within(last)}` : sql``
          })`,
  })
  const isUp = direction === 'asc'
  return { ...ordered(isUp), reversed: ordered(!isUp) }
}

/** Reads the rows of a list after a place, up to a limit. */
type Read<Row> = (after: SQL | undefined, limit: number) => Promise<Row[]>

/** A page of a list. One more row is read to know whether another page follows. */
export async function listPage<Row extends { id: string }>(
  read: Read<Row>,
  order: Keyset,
  cursor: string | undefined,
  size = rowsPerPage,
): Promise<Page<Row>> {
  return cutPage(await read(order.after(cursor), size + 1), size)
}

/** The page of rows that were read with one more. */
export function cutPage<Row extends { id: string } | { uid: string }>(
  found: readonly Row[],
  size = rowsPerPage,
): Page<Row> {
  const rows = found.slice(0, size)
  const last = found.length > size ? rows.at(-1) : undefined
  return { rows, next: last ? ('id' in last ? last.id : last.uid) : null }
}

/** How many rows a query finds, counted as far as a list shows: not as far where words are looked for in each row. */
export async function countRows(
  db: Queryable,
  rows: { limit: (most: number) => SQLWrapper },
  text?: string,
): Promise<Count> {
  const limit = text ? countLimits.dear : countLimits.rows
  const query = sql`select count(*)::int from ${rows.limit(limit + 1)} found`
  const [row] = await queryRows<[counted: number]>(db, query)
  return countOf(row?.[0] ?? 0, limit)
}

/** How many rows of a table meet a condition, counted as far as a list shows: a column beside the rows of a page. */
export const countBeside = (table: PgTable, within: SQL) =>
  sql<number>`(select count(*)::int from (select from ${table} where ${within} limit ${sql.raw(String(countLimits.rows + 1))}) counted)`

/** How many rows a short query finds before its limit: a column beside them. */
export const countedBefore = sql<number>`(count(*) over ())::int`

/** What `countRows` reads of each row. */
export const eachRow = { one: sql`1` }

/** All rows of a list for an export, chunk by chunk; each is read on demand. */
export async function* listChunks<Row extends { id: string }>(
  read: Read<Row>,
  order: Keyset,
): AsyncGenerator<Row[]> {
  let last: string | undefined
  do {
    const rows = await read(order.after(last), CHUNK_SIZE)
    yield rows
    last = rows.length === CHUNK_SIZE ? rows.at(-1)?.id : undefined
  } while (last)
}

/** That a moment is on a local day from the first to the last, each open where it is not given. */
export const onDays = (at: SQLWrapper, { from, to }: Omit<DayFilters, 'range'>) =>
  and(
    from === undefined ? undefined : sql`${at} >= ${toDate(minuteAt(from, '00:00'))}`,
    to === undefined ? undefined : sql`${at} < ${toDate(minuteAt(addDays(to, 1), '00:00'))}`,
  )

/** Escapes LIKE wildcards. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Whether a text contains a word, ignoring accents and case. Selected, the pattern is made once and not for each row. */
export const contains = (text: SQL, word: string) =>
  sql`plain_text(${text}) like (select '%' || plain_text(${escapeLike(word)}) || '%')`

const insert = {
  name: 'record_event',
  text: `insert into events (entity, entity_id, actor_id, name, from_state, to_state, reason, data)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
}

/** Records an event in the append-only history. No actor means the system. */
export async function record(tx: Tx, event: Omit<typeof events.$inferInsert, 'id' | 'at'>): Promise<void> {
  const { entity, entityId, actorId, name, fromState, toState, reason, data } = event
  const about = [entity, entityId, actorId, name, fromState, toState, reason]
  const values = [...about, data == null ? null : JSON.stringify(data)]
  await tx.$client.query({ ...insert, values })
}

/** A closed list of names as SQL literals ("'a', 'b'"): with parameters PostgreSQL would not use the partial indexes. */
export function literals(names: readonly string[]): string {
  const strange = names.find((name) => !/^[a-z_-]+$/i.test(name))
  if (strange !== undefined) throw new Error(`Not a name of ours: ${strange}`)
  return names.map((name) => `'${name}'`).join(', ')
}

/** The same for Drizzle's template. */
export const listed = (names: readonly string[]): SQL => sql.raw(literals(names))

const numbered = new Map<string, { text: string; names: string[] }>()

/** A statement whose parameters have names (`:name`), as the driver takes it. */
export function named(statement: string, values: Readonly<Record<string, unknown>>) {
  const { names, text } = numbered.get(statement) ?? numberedOnce(statement)
  const missing = names.find((name) => !(name in values))
  if (missing !== undefined) throw new Error(`The statement lacks a value for :${missing}`)
  return { text, values: names.map((name) => values[name]) }
}

function numberedOnce(statement: string) {
  const names: string[] = []
  // Not the second colon of a cast.
  const text = statement.replace(/(?<!:):([a-z]\w*)/gi, (_, name: string) => {
    const at = names.indexOf(name)
    return `$${at < 0 ? names.push(name) : at + 1}`
  })
  const known = { text, names }
  numbered.set(statement, known)
  return known
}

/**
 * That a column holds one of our names, as a literal: each name has a plan of its own, made for how many rows hold it. A
 * plan for any name would read a list that nearly all rows are in as if few were, and the other way round.
 */
export const holds = (column: AnyColumn, name: string): SQL => sql`${column} in (${listed([name])})`

/** The events of one record, newest first; no actor is the system. The caller checks who may see it. */
export const historyOf = (db: Queryable, entity: string, entityId: string, most = 50) =>
  db
    .select({
      id: events.id,
      name: events.name,
      toState: events.toState,
      reason: events.reason,
      data: events.data,
      at: events.at,
      // On a phone maybe long before it arrived.
      madeAt:
        sql<Date>`coalesce((${events.data} ->> 'judgedAt')::timestamptz, (${events.data} ->> 'pressedAt')::timestamptz, ${events.at})`.mapWith(
          events.at,
        ),
      actor: sql<string | null>`nullif(${users.fullName}, '')`,
    })
    .from(events)
    .leftJoin(users, eq(users.id, events.actorId))
    .where(and(eq(events.entity, entity), eq(events.entityId, entityId)))
    .orderBy(desc(events.id))
    .limit(most)

export type PastEvent = Awaited<ReturnType<typeof historyOf>>[number]
