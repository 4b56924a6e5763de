import { log } from '../app/log.ts'
import type { Db } from '../platform/database/database.ts'
import type { Streams } from '../platform/live/streams.ts'

/** How often each process notes which analysts have a screen open, in milliseconds; what is older than two of them tells nothing. */
const NOTE_EVERY = 20_000

const query = {
  name: 'note_presence',
  text: `insert into presence (user_id) select unnest($1::uuid[])
    on conflict (user_id) do update set seen_at = now()`,
}

/** Keeps noting which analysts have a screen of ours open at this process; the answer ends it. */
export function notePresence(db: Db, streams: Pick<Streams, 'analysts'>, every = NOTE_EVERY): () => void {
  const note = async () => {
    const people = streams.analysts()
    if (people.length > 0) await db.$client.query({ ...query, values: [people] })
  }
  const timer = setInterval(
    () => note().catch((err) => log.warn({ err }, 'presence waits for the database')),
    every,
  )
  timer.unref()
  return () => clearInterval(timer)
}
