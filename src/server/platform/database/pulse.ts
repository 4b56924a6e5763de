import type { Socket } from 'node:net'
import pg from 'pg'
import { log } from '../../app/log.ts'
import { type Db, databaseFault } from './database.ts'

/** The database is asked every so many milliseconds, and silent after so many of these beats. */
const usual = { beatMs: 500, patience: 7 }
/** So many questions go over one connection; the next one is asked by a new one, as whoever comes needs it. */
const questionsEach = 10

const gone = new WeakSet<pg.Pool>()

/** Whether the database does not answer at present: what would ask it is better refused at once. */
export const isGone = (db: Db): boolean => gone.has(db.$client)

/**
 * Feels a database's pulse by a connection of its own, and by a new one now and then: one that lets nobody else in, as when
 * the file of its socket is gone, is gone for whoever comes. One that can't be reached is gone until it answers; one that falls
 * silent also loses the connections that wait for it, so that nobody waits longer than the patience. Beats are counted
 * and not time: while this process computes, nothing is heard, and that is nobody's silence. The answer ends it.
 */
export function openPulse(db: Db, { beatMs, patience } = usual): () => void {
  const pool = db.$client
  const busy = busyOf(pool)
  const open = refuseWhileGone(pool)
  const probe = openProbe(pool.options)
  let waited: number | null = null
  let ended = false
  const tell = (alive: boolean, why?: unknown) => {
    if (ended || alive !== gone.has(pool)) return
    if (alive) gone.delete(pool)
    else gone.add(pool)
    if (alive) log.warn('the database answers again')
    else log.error({ err: why }, 'the database does not answer')
  }
  const timer = setInterval(() => {
    if (waited === null) {
      waited = 0
      void probe
        .ask()
        .then(
          () => tell(true),
          // One that lets nobody else in is at work.
          (err) => tell(databaseFault(err).code === '53300', err),
        )
        .finally(() => {
          waited = null
        })
    } else if (++waited >= patience) {
      // The question ends with an error.
      probe.drop()
      for (const client of busy) cut(client)
    }
  }, beatMs)
  timer.unref()
  return () => {
    ended = true
    clearInterval(timer)
    probe.drop()
    gone.delete(pool)
    open()
  }
}

type Heard = (err: Error | undefined, client: undefined, release: () => void) => void

/** A request under way asks on after the question that failed: nor does it wait for a connection, each time anew. The answer takes it back. */
function refuseWhileGone(pool: pg.Pool): () => void {
  const connect = pool.connect.bind(pool) as (heard?: Heard) => unknown
  const refusing = (heard?: Heard) => {
    if (!gone.has(pool)) return connect(heard)
    const why = new Error('connection terminated: the database does not answer')
    if (!heard) return Promise.reject(why)
    process.nextTick(heard, why, undefined, () => undefined)
  }
  Object.assign(pool, { connect: refusing })
  return () => void Object.assign(pool, { connect })
}

/** The connections that somebody has from the pool at the moment. */
function busyOf(pool: pg.Pool): ReadonlySet<pg.PoolClient> {
  const busy = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => busy.add(client))
  pool.on('release', (_error, client) => busy.delete(client))
  pool.on('remove', (client) => busy.delete(client))
  return busy
}

/** Asks by a connection that stays for a while; if that one is lost, by a new one before it says so. `drop` ends a question with an error. */
function openProbe(options: pg.ClientConfig) {
  let client: pg.Client | undefined
  let left = 0
  let giveUp: (why: Error) => void = () => undefined
  const question = async (isDropped: () => boolean) => {
    const had = client
    if (had && left-- > 0 && (await had.query('select 1').catch(() => null))) return
    if (isDropped()) return
    if (had) cut(had)
    left = questionsEach
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

/** As if the network had been cut: whoever waits hears of it, and the pool replaces it. Its types know nothing of the socket. */
const cut = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
