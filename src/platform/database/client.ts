import type { Writable } from 'node:stream'
import { type SQL, sql } from 'drizzle-orm'
import { NodePgDatabase, NodePgDriver } from 'drizzle-orm/node-postgres'
import { customType, integer, PgDialect, timestamp, uuid } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { Refusal, type RefusalCode } from '../../shared/refusal.ts'
import { currentContext, log } from '../telemetry/log.ts'
import { poolClass } from '../telemetry/spans.ts'

/** The columns that most tables have, and types that Drizzle lacks. */
export const id = () => uuid('id').primaryKey().default(sql`uuidv7()`)
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const now = (name: string) => at(name).notNull().defaultNow()
export const stamps = {
  createdAt: now('created_at'),
  updatedAt: now('updated_at').$onUpdate(() => new Date()),
  version: integer('version').notNull().default(1),
}
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
export const range = customType<{ data: string }>({ dataType: () => 'tstzrange' })
export const multirange = customType<{ data: string }>({ dataType: () => 'tstzmultirange' })

/** A JSON value as it is: Drizzle's own column reads the text "8" back as a number. */
export const json = <Value>(name: string) =>
  customType<{ data: Value; driverData: unknown }>({
    dataType: () => 'jsonb',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => value as Value,
  })(name)

/** The settings of a direct connection; a pooler does not allow them. What the figures of a year sort and sum stays in memory. */
export const sessionSettings = {
  idle_in_transaction_session_timeout: 15_000,
  statement_timeout: 15_000,
  options:
    '-c timezone=UTC -c plan_cache_mode=force_generic_plan -c max_parallel_workers_per_gather=0 -c work_mem=16MB',
}

/** Far more texts than the product has; one past them is planned each time, and the log says so once. */
export const MAX_NAMES = 1_000

/** What PostgreSQL plans: one statement that reads or writes rows. */
const isPlanned = (text: string) => /^\s*(select|insert|update|delete|with|merge)\b/i.test(text)

type Statement = { name?: string | undefined; text?: string; values?: unknown[]; submit?: unknown }
type Query = (asked: string | Statement, values?: unknown, done?: unknown) => unknown

/**
 * For the connections of one pool: names each statement that has values, or that Drizzle made, by its text, so that each
 * connection parses and plans it once. A plain text without values stays as it is: it may hold several statements.
 */
function namingStatements(): (client: pg.PoolClient) => void {
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known) return known
    if (!isPlanned(text) || names.size >= MAX_NAMES) return undefined
    if (names.size === MAX_NAMES - 1) log.warn({ text }, 'too many statements to name each')
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }
  return (client) => {
    const query: Query = (...given) =>
      inOneWrite(client, () => Object.getPrototypeOf(client).query.apply(client, given))
    const named: Query = (asked, values, done) => {
      if (typeof asked === 'string')
        return Array.isArray(values) && values.length > 0
          ? query({ name: nameOf(asked), text: asked, values }, done)
          : query(asked, values, done)
      if (asked.name || asked.submit || !asked.text) return query(asked, values, done)
      return query({ ...asked, name: nameOf(asked.text) }, values, done)
    }
    client.query = named as typeof client.query
  }
}

/** The connection of a request or job while statements of it are under way. */
type Trip = { connection: Promise<pg.PoolClient>; open: number; failure?: Error }

/**
 * Has each request and job send what it asks at the same moment over one connection: one write and one wait instead of
 * one for each statement, and one connection instead of several. The answers come in the order of the statements. Behind
 * a pooler each statement goes alone.
 */
export function sendTogether({ $client: pool }: Db): void {
  if (directly.has(pool)) return
  const trips = new WeakMap<object, Trip>()
  const alone = pool.query.bind(pool) as Query
  async function together(cause: object, asked: string | Statement, values?: unknown) {
    const trip = trips.get(cause) ?? { connection: pool.connect(), open: 0 }
    trips.set(cause, trip)
    trip.open++
    const client = await trip.connection.catch((error: Error) => {
      trips.delete(cause)
      throw error
    })
    try {
      return await (client.query as Query)(asked, values)
    } catch (error) {
      // As the pool does with a connection on which a statement failed: it is replaced.
      trip.failure = error as Error
      throw error
    } finally {
      if (--trip.open === 0) {
        trips.delete(cause)
        client.release(trip.failure)
      }
    }
  }
  const query: Query = (asked, values, done) => {
    const cause = currentContext()
    const isAlone = done || typeof values === 'function' || !(cause.request || cause.job)
    return isAlone ? alone(asked, values, done) : together(cause, asked, values)
  }
  pool.query = query as typeof pool.query
}

/** Holds what is written back until the current turn ends: statements that do not wait for each other leave in one write. */
function inOneWrite<Result>(client: pg.PoolClient, send: () => Result): Result {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  return send()
}

/**
 * Makes a client send every statement without its name: behind a pooler the next transaction has another connection, without
 * the statements prepared on this one. PgBouncer supports them since 1.21 only, and only when configured.
 */
function withoutNames(client: pg.PoolClient): void {
  const query = client.query.bind(client) as Query
  const unnamed: Query = (asked, values, done) =>
    inOneWrite(client, () =>
      query(typeof asked === 'object' && asked.name ? { ...asked, name: undefined } : asked, values, done),
    )
  client.query = unnamed as typeof client.query
}

const roleSettings = {
  timezone: 'UTC',
  statement_timeout: `${sessionSettings.statement_timeout}ms`,
  idle_in_transaction_session_timeout: `${sessionSettings.idle_in_transaction_session_timeout}ms`,
}

/** Sets these settings on the role in this database, for connections through a pooler. The caller holds a lock: concurrent calls would fail. */
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

/** Throws where the pooler still uses connections that are older than the role's settings. */
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

/** A connection with an open transaction. */
export type Tx = Tables & { $client: pg.PoolClient }

/** For reads inside or outside a transaction. */
export type Queryable = Db | Tx

export type Connection = pg.PoolConfig

/**
 * A pool of connections; sessions use UTC, whatever the server's time zone. Where `connection` is a pooler in transaction
 * mode, `direct` bypasses it.
 */
export function openDatabase(connection: Connection, max = 16, direct?: Connection): Db {
  const pool = openPool({ max, ...(direct ? {} : sessionSettings), ...connection })
  pool.on('connect', direct ? withoutNames : namingStatements())
  if (direct) directly.set(pool, openPool({ max: 4, ...sessionSettings, ...direct }))
  return databaseOver(pool)
}

const directly = new WeakMap<pg.Pool, pg.Pool>()

/** Direct connections: to listen, and for locks and settings that outlast a transaction. */
export const directPool = ({ $client }: Db): pg.Pool => directly.get($client) ?? $client

export const isBehindPooler = ({ $client }: Db) => directly.has($client)

/** Closes every connection once its running query has ended. */
export async function closeDatabase({ $client }: Db): Promise<void> {
  await Promise.all([$client.end(), directly.get($client)?.end()])
}

function openPool(config: pg.PoolConfig): pg.Pool {
  const Pool = poolClass()
  const pool = new Pool({
    connectionTimeoutMillis: 4_000,
    application_name: 'carga-en-casa',
    // Pipelining: a statement is sent without waiting for the result of the previous one, where nothing awaits that.
    pipeline: true,
    ...config,
  })
  // An idle connection that dies is replaced at the next use; without a listener it would end the process.
  pool.on('error', (err) => log.warn({ err }, 'idle database connection lost'))
  // Nor does the pool listen while a transaction holds one: between two of its queries a loss would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Runs a change in a transaction; retried once after a deadlock. `first` is a statement without parameters that is sent with the `begin`. */
export async function transaction<T>(db: Db, run: (tx: Tx) => Promise<T>, first = '', tries = 2): Promise<T> {
  const client = await db.$client.connect()
  let broken: Error | undefined
  try {
    await client.query(`begin; ${first}`)
    const result = await run(on(client))
    await client.query('commit')
    for (const after of committed.get(client) ?? []) after()
    return result
  } catch (error) {
    await client.query('rollback').catch((lost: Error) => {
      broken = lost
    })
    if (databaseFault(error).code !== '40P01' || tries < 2) throw error
  } finally {
    committed.delete(client)
    client.release(broken)
  }
  return transaction(db, run, first, tries - 1)
}

const committed = new WeakMap<pg.PoolClient, Set<() => void>>()

/** Calls a function once the transaction has committed, once however often it is given. */
export function afterCommit(tx: Tx, run: () => void): void {
  committed.set(tx.$client, (committed.get(tx.$client) ?? new Set()).add(run))
}

const wrapped = new WeakMap<pg.PoolClient, Tx>()

/** One object for each connection: creating it takes longer than a short query. */
function on(client: pg.PoolClient): Tx {
  if (!wrapped.has(client)) wrapped.set(client, databaseOver(client))
  return wrapped.get(client)!
}

/** A query that is built once for each connection: most of what a short one costs this process. */
export function prepared<Query>(build: (db: Queryable) => Query): (db: Queryable) => Query {
  const built = new WeakMap<Queryable, Query>()
  return (db) => {
    if (!built.has(db)) built.set(db, build(db))
    return built.get(db)!
  }
}

/** Writes a limit, which is a constant, into the text: of an unknown one PostgreSQL expects a tenth of all rows. */
class LiteralLimits extends PgDialect {
  override buildSelectQuery(config: Parameters<PgDialect['buildSelectQuery']>[0]): SQL {
    const limit = sql.raw(String(config.limit)) as unknown as number
    return super.buildSelectQuery(config.limit === undefined ? config : { ...config, limit })
  }
}

const dialect = new LiteralLimits()

/** Drizzle over a pool or a connection that is open already. */
export function databaseOver<Client extends pg.Pool | pg.PoolClient>(
  $client: Client,
): Tables & { $client: Client } {
  const session = new NodePgDriver($client, dialect).createSession(undefined)
  return Object.assign(new NodePgDatabase<Record<string, never>>(dialect, session, undefined), { $client })
}

/** Runs a query; its rows are lists of columns, which are cheaper than objects. */
export async function queryRows<Row extends unknown[]>(db: Queryable, query: SQL): Promise<Row[]> {
  const { sql: text, params: values } = dialect.sqlToQuery(query)
  const client: Pick<pg.Pool, 'query'> = db.$client
  return (await client.query<Row>({ text, values, rowMode: 'array' })).rows
}

/** The name of the constraint or SQLSTATE behind a failed query, looked for in the error's causes. */
export function databaseFault(error: unknown): { code?: string; constraint?: string } {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    const { code, constraint } = fault as { code?: string; constraint?: string }
    // System error codes (EPIPE, EPERM, EROFS) look similar, but every SQLSTATE contains a digit.
    if (code && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return { code, ...(constraint && { constraint }) }
  }
  return {}
}

/** Whether a text is a UUID: checked before a query, which would fail on any other text. */
export const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** The refusals of SQLSTATEs, or their classes, that a correct change may meet; any other is a bug. */
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

/** The pool's messages without a database: these errors have no SQLSTATE. */
const gone = /connection terminated|not queryable|timeout exceeded when trying to connect/i

/** The system's codes of a connection that failed or broke. */
const waysIn = new Set(['connect', 'getaddrinfo'])
const broken = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'])
const isLost = ({ message, code = '', syscall = '' }: NodeJS.ErrnoException) =>
  waysIn.has(syscall) || broken.has(code) || gone.test(message)

/** The refusal for a database failure, which is logged; null for other errors. */
export function databaseRefusal(error: unknown): Refusal | null {
  const { code } = databaseFault(error)
  const status = code ? meanings.find(([pattern]) => pattern.test(code))?.[1] : lostIn(error)
  if (!status) return null
  log.error({ err: error, status }, 'database error in a request')
  return new Refusal(status)
}

/** Does something with each of these rows in turn; for those where it is refused, why. */
export async function refusedOf(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<Map<string, string>> {
  const why = new Map<string, string>()
  for (const id of ids)
    try {
      await act(id)
    } catch (error) {
      const refusal = error instanceof Refusal ? error : databaseRefusal(error)
      if (!refusal) throw error
      why.set(id, refusal.description)
    }
  return why
}

/** Whether the connection failed or was ended by the server, which may be back at once. */
export const isConnectionLost = (error: unknown): boolean =>
  /^(08|57P|25P03)/.test(databaseFault(error).code ?? '') || lostIn(error) !== undefined

function lostIn(error: unknown): 'unavailable' | undefined {
  for (let fault = error; fault instanceof Error; fault = fault.cause) if (isLost(fault)) return 'unavailable'
  return undefined
}
