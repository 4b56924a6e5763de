import { type Actor, isTechnician } from '../access/rules/actor.ts'
import { isId, type Tx } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { refuse } from '../shared/refusal.ts'
import type { AppointmentState } from './rules/appointment.ts'
import { type AppointmentRow, lastChangeOf, lockVisibleRow } from './transition.ts'

/** The states in which no other assignee has continued it since. */
const untouched: readonly AppointmentState[] = ['requested', 'assigned', 'en_route', 'cancelled', 'no_show']

/** The requesting technician, where another user made the last change of the appointment; else null. */
export async function takenFrom(tx: Tx, { id, state }: AppointmentRow, actor: Actor): Promise<string | null> {
  if (!isTechnician(actor) || !untouched.includes(state)) return null
  const last = await lastChangeOf(tx, id)
  return last && last.by !== actor.id ? actor.id : null
}

/**
 * The row of an appointment, locked, for the author of its report: also for a former assignee, who no longer sees it.
 */
export async function lockForAuthor(tx: Tx, actor: Actor, id: string): Promise<AppointmentRow> {
  if (!isId(id)) refuse('not-found')
  const [row] = await lockVisibleRow(tx, actor, id)
  if (row) return row.appointment
  if (!isTechnician(actor) || !(await wasTheirs(tx, actor, id))) return refuse('not-found')
  const [theirs] = await lockVisibleRow(tx, 'system', id)
  return theirs && untouched.includes(theirs.appointment.state) ? theirs.appointment : refuse('not-found')
}

const confirmed: readonly AppointmentState[] = ['assigned', 'en_route']

/** Whether it was confirmed to this technician and taken away, in the days for which they see what is theirs. */
async function wasTheirs(tx: Tx, { id: personId }: Actor, id: string): Promise<boolean> {
  const { rows } = await tx.$client.query(
    `select 1 from events where entity = 'appointment' and entity_id = $1 and data ->> 'from' = $2
       and from_state in (${literals(confirmed)}) and at > now() - interval '30 days' limit 1`,
    [id, personId],
  )
  return rows.length > 0
}
