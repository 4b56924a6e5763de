import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { log } from '../log.ts'
import * as schema from './schema.ts'

export type Db = NodePgDatabase<typeof schema> & { $client: pg.Pool }
/** What a change works on inside its transaction. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** For reads that may stand inside or outside a transaction. */
export type Queryable = Db | Tx

export type Connection = pg.PoolConfig

/** A pool of connections; sessions run in UTC, so that no text of a time depends on the server's own zone. */
export function openDatabase(connection: Connection, max = 16): Db {
  const pool = new pg.Pool({
    max,
    connectionTimeoutMillis: 8_000,
    idle_in_transaction_session_timeout: 15_000,
    statement_timeout: 15_000,
    application_name: 'carga-en-casa',
    options: '-c timezone=UTC',
    ...connection,
  })
  // An idle connection that dies is replaced at the next use; without a listener it would end the process.
  pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'))
  return drizzle(pool, { schema })
}

/** The name of the constraint or SQLSTATE behind a failed query, looked for in the error's causes. */
export function databaseFault(error: unknown): { code?: string; constraint?: string } {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    const { code, constraint } = fault as { code?: string; constraint?: string }
    if (code && /^[0-9A-Z]{5}$/.test(code)) return { code, ...(constraint && { constraint }) }
  }
  return {}
}
