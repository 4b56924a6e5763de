import type pg from 'pg'
import type { Db } from '../database/database.ts'
import { log } from '../log.ts'

const channel = 'changes'
/** Changes within this many milliseconds travel in one notification: each NOTIFY makes commits of the whole database queue. */
const gather = 25

/** Whom a change concerns, by id; a project stands for the allies of its agency. */
export type Audience = {
  people: readonly string[]
  /** False for what only managers may see of others: analysts, who see all appointments and tasks, do not hear it. */
  desk?: boolean
}
/** How an announcement names the desk among the ids. */
export const desk = 'desk'

const counts = new WeakMap<pg.Pool, number>()

/**
 * How many announcements this process has heard, its own included: as long as the number stays, nothing that is announced
 * has changed. Undefined where nobody listens, or not yet. While the connection is lost, some are missed until it is back.
 */
export const heardSoFar = (db: Db): number | undefined => counts.get(db.$client)

const count = (db: Db) => counts.set(db.$client, (counts.get(db.$client) ?? 0) + 1)

/** A project's id goes out as its agency's, or not at all: whose client somebody is, streams need not know. */
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
    // Also when nobody is named: managers hear of everything.
    for (let from = 0; from === 0 || from < people.length; from += 150)
      db.$client
        .query({ ...notify, values: [channel, people.slice(from, from + 150), whose] })
        .catch((err) => log.warn({ err }, 'a change was not announced'))
  }, gather)
}

/** Hears what all processes announce, and reconnects by itself; the answer ends it. */
export function listen(db: Db, heard: (people: ReadonlySet<string>) => void): () => Promise<void> {
  let client: pg.PoolClient | undefined
  let ended = false
  const connect = async () => {
    if (ended) return
    try {
      const fresh = await db.$client.connect()
      // Nobody else would give it back, and a pool that ends waits for it for ever.
      if (ended) return fresh.release(true)
      client = fresh
      fresh.on('notification', ({ payload }) => {
        count(db)
        heard(new Set(payload?.split(' ')))
      })
      fresh.on('error', () => {
        if (client === fresh) client = undefined
        fresh.release(true)
        setTimeout(connect, 500)
      })
      await fresh.query(`listen ${channel}`)
      count(db)
    } catch (err) {
      log.warn({ err }, 'live updates wait for the database')
      setTimeout(connect, 2_000)
    }
  }
  void connect()
  return async () => {
    ended = true
    counts.delete(db.$client)
    client?.removeAllListeners('error')
    client?.on('error', () => undefined)
    client?.release(true)
    client = undefined
  }
}
