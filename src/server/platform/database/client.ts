import { type SQL, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { customType, integer, PgDialect, timestamp, uuid } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { Refusal, type RefusalCode } from '../../../domain/shared/refusal.ts'
import { log } from '../telemetry/log.ts'
import { poolClass } from '../telemetry/spans.ts'

/** The columns that most tables have, and the types Drizzle has no name for. */
export const id = () => uuid('id').primaryKey().default(sql`uuidv7()`)
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const now = (name: string) => at(name).notNull().defaultNow()
export const stamps = {
  createdAt: now('created_at'),
  updatedAt: now('updated_at').$onUpdate(() => new Date()),
  version: integer('version').notNull().default(1),
}
export const range = customType<{ data: string }>({ dataType: () => 'tstzrange' })

/** A JSON value as it is: Drizzle's own column reads the text "8" back as a number. */
export const json = <Value>(name: string) =>
  customType<{ data: Value; driverData: unknown }>({
    dataType: () => 'jsonb',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => value as Value,
  })(name)

/** What a connection of our own asks for when it is opened; a pooler lets no one ask for these. */
const sessionSettings = {
  idle_in_transaction_session_timeout: 15_000,
  statement_timeout: 15_000,
  options: '-c timezone=UTC',
}

/**
 * Has a client send every statement without its name: behind a pooler the next transaction has another connection, which
 * knows nothing of what was named on this one. PgBouncer translates names since 1.21 only, and only when configured to.
 */
function withoutNames(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const unnamed = (asked: unknown, ...rest: unknown[]) =>
    query(isNamed(asked) ? { ...asked, name: undefined } : asked, ...rest)
  client.query = unnamed as typeof client.query
}

const isNamed = (asked: unknown): asked is { name: string } =>
  typeof asked === 'object' && asked !== null && 'name' in asked

const roleSettings = {
  timezone: 'UTC',
  statement_timeout: `${sessionSettings.statement_timeout}ms`,
  idle_in_transaction_session_timeout: `${sessionSettings.idle_in_transaction_session_timeout}ms`,
}

/** Gives the role, in this database, what its connections can't ask for through a pooler. The caller holds a lock: two at once would fail. */
export async function settleRole(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ database: string; settings: string[] }>(
    `select current_database() as database, coalesce((select setconfig from pg_db_role_setting
       join pg_database on pg_database.oid = setdatabase and datname = current_database()
       join pg_roles on pg_roles.oid = setrole and rolname = current_user), '{}') as settings`,
  )
  const { database = '', settings = [] } = rows[0] ?? {}
  const name = client.escapeIdentifier(database)
  for (const [setting, value] of Object.entries(roleSettings))
    if (!settings.some((one) => one.toLowerCase() === `${setting}=${value}`.toLowerCase()))
      await client.query(
        `alter role current_user in database ${name} set ${setting} = ${pg.escapeLiteral(value)}`,
      )
}

/** Throws one line when the pooler still hands out connections that were opened before the role was settled. */
export async function checkPooler(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ utc: boolean; limit: string }>(
    `select extract(timezone from now()) = 0 as utc, current_setting('statement_timeout') as limit`,
  )
  if (rows[0]?.utc && rows[0].limit !== '0') return
  throw new Error(
    'The pooler of DATABASE_URL holds connections from before the role was set to UTC: close them (RECONNECT in PgBouncer) and start again.',
  )
}

type Tables = NodePgDatabase

/** The pool. */
export type Db = Tables & { $client: pg.Pool }

/** One connection with a transaction open: what a change works on. */
export type Tx = Tables & { $client: pg.PoolClient }

/** For reads that may stand inside or outside a transaction. */
export type Queryable = Db | Tx

export type Connection = pg.PoolConfig

/**
 * A pool of connections; sessions run in UTC, so that no text of a time depends on the server's own zone. Where
 * `connection` leads to a pooler that gives out a connection for each transaction, `direct` leads past it.
 */
export function openDatabase(connection: Connection, max = 16, direct?: Connection): Db {
  const pool = openPool({ max, ...(direct ? {} : sessionSettings), ...connection })
  if (direct) {
    pool.on('connect', withoutNames)
    directly.set(pool, openPool({ max: 3, ...sessionSettings, ...direct }))
  }
  return drizzle(pool)
}

const directly = new WeakMap<pg.Pool, pg.Pool>()

/** Connections that stay ours for as long as we keep them: to listen, and for locks and settings that outlast a transaction. */
export const directPool = ({ $client }: Db): pg.Pool => directly.get($client) ?? $client

export const isBehindPooler = ({ $client }: Db) => directly.has($client)

/** Closes every connection, once what is under way on it has ended. */
export async function closeDatabase({ $client }: Db): Promise<void> {
  await Promise.all([$client.end(), directly.get($client)?.end()])
}

function openPool(config: pg.PoolConfig): pg.Pool {
  const Pool = poolClass()
  const pool = new Pool({
    connectionTimeoutMillis: 4_000,
    application_name: 'carga-en-casa',
    // A statement goes out without waiting for the answer to the one before it, where no one waits for that.
    pipeline: true,
    ...config,
  })
  // An idle connection that dies is replaced at the next use; without a listener it would end the process.
  pool.on('error', (err) => log.warn({ err }, 'idle database connection lost'))
  // Nor does the pool listen while a transaction holds one: between two of its queries a loss would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Runs a change on one connection: all of it is kept, or none. A deadlock's victim is tried once more. `first` is a
 * statement without parameters that travels with the `begin`. Neither is waited for: after one that fails, PostgreSQL
 * refuses whatever follows.
 */
export async function transaction<T>(db: Db, run: (tx: Tx) => Promise<T>, first = '', tries = 2): Promise<T> {
  const client = await db.$client.connect()
  let broken: Error | undefined
  deferred.set(client, [])
  try {
    const tx = on(client)
    deferUntilCommit(tx, client.query(`begin; ${first}`))
    const result = await run(tx)
    deferUntilCommit(tx, client.query('commit'))
    await Promise.all(deferred.get(client) ?? [])
    return result
  } catch (error) {
    const cause = await causeOf(error, deferred.get(client) ?? [])
    await client.query('rollback').catch((lost: Error) => {
      broken = lost
    })
    if (databaseFault(cause).code !== '40P01' || tries < 2) throw cause
  } finally {
    deferred.delete(client)
    client.release(broken)
  }
  return transaction(db, run, first, tries - 1)
}

const deferred = new WeakMap<pg.PoolClient, Promise<unknown>[]>()

/**
 * Awaits a statement's answer at the commit: it is already sent, later statements come after it, and if it fails the
 * transaction is rolled back. Saves a wait for each statement whose answer is not needed.
 */
export function deferUntilCommit(tx: Tx, answer: Promise<unknown>): void {
  // Handled at the end, which may be after it failed.
  answer.catch(() => undefined)
  const answers = deferred.get(tx.$client)
  if (!answers) throw new Error('no transaction is open')
  answers.push(answer)
}

/**
 * The cause of a failed transaction: a deferred statement may have failed, and the next one's error only says that the
 * transaction is aborted.
 */
async function causeOf(error: unknown, left: readonly Promise<unknown>[]): Promise<unknown> {
  if (databaseFault(error).code !== '25P02') return error
  const failed = (await Promise.allSettled(left)).find(({ status }) => status === 'rejected')
  return failed?.status === 'rejected' ? failed.reason : error
}

const wrapped = new WeakMap<pg.PoolClient, Tx>()

/** The same object for a connection each time: making one takes longer than a short query. */
function on(client: pg.PoolClient): Tx {
  const made = wrapped.get(client) ?? drizzle(client)
  wrapped.set(client, made)
  return made
}

/** A query that is put together once and planned once for each connection, which is most of what a short one costs. */
export function prepared<Query>(build: (db: Queryable) => Query): (db: Queryable) => Query {
  const built = new WeakMap<Queryable, Query>()
  return (db) => {
    const query = built.get(db) ?? build(db)
    built.set(db, query)
    return query
  }
}

const dialect = new PgDialect()
const names = new Map<string, string>()

/** Runs a query whose text takes few forms, each planned once for a connection. A row is the list of its columns. */
export async function planned<Row extends unknown[]>(db: Queryable, query: SQL): Promise<Row[]> {
  const { sql: text, params: values } = dialect.sqlToQuery(query)
  const name = names.get(text) ?? `form_${names.size}`
  names.set(text, name)
  const client: Pick<pg.Pool, 'query'> = db.$client
  return (await client.query<Row>({ name, text, values, rowMode: 'array' })).rows
}

/** The name of the constraint or SQLSTATE behind a failed query, looked for in the error's causes. */
export function databaseFault(error: unknown): { code?: string; constraint?: string } {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    const { code, constraint } = fault as { code?: string; constraint?: string }
    // The system's own names (EPIPE, EPERM, EROFS) look alike, but for the digit that every SQLSTATE has.
    if (code && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return { code, ...(constraint && { constraint }) }
  }
  return {}
}

/** Whether a text is an id at all: asked before the database is, for which any other text is an error. */
export const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** What a SQLSTATE, or its class, says of a change that was lawful in itself; what is not here is a bug. */
const meanings: readonly [RegExp, RefusalCode][] = [
  [/^57014/, 'deadline-exceeded'],
  [/^(55P03|40001|40P01)/, 'aborted'],
  [/^(08|57P|53)/, 'unavailable'],
  [/^XX00[12]/, 'data-loss'],
  [/^XX/, 'internal'],
  [/^(22003|22008)/, 'out-of-range'],
  [/^0A/, 'unimplemented'],
  [/^P0001/, 'unknown'],
]

/** How the pool says that there is no database: these errors have no SQLSTATE. */
const gone = /connection terminated|not queryable|timeout exceeded when trying to connect/i

/** What the system says of a connection that can't be made, or that broke. */
const waysIn = new Set(['connect', 'getaddrinfo'])
const broken = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'])
const isLost = ({ message, code = '', syscall = '' }: NodeJS.ErrnoException) =>
  waysIn.has(syscall) || broken.has(code) || gone.test(message)

/** The refusal behind a database that failed us, which goes to the log; null for anything else. */
export function databaseRefusal(error: unknown): Refusal | null {
  const { code } = databaseFault(error)
  const status = code ? meanings.find(([pattern]) => pattern.test(code))?.[1] : lostIn(error)
  if (!status) return null
  log.error({ err: error, status }, 'database error in a request')
  return new Refusal(status)
}

function lostIn(error: unknown): 'unavailable' | undefined {
  for (let fault = error; fault instanceof Error; fault = fault.cause) if (isLost(fault)) return 'unavailable'
  return undefined
}
