import type { Tx } from '../database/database.ts'
import { events } from '../database/schema.ts'

/** Leaves the trace of a change in the append-only history. No actor means the system. */
export async function record(tx: Tx, event: typeof events.$inferInsert): Promise<void> {
  await tx.insert(events).values(event)
}
