import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { type Db, directPool } from '../database/client.ts'
import { log } from '../telemetry/log.ts'

/** `connected`: from here on every announcement is received; earlier ones, without a listener, were lost. */
type Hearer = { heard: (channel: string, payload: string) => void; connected?: () => void }

type Listener = Hearer & { channels: readonly string[] }

/** The connection that all listeners of a pool share: each one more would be missing to the requests. */
type Shared = { pool: pg.Pool; listeners: Set<Listener>; client?: pg.PoolClient | undefined }
const open = new WeakMap<pg.Pool, Shared>()

/**
 * Receives the notifications of some channels, over one connection for all listeners of a process, and reconnects
 * automatically; the returned function stops it.
 */
export function listenOn(db: Db, channels: readonly string[], hearer: Hearer): () => Promise<void> {
  const pool = directPool(db)
  const listener = { ...hearer, channels }
  const shared: Shared = open.get(pool) ?? { pool, listeners: new Set() }
  shared.listeners.add(listener)
  if (shared.client) void subscribe(shared, shared.client, listener)
  if (!open.has(pool)) void connect(shared)
  open.set(pool, shared)
  return async () => {
    shared.listeners.delete(listener)
    if (shared.listeners.size > 0) return
    open.delete(pool)
    shared.client?.removeAllListeners('error')
    shared.client?.on('error', () => undefined)
    shared.client?.release(true)
    shared.client = undefined
  }
}

async function connect(shared: Shared): Promise<void> {
  const { pool, listeners } = shared
  if (listeners.size === 0) return
  try {
    const client = await pool.connect()
    // Otherwise the client is never released, and an ending pool waits for it forever.
    if (listeners.size === 0) return client.release(true)
    shared.client = client
    client.on('notification', ({ channel, payload = '' }) => {
      for (const { channels, heard } of listeners) if (channels.includes(channel)) heard(channel, payload)
    })
    client.on('error', () => lost(shared, client, 500))
    for (const listener of listeners) void subscribe(shared, client, listener)
  } catch (err) {
    if (listeners.size === 0) return
    log.warn({ err }, 'live updates paused, database unavailable')
    setTimeout(connect, 2_000, shared)
  }
}

async function subscribe(shared: Shared, client: pg.PoolClient, listener: Listener): Promise<void> {
  const { channels, connected } = listener
  try {
    await client.query(channels.map((channel) => `listen ${channel}`).join('; '))
    if (shared.listeners.has(listener)) connected?.()
  } catch (err) {
    if (!shared.listeners.has(listener)) return
    log.warn({ err }, 'live updates paused, database unavailable')
    lost(shared, client, 2_000)
  }
}

function lost(shared: Shared, client: pg.PoolClient, again: number): void {
  // A connection that breaks while it is opened reports it twice.
  if (shared.client !== client) return
  shared.client = undefined
  client.release(true)
  setTimeout(connect, again, shared)
}

/** The channel announcements travel on. */
export const announcements = 'changes'

/**
 * Changes within this many milliseconds are sent in one notification: each NOTIFY makes commits of the whole database
 * queue.
 */
const gather = 25

/** The least time between two notifications of a process, which each wake every open screen: those ask again every 300 ms at most. */
const pause = 100

/** The users whom a change concerns, by id; a project stands for the allies of its agency. */
type Audience = {
  people: readonly string[]
  /** False for what only managers may see of others: analysts, who see all appointments and tasks, are not notified. */
  desk?: boolean
}

/** The name of the desk among the ids of an announcement. */
export const desk = 'desk'

/** The name of all users among the ids of an announcement. */
export const everyone = 'everyone'
const all: ReadonlySet<string> = new Set([everyone])

type Announcement = { id: string; people: ReadonlySet<string> }

/** What a process received on a pool: `count` of all, its own included, and the newest of them. */
type Received = { count: number; newest: Announcement[] }

const received = new WeakMap<pg.Pool, Received>()

/** Longer than a page takes from its reading to its open stream, at the busiest. */
const mostKept = 1_000

/**
 * How many announcements this process has received, its own included: while the number is unchanged, no announced data
 * have changed. Undefined without a listener, or before it is connected. While the connection is lost, announcements
 * are missed.
 */
export const heardSoFar = (db: Db): number | undefined => received.get(db.$client)?.count

/** The newest announcement, which what is read from now on contains; the same at every process. Empty without a listener. */
export const positionOf = (db: Db): string => received.get(db.$client)?.newest.at(-1)?.id ?? ''

/** The announcements after a position, by the users whom they concern; one for everyone where it is unknown or too old. */
export function announcedSince(db: Db, position: string): ReadonlySet<string>[] {
  const newest = received.get(db.$client)?.newest ?? []
  const at = newest.findLastIndex(({ id }) => id === position)
  return at < 0 ? [all] : newest.slice(at + 1).map(({ people }) => people)
}

function count(db: Db, announcement?: Announcement): void {
  const known = received.get(db.$client) ?? { count: 0, newest: [] }
  known.count += 1
  if (announcement) known.newest.push(announcement)
  if (known.newest.length > mostKept) known.newest.splice(0, mostKept / 2)
  received.set(db.$client, known)
}

/** Its first character tells it from the ids of users: a version before sent none. */
const newId = () => `#${randomBytes(9).toString('base64url')}`

/**
 * Its own id, the position in the write-ahead log (for `replica.ts`), the desk, the users. A project's id is sent as its
 * agency's, or not at all: streams need not know whose client a customer is.
 */
const notify = {
  name: 'announce',
  text: `select pg_notify($1, concat_ws(' ', $4::text, '@' || (pg_current_wal_insert_lsn() - '0/0'), $3::text, string_agg(distinct coalesce(projects.agency_id, named.id)::text, ' ')))
    from unnest($2::uuid[]) as named (id) left join projects on projects.id = named.id
    where projects.id is null or projects.agency_id is not null`,
}

const waiting = new Set<string>()
let forDesk = false
let timer: NodeJS.Timeout | undefined
let last = 0

/** Notifies every open screen that may show a change; call it after the commit. */
export function announce(db: Db, audience: Audience): void {
  for (const person of audience.people) waiting.add(person)
  if (audience.desk !== false) forDesk = true
  if (heardSoFar(db) !== undefined) count(db)
  if (timer) return
  const wait = Math.max(gather, last + pause - performance.now())
  timer = setTimeout(() => {
    timer = undefined
    last = performance.now()
    const people = [...waiting]
    const whose = forDesk ? desk : null
    waiting.clear()
    forDesk = false
    // 8,000 bytes is PostgreSQL's limit for one payload; each id takes 36 of them. Sent also without ids: managers are
    // notified of every change.
    for (let from = 0; from === 0 || from < people.length; from += 150)
      db.$client
        .query({ ...notify, values: [announcements, people.slice(from, from + 150), whose, newId()] })
        .catch((err) => log.warn({ err }, 'change announcement failed'))
  }, wait)
}

/**
 * Receives the announcements of all processes, and reconnects automatically; what may have been missed meanwhile
 * concerns everyone. The returned function stops it.
 */
export function listen(db: Db, heard: (people: ReadonlySet<string>) => void): () => Promise<void> {
  const stop = listenOn(db, [announcements], {
    heard: (_channel, payload) => {
      const announcement = parse(payload)
      count(db, announcement)
      heard(announcement.people)
    },
    connected: () => {
      count(db, { id: newId(), people: all })
      heard(all)
    },
  })
  return async () => {
    received.delete(db.$client)
    await stop()
  }
}

function parse(payload: string): Announcement {
  const ids = payload.split(' ')
  return { id: ids[0]?.startsWith('#') ? ids.shift()! : newId(), people: new Set(ids) }
}

/** The ids of the users whom an announcement concerns. */
export const peopleIn = (payload: string): ReadonlySet<string> => parse(payload).people
