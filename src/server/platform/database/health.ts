import type { Socket } from 'node:net'
import pg from 'pg'
import { log } from '../telemetry/log.ts'
import { type Db, databaseFault } from './client.ts'

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
