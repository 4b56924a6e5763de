import type { Actor } from '../../domain/access/actor.ts'
import type { AppointmentState } from '../../domain/appointments/appointment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Held } from '../appointments/appointments-changes.ts'
import { heldRow } from '../appointments/rows.ts'
import type { Tx } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { literals } from '../platform/database/literals.ts'

/** The states in which nobody else has gone on with it since. */
const untouched: readonly AppointmentState[] = ['requested', 'assigned', 'en_route', 'cancelled', 'no_show']

/** The technician asking, where somebody else made the last change of the appointment; else null. */
export async function takenFrom(tx: Tx, { id, state }: Held, actor: Actor): Promise<string | null> {
  if (actor.kind !== 'tecnician' || !untouched.includes(state)) return null
  const { rows } = await tx.$client.query<{ actor_id: string | null }>(
    `select actor_id from events where entity = 'appointment' and entity_id = $1 and to_state is not null
     order by id desc limit 1`,
    [id],
  )
  return rows[0] && rows[0].actor_id !== actor.id ? actor.id : null
}

/** The row of an appointment, held, for whoever writes its sheet: also for whom it was taken from, who sees it no more. */
export async function holdForAuthor(tx: Tx, actor: Actor, id: string): Promise<Held> {
  if (!isId(id)) refuse('not-found')
  const [row] = await heldRow(tx, actor, id)
  if (row) return row.appointment
  if (actor.kind !== 'tecnician' || !(await wasTheirs(tx, actor, id))) return refuse('not-found')
  const [theirs] = await heldRow(tx, 'system', id)
  return theirs && untouched.includes(theirs.appointment.state) ? theirs.appointment : refuse('not-found')
}

const confirmed: readonly AppointmentState[] = ['assigned', 'en_route']

/** Whether it was confirmed to somebody and given away within the days after which nothing pressed before is taken any more. */
async function wasTheirs(tx: Tx, { id: personId }: Actor, id: string): Promise<boolean> {
  const { rows } = await tx.$client.query(
    `select 1 from events where entity = 'appointment' and entity_id = $1 and data ->> 'from' = $2
       and from_state in (${literals(confirmed)}) and at > now() - interval '4 days' limit 1`,
    [id, personId],
  )
  return rows.length > 0
}
