import { leave, type Tx } from './database.ts'
import type { events } from './schema/office-schema.ts'

const insert = {
  name: 'record_event',
  text: `insert into events (entity, entity_id, actor_id, name, from_state, to_state, reason, data)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
}

/** Leaves the trace of a change in the append-only history; the commit waits for it. No actor means the system. */
export async function record(tx: Tx, event: Omit<typeof events.$inferInsert, 'id' | 'at'>): Promise<void> {
  const { entity, entityId, actorId, name, fromState, toState, reason, data } = event
  const about = [entity, entityId, actorId, name, fromState, toState, reason]
  const values = [...about, data == null ? null : JSON.stringify(data)]
  leave(tx, tx.$client.query({ ...insert, values }))
}
