import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Actor, isCustomer, type StaffKind } from '../access/rules/actor.ts'
import { listed } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { addresses } from '../platform/database/schema/projects.ts'
import { hasOrNeedsCase } from '../projects/cases.ts'
import { type AppointmentState, onSiteServices, underWayStates } from './rules/appointment.ts'

/** The two people of an appointment, for joins. */
export const customer = alias(users, 'customer')
export const assignee = alias(users, 'assignee')

/** The name of the confirmed assignee: a provisional one is announced to no one. */
export const confirmedAssignee = sql<string | null>`case when ${appointments.confirmedAt} is not null
  then nullif(${assignee.fullName}, '') end`

const { address, folio, id, minutes, municipality, service, startsAt, state } = appointments
/** What, when and where an appointment is. */
export const appointmentFacts = { id, folio, service, state, startsAt, minutes, municipality, address }

/** Joins `addresses` as the home that an appointment's customer has now, which knows its pin. */
export const presentHome = and(eq(addresses.projectId, appointments.projectId), isNull(addresses.archivedAt))

const none = sql`false`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => undefined,
  // A provisional assignee is not notified yet; old and distant visits are not shown to them, but for those they have to
  // end or to report on.
  tecnician: (actor) =>
    sql`${appointments.assigneeId} = ${actor.id} and ${appointments.confirmedAt} is not null
      and (${appointments.startsAt} between now() - interval '30 days' and now() + interval '60 days'
        or ${appointments.state} in (${listed(underWayStates)}) or ${appointments.id} in (select appointment_id from sheets where state = 'returned'))`,
  alliate: (actor) => (actor.agencyId ? eq(appointments.agencyId, actor.agencyId) : none),
  gester: () =>
    sql`${appointments.state} = 'done' and ${appointments.service} in (${listed(onSiteServices)})
      and ${hasOrNeedsCase(appointments.projectId)}`,
}

/** The rows an actor may see. For all other actors they do not exist. */
export const visibleTo = (actor: Actor): SQL | undefined =>
  isCustomer(actor) ? eq(appointments.customerId, actor.id) : seenByStaff[actor.kind](actor)

/** The states written out: a list in a parameter would keep PostgreSQL from using the partial indexes. */
export const stateIn = (states: readonly AppointmentState[]) =>
  sql`${appointments.state} in (${listed(states)})`
