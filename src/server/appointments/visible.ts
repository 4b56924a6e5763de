import { eq, type SQL, sql } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../domain/access/actor.ts'
import type { AppointmentState } from '../../domain/appointments/appointment.ts'
import { hasOrNeedsCase } from '../cfe/paperwork.ts'
import { listed } from '../platform/database/literals.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'

const none = sql`false`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => undefined,
  // A provisional person does not know yet; old and far visits are none of theirs.
  tecnician: (actor) =>
    sql`${appointments.assigneeId} = ${actor.id} and ${appointments.confirmedAt} is not null
      and ${appointments.startsAt} between now() - interval '30 days' and now() + interval '60 days'`,
  alliate: (actor) => (actor.agencyId ? eq(appointments.agencyId, actor.agencyId) : none),
  gester: () =>
    sql`${appointments.state} = 'done' and ${appointments.service} in ('technical_visit', 'installation')
      and ${hasOrNeedsCase(appointments.projectId)}`,
}

/** The rows an actor may see. For everyone else they do not exist. */
export const visibleTo = (actor: Actor): SQL | undefined =>
  actor.role === 'customer' ? eq(appointments.customerId, actor.id) : seenByStaff[actor.kind](actor)

/** The states written out: a list in a parameter would keep PostgreSQL from using the partial indexes. */
export const stateIn = (states: readonly AppointmentState[]) =>
  sql`${appointments.state} in (${listed(states)})`
