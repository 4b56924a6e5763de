import { sql } from 'drizzle-orm'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import type { Held } from './appointments-changes.ts'

/**
 * Nobody can go: the person is taken off, which the history keeps. Managers hear of it, and the customer who was not told
 * when a manager took the person off: both once for each time that it has nobody.
 */
export async function withoutPerson(tx: Tx, held: Held) {
  const known = await knownSinceLastPerson(tx, held.id)
  if (known.managers && !held.assigneeId) return null
  await tx
    .update(appointments)
    .set({ assigneeId: null, version: held.version + 1 })
    .where(sql`${appointments.id} = ${held.id}`)
  await record(tx, {
    entity: 'appointment',
    entityId: held.id,
    name: 'without_person',
    fromState: 'requested',
    toState: 'requested',
    data: { from: held.assigneeId, assigneeId: null },
  })
  const letter = { letter: 'no_person', appointmentId: held.id } as const
  if (!known.customer) await enqueue(tx, 'letter', { ...letter, to: 'customer' })
  if (!known.managers) await enqueue(tx, 'letter', { ...letter, to: 'managers' })
  return 'withoutPerson' as const
}

/** Who heard that nobody goes since somebody last did. A release that offers another time told the customer something else. */
async function knownSinceLastPerson(tx: Tx, id: string) {
  const { rows } = await tx.execute<{ customer: boolean; managers: boolean }>(sql`
    select coalesce(bool_or(name = 'without_person' or (name = 'release' and data ->> 'offered' is null)), false) as customer,
      coalesce(bool_or(name = 'without_person'), false) as managers
    from events where entity = 'appointment' and entity_id = ${id} and id > (
      select coalesce(max(id), 0) from events
      where entity = 'appointment' and entity_id = ${id} and data ->> 'assigneeId' is not null)`)
  return rows[0]!
}
