import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { log } from '../telemetry/log.ts'
import { type Db, databaseFault } from './client.ts'

/** In milliseconds: the interval of checks, the delays before a restart after an early failure, and what counts as early. */
const defaultDelaysMs = { look: 200, firstWait: 250, longestWait: 30_000, soon: 5_000 }

type Server = { lives: () => boolean; relaunch: () => Promise<void> }

/**
 * Restarts a server whenever it ended unexpectedly. One loop does it, so there is never a second one; after early failures the
 * delay grows. The returned function stops it, once a starting server has started.
 */
export function startRestartLoop({ lives, relaunch }: Server, times = defaultDelaysMs): () => Promise<void> {
  const ended = new AbortController()
  const rest = (ms: number) => sleep(ms, undefined, { ref: false, signal: ended.signal })
  const watch = async () => {
    for (let falls = 0, since = performance.now(); ; ) {
      await rest(times.look)
      if (isAlive(lives)) continue
      if (performance.now() - since > times.soon) falls = 0
      log.error({ falls }, 'PostgreSQL ended and is started again')
      if (falls > 0) await rest(Math.min(times.firstWait * 2 ** (falls - 1), times.longestWait))
      falls++
      await relaunch().then(
        () => log.warn('PostgreSQL runs again'),
        (err) => log.error({ err }, 'PostgreSQL could not be started again'),
      )
      since = performance.now()
    }
  }
  // Only an aborted delay ends the loop.
  const watching = watch().catch(() => undefined)
  return () => {
    ended.abort()
    return watching
  }
}

/** Where the check itself fails, as without free file handles, the server counts as alive. */
function isAlive(lives: () => boolean): boolean {
  try {
    return lives()
  } catch (err) {
    log.warn({ err }, 'PostgreSQL could not be looked at')
    return true
  }
}

/** The interval of checks in milliseconds, and the number of missed ones after which the database is silent. */
const defaultProbing = { beatMs: 500, patience: 7 }

/** How many queries one connection serves; the next one uses a new connection, as an arriving request would. */
const QUERIES_PER_CONNECTION = 10

const unavailable = new WeakSet<pg.Pool>()

/** Whether the database does not respond at present: requests are then refused at once. */
export const isUnavailable = (db: Db): boolean => unavailable.has(db.$client)

/**
 * Monitors a database by its own connection, and by a new one now and then: a server that accepts no new connection, as
 * when its socket's file is gone, counts as unavailable. One that cannot be reached is unavailable until it answers;
 * a silent one also loses its waiting connections, so that no request waits longer than the limit.
 * Missed checks are counted instead of time: a busy process reads no response, without any fault of the database.
 * The returned function stops it.
 */
export function startHealthMonitor(db: Db, { beatMs, patience } = defaultProbing): () => void {
  const pool = db.$client
  const busy = busyOf(pool)
  const open = refuseWhileUnavailable(pool)
  const probe = openProbe(pool.options)
  let waited: number | null = null
  let ended = false
  const tell = (alive: boolean, why?: unknown) => {
    if (ended || alive !== unavailable.has(pool)) return
    if (alive) unavailable.delete(pool)
    else unavailable.add(pool)
    if (alive) log.warn('database available again')
    else log.error({ err: why }, 'database unavailable')
  }
  const timer = setInterval(() => {
    if (waited === null) {
      waited = 0
      void probe
        .ask()
        .then(
          () => tell(true),
          // A server at its connection limit is running.
          (err) => tell(databaseFault(err).code === '53300', err),
        )
        .finally(() => {
          waited = null
        })
    } else if (++waited >= patience) {
      // The pending check fails with an error.
      probe.drop()
      for (const client of busy) cut(client)
    }
  }, beatMs)
  timer.unref()
  return () => {
    ended = true
    clearInterval(timer)
    probe.drop()
    unavailable.delete(pool)
    open()
  }
}

type ConnectCallback = (err: Error | undefined, client: undefined, release: () => void) => void

/** Makes the pool refuse connections at once, so that requests under way do not wait for one with each query. The returned function restores it. */
function refuseWhileUnavailable(pool: pg.Pool): () => void {
  const connect = pool.connect.bind(pool) as (heard?: ConnectCallback) => unknown
  const refusing = (heard?: ConnectCallback) => {
    if (!unavailable.has(pool)) return connect(heard)
    const why = new Error('connection terminated: the database does not answer')
    if (!heard) return Promise.reject(why)
    process.nextTick(heard, why, undefined, () => undefined)
  }
  Object.assign(pool, { connect: refusing })
  return () => void Object.assign(pool, { connect })
}

/** The pool's connections that are in use. */
function busyOf(pool: pg.Pool): ReadonlySet<pg.PoolClient> {
  const busy = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => busy.add(client))
  pool.on('release', (_error, client) => busy.delete(client))
  pool.on('remove', (client) => busy.delete(client))
  return busy
}

/** Checks by a connection kept for a while; if it is lost, by a new one first. `drop` ends a pending check with an error. */
function openProbe(options: pg.ClientConfig) {
  let client: pg.Client | undefined
  let left = 0
  let giveUp: (why: Error) => void = () => undefined
  const question = async (isDropped: () => boolean) => {
    const had = client
    if (had && left-- > 0 && (await had.query('select 1').catch(() => null))) return
    if (isDropped()) return
    if (had) cut(had)
    left = QUERIES_PER_CONNECTION
    const own = new pg.Client({ ...options, connectionTimeoutMillis: 0 })
    client = own
    own.on('error', () => undefined)
    await own.connect()
    await own.query('select 1')
  }
  const drop = (why = new Error('the database is silent')) => {
    if (client) cut(client)
    client = undefined
    giveUp(why)
  }
  return {
    drop,
    ask(): Promise<void> {
      const { promise, reject, resolve } = Promise.withResolvers<void>()
      let dropped = false
      giveUp = (why) => {
        dropped = true
        reject(why)
      }
      question(() => dropped).then(resolve, drop)
      return promise
    },
  }
}

/**
 * Destroys the socket: a waiting query fails, and the pool replaces the connection. Its types do not include
 * the socket.
 */
const cut = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()

/** As root, the server runs as another user, who alone gets access to the cluster. */
const mayPass = 0o711
const ownerOnly = { folder: 0o700, file: 0o600 }

/**
 * Creates the data folder, or closes an existing one to all other users of the machine, and with it all below. Returns the
 * first folder that was created.
 */
export function closeData(dataDir: string): string | undefined {
  const made = mkdirSync(dataDir, { recursive: true })
  const mode = process.getuid?.() === 0 ? mayPass : ownerOnly.folder
  for (
    let folder = path.resolve(dataDir);
    made?.length && folder.length >= made.length;
    folder = path.dirname(folder)
  )
    chmodSync(folder, mode)
  restrict(dataDir, mode)
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    // The server closes its own cluster.
    if (entry.name === 'postgres' || entry.name.startsWith('postgres.')) continue
    if (entry.isDirectory()) restrict(path.join(dataDir, entry.name), ownerOnly.folder)
    else if (entry.isFile()) restrict(path.join(dataDir, entry.name), ownerOnly.file)
  }
  return made
}

/** Removes rights and adds none. A folder of another user is logged and left as it is. */
function restrict(place: string, most: number) {
  const { mode } = lstatSync(place)
  if ((mode & 0o777 & ~most) === 0) return
  try {
    chmodSync(place, mode & most)
  } catch (err) {
    log.warn({ err, place }, 'data folder is readable by other users and its permissions cannot be changed')
  }
}
