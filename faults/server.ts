import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { freePort, root, secret, withoutOurs } from '../bench/stack.ts'
import { ensureDatabase, startEmbedded } from '../src/server/platform/database/embedded/cluster.ts'
import { until } from './outcome.ts'
import { openProxy } from './proxy.ts'

/** A start makes a cluster and its schema, which takes a busy machine long. */
const longestStart = 180_000

type Wish = { environment?: Record<string, string>; args?: readonly string[]; supervised?: boolean }

/** The built application on data of its own, under the supervisor of `npm start` unless told otherwise. */
async function openServer({ environment = {}, args = [], supervised = true }: Wish = {}) {
  const folder = newFolder()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const file = openSync(path.join(folder, 'server.log'), 'a')
  const program = supervised
    ? ['faults/supervised.mjs', ...args, 'src/server/app/main.ts']
    : [...args, 'src/server/app/main.ts']
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: {
      ...withoutOurs(process.env),
      PORT: String(port),
      BASE_URL: origin,
      DATA_DIR: folder,
      DEMO: 'false',
      AUTH_SECRET: secret,
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', file, file, 'ipc'],
  })
  const isReady = () => fetch(`${origin}/readyz`).then(({ ok }) => ok)
  if ((await until(isReady, longestStart)) === Number.POSITIVE_INFINITY) {
    await ended(child)
    throw new Error(`the server did not start: ${readFileSync(path.join(folder, 'server.log'), 'utf8')}`)
  }
  return {
    origin,
    folder,
    child,
    isReady,
    async close() {
      await ended(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The same with a pool over its own embedded database, beside the application. */
export async function openEmbedded(wish: Wish = {}) {
  const server = await openServer(wish)
  const { connection } = await startEmbedded(server.folder, { join: true })
  const pool = poolOver({ ...connection, database: 'carga' })
  return {
    ...server,
    pool,
    async close() {
      await pool.end()
      await server.close()
    },
  }
}

/** The same over a database of somebody else's, reached through a network whose weather can be changed. */
export async function openExternal(wish: Wish = {}) {
  const folder = newFolder()
  const database = await startEmbedded(folder)
  await ensureDatabase(database.connection, 'carga')
  const proxy = await openProxy({ path: `${database.connection.host}/.s.PGSQL.5432` })
  const server = await openServer({
    ...wish,
    environment: { DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/carga`, ...wish.environment },
  })
  const pool = poolOver({ ...database.connection, database: 'carga' })
  return {
    ...server,
    pool,
    proxy,
    async close() {
      proxy.turn({ kind: 'fair' })
      await pool.end()
      await server.close()
      await proxy.close()
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Our own way to look at the rows, which survives what is done to the database. */
function poolOver(connection: pg.PoolConfig) {
  const pool = new pg.Pool({ ...connection, max: 4 })
  pool.on('error', () => undefined)
  return pool
}

function newFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'carga-faults-'))
  // PostgreSQL never runs as root: its user has to get in.
  chmodSync(folder, 0o755)
  return folder
}

/** The PostgreSQL of a data folder. */
export const postmasterOf = (folder: string) =>
  Number(readFileSync(path.join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

/** Asks a process to end as an operator does, and waits; answers how it ended. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal)
    await once(child, 'exit')
  }
  return child.exitCode
}
