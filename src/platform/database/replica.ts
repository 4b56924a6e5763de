import type { MiddlewareHandler } from 'hono'
import type pg from 'pg'
import { announcements, listenOn } from '../live/announcements.ts'
import { log } from '../telemetry/log.ts'
import { closeDatabase, type Db, openDatabase, sendTogether, sessionSettings } from './client.ts'

/**
 * In milliseconds: between two looks at the replica, how far behind the primary it may be, how long a look waits for an
 * answer, and how long a list does before it is read from the primary.
 */
const usual = { beat: 1_000, lag: 10_000, look: 2_000, patience: 5_000 }

/** More looks than a replica that fell behind needs to be timed: ten minutes of them. */
const mostMarks = 600

/** `promoted` and `foreign`: it is a database of its own now, or always was. */
export type ReplicaState = 'serving' | 'lagging' | 'unreachable' | 'promoted' | 'foreign'

type Replica = {
  db: Db
  state: ReplicaState
  /** How far behind the primary it was at the last look, in milliseconds. */
  lagMs: () => number
  /** Whether it holds everything that was announced, and everything up to a position of the primary. */
  holds: (position: bigint) => Promise<boolean>
}

/** A position in the write-ahead log of the primary, and when the primary had reached it. */
type Mark = { at: number; position: bigint }

const replicas = new WeakMap<pg.Pool, Replica>()
const primaries = new WeakMap<pg.Pool, Db>()

/** The state of the replica and how many milliseconds it is behind; undefined without one. */
export function replicaStatus({ $client }: Db): { state: ReplicaState; lagMs: number } | undefined {
  const replica = replicas.get($client)
  return replica && { state: replica.state, lagMs: replica.lagMs() }
}

/** The database that takes changes: the primary of a replica, or the given one. */
export const primaryOf = (db: Db): Db => primaries.get(db.$client) ?? db

/**
 * Where a request reads lists: the replica while it has replayed this browser's last change and every announced one,
 * otherwise the primary.
 */
export async function listsFrom(db: Db, cookies: string | null): Promise<Db> {
  const replica = replicas.get(db.$client)
  if (!replica) return db
  const own = BigInt(written.exec(cookies ?? '')?.[1] ?? 0)
  return (await replica.holds(own)) ? replica.db : db
}

/** The cookie with the position of a browser's last change. */
const cookie = 'carga.written'
const written = /(?:^|;\s*)(?:__Host-)?carga\.written=(\d{1,20})(?:;|$)/

/** Seconds after which the cookie is not needed: a replica that is further behind is not read. */
const remembered = 60

/** Later than any position: reads from the primary. */
const never = 2n ** 64n - 1n

/** After every request that may have changed something, the browser keeps the primary's position, for `listsFrom`. */
export const rememberWrites =
  (db: Db): MiddlewareHandler =>
  async (c, next) => {
    await next()
    if (['GET', 'HEAD', 'OPTIONS'].includes(c.req.method) || !replicas.has(db.$client)) return
    const position = await writtenPosition(db).catch((err) => {
      log.warn({ err }, 'position of a change could not be read')
      return never
    })
    const line = `${cookie}=${position}; Max-Age=${remembered}; Path=/; HttpOnly; SameSite=Lax`
    c.header('set-cookie', line, { append: true })
  }

/** Every change that was committed before is at or before this position, flushed or not. */
async function writtenPosition(db: Db): Promise<bigint> {
  const { rows } = await db.$client.query<{ position: string }>({
    text: `select (pg_current_wal_insert_lsn() - '0/0')::text as position`,
  })
  return BigInt(rows[0]!.position)
}

/** Opens the replica of a database, and looks at it from now on; the returned function closes it. */
export function openReplica(
  primary: Db,
  url: string,
  connections: number,
  times = usual,
): () => Promise<void> {
  const options = `${sessionSettings.options} -c default_transaction_read_only=on`
  const connection = { connectionString: url, options, connectionTimeoutMillis: times.look }
  const db = openDatabase({ ...connection, query_timeout: times.patience }, connections)
  // A look does not wait behind long lists.
  const probe = openDatabase({ ...connection, query_timeout: times.look }, 1)
  const announced = hearPositions(primary)
  const { beat, look, replica } = watch({ primary, db, probe, announced }, times.lag)
  sendTogether(db)
  orFromPrimary(db, primary, look)
  const timer = setInterval(beat, times.beat)
  timer.unref()
  void beat()
  replicas.set(primary.$client, replica)
  primaries.set(db.$client, primary)
  return async () => {
    clearInterval(timer)
    replicas.delete(primary.$client)
    await announced.stop()
    await Promise.all([closeDatabase(db), closeDatabase(probe)])
  }
}

type Announced = ReturnType<typeof hearPositions>

/** The positions of the announcements that this process receives. Listeners are told in the order in which they came. */
function hearPositions(primary: Db) {
  let newest = 0n
  let connections = 0
  let caughtUp = 0
  const raise = (position: bigint) => {
    if (position > newest) newest = position
  }
  const stop = listenOn(primary, [announcements], {
    heard: (_channel, payload) => raise(BigInt(/ @(\d+)/.exec(payload)?.[1] ?? 0)),
    connected: () => {
      connections += 1
    },
  })
  return {
    stop,
    /** Later than any position where announcements may have been missed. */
    newest: () => (caughtUp === connections && connections > 0 ? newest : never),
    /** What was missed before the connection is at or before the primary's position. */
    async catchUp() {
      const current = connections
      if (current === caughtUp) return
      raise(await writtenPosition(primary))
      caughtUp = current
    },
  }
}

type Watched = { primary: Db; db: Db; probe: Db; announced: Announced }

/**
 * Knows how far behind a replica is without trusting its clock or its connection: notes positions that the primary had
 * reached, and sees when the replica has passed them.
 */
function watch({ primary, db, probe, announced }: Watched, longest: number) {
  const marks: Mark[] = []
  let cluster = ''
  let replayed = 0n
  // Nothing is known of it before it has passed a first mark.
  let passed = performance.now() - longest - 1
  let behind = longest
  let reported: ReplicaState | undefined
  let looking: Promise<void> | undefined
  const replica: Replica = {
    db,
    state: 'unreachable',
    lagMs: () => behind,
    async holds(own) {
      const heard = announced.newest()
      const hasAll = () => replica.state === 'serving' && replayed >= own && replayed >= heard
      if (replica.state === 'serving' && heard < never && !hasAll()) await look()
      return hasAll()
    },
  }
  const set = (state: ReplicaState, err?: unknown) => {
    if (state !== 'serving') behind = performance.now() - passed
    replica.state = state
    if (state === reported) return
    reported = state
    log[levels[state]]({ ...(err ? { err } : {}), state }, 'replica')
  }
  const mark = async () => {
    const at = performance.now()
    const known = await whereIs(primary)
    await announced.catchUp()
    cluster = known.cluster
    if (marks.length < mostMarks) marks.push({ at, position: known.position })
  }
  const judge = ({ standby, position, ...found }: Place): ReplicaState => {
    if (!standby) return 'promoted'
    if (found.cluster !== cluster) return 'foreign'
    replayed = position
    while (marks[0] && marks[0].position <= replayed) passed = marks.shift()!.at
    behind = marks.length > 0 ? performance.now() - passed : 0
    return behind > longest ? 'lagging' : 'serving'
  }
  const look = () => {
    looking ??= whereIs(probe)
      .then((place) => set(judge(place)))
      .catch((err) => set('unreachable', err))
      .finally(() => {
        looking = undefined
      })
    return looking
  }
  // While the primary does not answer, a replica cannot be compared with it.
  const beat = () => mark().then(look, (err) => set('unreachable', err))
  return { beat, look, replica }
}

const levels = {
  serving: 'info',
  lagging: 'warn',
  unreachable: 'warn',
  promoted: 'error',
  foreign: 'error',
} as const

type Place = { standby: boolean; cluster: string; position: bigint }

/** Whether a server is a standby, whose copy it is, and how far its log is flushed or replayed. */
async function whereIs({ $client }: Db): Promise<Place> {
  const { rows } = await $client.query<Omit<Place, 'position'> & { position: string }>({
    text: `select pg_is_in_recovery() as standby, (select system_identifier::text from pg_control_system()) as cluster,
      (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end - '0/0')::text as position`,
  })
  const [{ position, ...place }] = rows as [(typeof rows)[number]]
  return { ...place, position: BigInt(position) }
}

/** Has whatever the replica does not answer be read from the primary, and the replica be looked at. */
function orFromPrimary({ $client: pool }: Db, primary: Db, look: () => Promise<void>): void {
  type Ask = (...given: unknown[]) => Promise<unknown>
  const here = pool.query.bind(pool) as Ask
  const query: Ask = (...given) =>
    here(...given).catch((err) => {
      log.warn({ err }, 'read from the primary, not from the replica')
      void look()
      return (primary.$client.query as Ask)(...given)
    })
  pool.query = query as unknown as typeof pool.query
}
