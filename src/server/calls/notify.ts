import type pg from 'pg'
import type { Queryable } from '../platform/database/database.ts'

/** The channel on which processes tell each other, by an appointment's id, that something is new in the room of its call. */
export const callsChannel = 'calls'

const query = { name: 'notify_call', text: `select pg_notify('${callsChannel}', $1)` }

/** Says that something is new in a room; within a transaction, at its commit. */
export async function notifyRoom({ $client }: Queryable, appointmentId: string): Promise<void> {
  const client: Pick<pg.Pool, 'query'> = $client
  await client.query({ ...query, values: [appointmentId] })
}
