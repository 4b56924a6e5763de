import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { log } from '../telemetry/log.ts'
import { closeDatabase, type Db, databaseFault, directPool, openDatabase, transaction } from './client.ts'

/** The interval of checks in milliseconds, and the number of missed ones after which the database is silent. */
const defaultProbing = { beatMs: 500, patience: 7 }

/**
 * After so many intervals the database is asked although nothing needs it, and by a new connection, as an arriving
 * request would.
 */
const BEATS_PER_CONNECTION = 10

const unavailable = new WeakSet<pg.Pool>()

/** Whether the database does not respond at present: requests are then refused at once. */
export const isUnavailable = (db: Db): boolean => unavailable.has(db.$client)

/**
 * Monitors a database by its own connection, and by a new one now and then: a server that accepts no new connection, as
 * when its socket's file is gone, counts as unavailable. One that cannot be reached is unavailable until it answers;
 * a silent one also loses its waiting connections, so that no request waits longer than the limit. It is not asked while
 * nothing waits for it, or while it answers others.
 * Missed checks are counted instead of time: a busy process reads no response, without any fault of the database.
 * The returned function stops it.
 */
export function startHealthMonitor(db: Db, { beatMs, patience } = defaultProbing): () => void {
  const pool = db.$client
  const connections = connectionsOf(pool)
  const open = refuseWhileUnavailable(pool)
  const probe = openProbe(pool.options, beatMs)
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
    const inDoubt = connections.isInDoubt()
    if (waited === null) {
      if (!inDoubt && !unavailable.has(pool) && !probe.isOld()) return
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
      for (const client of connections.busy()) cut(client)
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

/**
 * The pool's connections that are in use. `isInDoubt`, called at each interval, tells whether since the last one an idle
 * connection was lost, or one that was taken lately waits and none was given back.
 */
function connectionsOf(pool: pg.Pool) {
  const since = new Map<pg.PoolClient, number>()
  let beats = 0
  let answered = false
  let lost = false
  const ended = (error: unknown, client: pg.PoolClient) => {
    if (!error) answered = true
    since.delete(client)
  }
  pool.on('acquire', (client) => since.set(client, beats))
  pool.on('release', ended)
  pool.on('remove', (client) => since.delete(client))
  pool.on('error', () => {
    lost = true
  })
  return {
    busy: () => since.keys(),
    isInDoubt(): boolean {
      const waits = !answered && since.values().some((from) => beats - from < BEATS_PER_CONNECTION)
      const inDoubt = waits || lost
      answered = false
      lost = false
      beats += 1
      return inDoubt
    },
  }
}

/** Checks by a connection kept for a while; if it is lost, by a new one first. `drop` ends a pending check with an error. */
function openProbe(options: pg.ClientConfig, beatMs: number) {
  let client: pg.Client | undefined
  let opened = 0
  let giveUp: (why: Error) => void = () => undefined
  const isOld = () => performance.now() - opened >= BEATS_PER_CONNECTION * beatMs
  const question = async (isDropped: () => boolean) => {
    const had = client
    if (had && !isOld() && (await had.query('select 1').catch(() => null))) return
    if (isDropped()) return
    if (had) cut(had)
    opened = performance.now()
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
    isOld,
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

const readOnly = new WeakSet<pg.Pool>()

/** Whether the last probe could write; true before the first. */
export const isWritable = (db: Db): boolean => !readOnly.has(db.$client)

/** From one probe to the next, and after a failed one; how long one may take, in milliseconds. */
const writing = { everyMs: 10_000, againMs: 2_000, limitMs: 5_000 }

/**
 * Changes a row, and sorts more than memory holds: on a full disk a row of known size still has room in its page, what
 * needs a new one has none.
 */
const trialWrite = `insert into write_probe (at) values (now()) on conflict (id) do update set at = excluded.at;
  select count(*) from (select n from generate_series(1, 5000) n order by md5(n::text)) as sorted`

async function write(db: Db, folder: string | undefined): Promise<void> {
  await transaction(db, (tx) => tx.$client.query(trialWrite), `set local work_mem = '64kB'`)
  // Beside a database of the operator's the folder is made with the first file.
  if (!folder || !existsSync(folder)) return
  const file = path.join(folder, `.probe-${process.pid}`)
  try {
    await writeFile(file, randomBytes(16_384), { mode: 0o600, flush: true })
  } finally {
    await rm(file, { force: true })
  }
}

/**
 * Tries now and then to write to the database, by a connection that no request takes, and to a folder if files are kept in
 * one. The returned function stops it.
 */
export function startWriteProbe(db: Db, folder: string | undefined, times = writing): () => void {
  const query_timeout = times.limitMs
  const own = openDatabase({ ...directPool(db).options, max: 1, idleTimeoutMillis: 0, query_timeout })
  let ended = false
  let timer: NodeJS.Timeout | undefined
  const note = (error?: unknown) => {
    if (ended || isWritable(db) === !error) return
    if (error) readOnly.add(db.$client)
    else readOnly.delete(db.$client)
    if (error) log.error({ err: error }, 'nothing can be written')
    else log.warn('writing is possible again')
  }
  const look = async () => {
    const late = Promise.withResolvers<never>()
    const limit = setTimeout(() => late.reject(new Error('a write took too long')), times.limitMs)
    await Promise.race([write(own, folder), late.promise]).then(() => note(), note)
    clearTimeout(limit)
    if (!ended) timer = setTimeout(look, isWritable(db) ? times.everyMs : times.againMs).unref()
  }
  void look()
  return () => {
    ended = true
    clearTimeout(timer)
    void closeDatabase(own)
    readOnly.delete(db.$client)
  }
}
