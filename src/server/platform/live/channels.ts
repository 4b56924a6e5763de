import type pg from 'pg'
import { log } from '../../app/log.ts'
import { type Db, directPool } from '../database/database.ts'

/** `connected`: from here on everything is heard; what was said before, while nobody listened, was not. */
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
      // Nobody else would give it back, and a pool that ends waits for it for ever.
      if (ended) return fresh.release(true)
      const own = fresh
      client = own
      own.on('notification', ({ channel, payload }) => heard(channel, payload ?? ''))
      own.on('error', () => lost(own, 500))
      await own.query(channels.map((channel) => `listen ${channel}`).join('; '))
      if (!ended) connected?.()
    } catch (err) {
      if (ended) return
      log.warn({ err }, 'live updates wait for the database')
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
