import type { z } from 'zod'
import type { Db } from '../../platform/database/database.ts'
import { eventsOf } from '../webhooks/queries.ts'
import { replayEvent } from '../webhooks/replay.ts'
import { Problem } from './problems.ts'
import type { event } from './schemas.ts'

type Event = z.output<typeof event>

/** A page of what was said of an agency's clients, the oldest first; tries of the manager's are not among it. */
export async function eventRows(
  db: Db,
  agencyId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const type = 'client.stage_changed'
  const { events, next } = await eventsOf(db, agencyId, { after: cursor, limit, type, settled: 5 })
  return { data: events as Event[], next }
}

/** Has an event of an agency's sent again to all that listen; answers to how many. */
export async function sendAgain(db: Db, agencyId: string, id: string): Promise<number> {
  const sent = await replayEvent(db, agencyId, id)
  if (sent === 0)
    throw new Problem('conflict', 'Tu concesionaria no tiene un destino encendido al cual enviarlo.')
  return sent
}
