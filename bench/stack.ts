import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { ensureDatabase, startEmbedded } from '../src/platform/database/embedded/cluster.ts'
import { newPlace } from '../test/platform/backup/place.ts'
import { sized } from './report.ts'

export const root = path.resolve(import.meta.dirname, '..')
/** The key that signs the sessions of these fixtures. */
export const secret = 'only-for-benchmarks-only-for-benchmarks'

export type Stack = Awaited<ReturnType<typeof openStack>>

/**
 * What production runs, on a fixture of its own: PostgreSQL that flushes every commit to the disk, and the built
 * application in `processes` of its own. BENCH_NODE gives it more flags, as "--cpu-prof --cpu-prof-dir=profiles". With
 * `replica`, a second PostgreSQL streams from the first and takes the office's lists.
 */
export async function openStack(
  settings: Record<string, string> = {},
  {
    role = 'all',
    environment = {} as Record<string, string>,
    countsTrips = false,
    processes = 1,
    replica = false,
  } = {},
) {
  const folder = sized(placeOnDisk, newPlace)('carga-bench-')
  const { first: server, second } = await startDatabases(folder, settings, replica)
  const connection = { ...server.connection, database: 'carga' }
  await ensureDatabase(server.connection, connection.database)
  const trips = countsTrips ? await countTrips(connection.host, folder) : null
  const urlOf = (host: string) =>
    `postgres://${connection.user}@localhost/${connection.database}?host=${encodeURIComponent(host)}`
  const web = await serve(['src/app/main.ts', ...(processes > 1 ? ['--processes'] : [])], {
    DATABASE_URL: urlOf(trips?.host ?? connection.host),
    ...(second && { DATABASE_REPLICA_URL: urlOf(second.connection.host) }),
    WEB_PROCESSES: String(processes),
    DATA_DIR: path.join(folder, 'data'),
    AUTH_SECRET: secret,
    LOG_LEVEL: 'warn',
    ROLE: role,
    ...environment,
  })
  const pool = new pg.Pool({ ...connection, max: 8 })
  return {
    origin: web.origin,
    pool,
    connection,
    replica: second && { ...second.connection, database: 'carga' },
    pid: web.child.pid,
    mainCpu: () => mainCpuOf(web.child),
    /** The round trips to PostgreSQL so far, where they are counted. */
    trips: () => trips?.count() ?? 0,
    async close() {
      await pool.end()
      await ended(web.child)
      trips?.close()
      await second?.stop()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What is measured is written to a disk; a short run measures nothing. */
function placeOnDisk(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), name))
  // Started by root, PostgreSQL runs as another user, who has to get in.
  chmodSync(folder, 0o755)
  return folder
}

/**
 * The database, and a copy that streams from it where one is wished for. A short run begins with a copy of the cluster that
 * BENCH_CLUSTER names, where it does.
 */
async function startDatabases(folder: string, settings: Record<string, string>, withReplica: boolean) {
  const place = (name: string) => path.join(folder, name)
  const start = (name: string, more = {}) =>
    startEmbedded(place(name), { settings: { ...sized({}, { fsync: 'off' }), ...settings, ...more } })
  const made = sized(undefined, process.env.BENCH_CLUSTER)
  if (made) execFileSync('cp', ['-a', made, place('first')])
  const first = await start('first')
  if (!withReplica) return { first }
  await first.stop()
  execFileSync('cp', ['-a', place('first'), place('second')])
  execFileSync('cp', ['-p', place('second/postgres/PG_VERSION'), place('second/postgres/standby.signal')])
  const again = await start('first', { wal_keep_size: '8GB' })
  const { host, user } = again.connection
  const upstream = { primary_conninfo: `host=${host} user=${user}`, hot_standby_feedback: 'on' }
  return { first: again, second: await start('second', upstream) }
}

/** A bare JSON route on the same HTTP host, in its own process: the most that any answer of ours could reach. */
export async function openBare() {
  const { child, origin } = await serve(['bench/bare-server.ts'], {})
  return { origin, mainCpu: () => mainCpuOf(child), close: () => ended(child) }
}

/**
 * A socket in front of PostgreSQL's that counts round trips: the moments at which something is sent over a connection that
 * was answered since. What is sent meanwhile belongs to the same one.
 */
async function countTrips(behind: string, folder: string) {
  const name = '.s.PGSQL.5432'
  let count = 0
  const server = createServer((web) => {
    const database = createConnection(path.join(behind, name))
    let answered = true
    web.on('data', () => {
      if (answered) count++
      answered = false
    })
    database.on('data', () => {
      answered = true
    })
    web.pipe(database).pipe(web)
    web.on('error', () => database.destroy())
    database.on('error', () => web.destroy())
  }).listen(path.join(folder, name))
  await once(server, 'listening')
  return { host: folder, count: () => count, close: () => server.close() }
}

/** Starts a server of ours on the pinned Node and waits for its first answer. */
async function serve(args: string[], environment: Record<string, string>) {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [...(process.env.BENCH_NODE?.split(' ').filter(Boolean) ?? []), ...args],
    {
      cwd: root,
      env: { ...withoutOurs(process.env), PORT: String(port), ...environment },
      stdio: ['ignore', 2, 'inherit'],
    },
  )
  const origin = `http://localhost:${port}`
  await firstAnswer(`${origin}/healthz`, child)
  return { child, origin }
}

/** Polls an address until it answers 200; throws when the process ends before. */
async function firstAnswer(address: string, child: ChildProcess) {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(address).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${address}: the server ended before it answered`)
}

/** Asks a process to end and waits for it. */
async function ended(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Milliseconds that the main thread of a process has computed so far; 0 where the system does not tell. */
function mainCpuOf({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/schedstat`
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : 0
}

/** A port nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Our environment without what would change the application that is measured. */
export const withoutOurs = ({
  NODE_ENV,
  DATABASE_URL,
  BASE_URL,
  DEMO,
  ROLE,
  HOST,
  ...rest
}: NodeJS.ProcessEnv) => rest
