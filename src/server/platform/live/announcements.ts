import type pg from 'pg'
import { log } from '../../app/stop.ts'
import { type Db, directPool } from '../database/client.ts'

/** `connected`: from here on every announcement is received; earlier ones, without a listener, were lost. */
type Hearer = { heard: (channel: string, payload: string) => void; connected?: () => void }

/** Hears what is notified on some channels by a connection of its own, and reconnects by itself; the answer ends it. */
export function listenOn(
  db: Db,
  channels: readonly string[],
  { connected, heard }: Hearer,
): () => Promise<void> {
  let client: pg.PoolClient | undefined
  let ended = false
  const lost = (fresh: pg.PoolClient, again: number) => {
    // A connection that breaks while it is opened says so twice.
    if (client !== fresh) return
    client = undefined
    fresh.release(true)
    setTimeout(connect, again)
  }
  const connect = async () => {
    if (ended) return
    let fresh: pg.PoolClient | undefined
    try {
      fresh = await directPool(db).connect()
      // No other person would give it back, and a pool that ends waits for it for ever.
      if (ended) return fresh.release(true)
      const own = fresh
      client = own
      own.on('notification', ({ channel, payload }) => heard(channel, payload ?? ''))
      own.on('error', () => lost(own, 500))
      await own.query(channels.map((channel) => `listen ${channel}`).join('; '))
      if (!ended) connected?.()
    } catch (err) {
      if (ended) return
      log.warn({ err }, 'live updates paused, database unavailable')
      if (fresh) lost(fresh, 2_000)
      else setTimeout(connect, 2_000)
    }
  }
  void connect()
  return async () => {
    ended = true
    client?.removeAllListeners('error')
    client?.on('error', () => undefined)
    client?.release(true)
    client = undefined
  }
}

/** The channel announcements travel on. */
export const announcements = 'changes'

/** Changes within this many milliseconds travel in one notification: each NOTIFY makes commits of the whole database queue. */
const gather = 25

/** Whom a change concerns, by id; a project stands for the allies of its agency. */
type Audience = {
  people: readonly string[]
  /** False for what only managers may see of others: analysts, who see all appointments and tasks, do not hear it. */
  desk?: boolean
}

/** How an announcement names the desk among the ids. */
export const desk = 'desk'

const counts = new WeakMap<pg.Pool, number>()

/**
 * How many announcements this process has received, its own included: as long as the number stays, nothing that is announced
 * has changed. Undefined where no one listens, or not yet. While the connection is lost, some are missed until it is back.
 */
export const heardSoFar = (db: Db): number | undefined => counts.get(db.$client)

const count = (db: Db) => counts.set(db.$client, (counts.get(db.$client) ?? 0) + 1)

/** A project's id goes out as its agency's, or not at all: whose client a person is, streams need not know. */
const notify = {
  name: 'announce',
  text: `select pg_notify($1, concat_ws(' ', $3::text, string_agg(distinct coalesce(projects.agency_id, named.id)::text, ' ')))
    from unnest($2::uuid[]) as named (id) left join projects on projects.id = named.id
    where projects.id is null or projects.agency_id is not null`,
}

const waiting = new Set<string>()
let forDesk = false
let timer: NodeJS.Timeout | undefined

/** Tells every open screen that may show it that something changed; call it after the commit. */
export function announce(db: Db, audience: Audience): void {
  for (const person of audience.people) waiting.add(person)
  if (audience.desk !== false) forDesk = true
  if (heardSoFar(db) !== undefined) count(db)
  if (timer) return
  timer = setTimeout(() => {
    timer = undefined
    const people = [...waiting]
    const whose = forDesk ? desk : null
    waiting.clear()
    forDesk = false
    // 8,000 bytes is PostgreSQL's limit for one payload; 36 of them go to each id.
    // Also when no one is named: managers hear of everything.
    for (let from = 0; from === 0 || from < people.length; from += 150)
      db.$client
        .query({ ...notify, values: [announcements, people.slice(from, from + 150), whose] })
        .catch((err) => log.warn({ err }, 'change announcement failed'))
  }, gather)
}

/** Hears what all processes announce, and reconnects by itself; the answer ends it. */
export function listen(db: Db, heard: (people: ReadonlySet<string>) => void): () => Promise<void> {
  const stop = listenOn(db, [announcements], {
    heard: (_channel, payload) => {
      count(db)
      heard(peopleIn(payload))
    },
    connected: () => count(db),
  })
  return async () => {
    counts.delete(db.$client)
    await stop()
  }
}

/** Whom an announcement names. */
export const peopleIn = (payload: string): ReadonlySet<string> => new Set(payload.split(' '))
