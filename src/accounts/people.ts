import { and, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { type Actor, isAlly, isCustomer, type StaffKind } from '../access/rules/actor.ts'
import { activeStates, affectedUserIds } from '../appointments/rules/appointment.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { holds, listed } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { refuse } from '../shared/refusal.ts'
import { managesPeople } from '../users/rules/user.ts'

/** That a user is of a kind. Only staff have one, and the index of kinds holds staff alone. */
export const isOfKind = (kind: StaffKind) => and(holds(users.role, 'staff'), holds(users.kind, kind))

/** The customer whom the manager acts for; null for any other actor or user. */
export async function customerToActFor(db: Db, actor: Actor, id: string) {
  if (!managesPeople(actor)) refuse('permission-denied')
  const [customer] = isId(id)
    ? await db
        .select()
        .from(users)
        .where(and(eq(users.id, id), eq(users.role, 'customer'), users.active, usersVisibleTo(actor)))
    : []
  return customer ?? refuse('not-found')
}

/**
 * The users an actor may see: a customer themselves, staff the active staff, an ally those of their agency only, the
 * manager all.
 */
export function usersVisibleTo(actor: Actor): SQL | undefined {
  if (isCustomer(actor)) return eq(users.id, actor.id)
  const known = isNull(users.deletedAt)
  if (managesPeople(actor)) return known
  if (isAlly(actor))
    return and(known, isOfKind('alliate'), users.active, sql`${users.agencyId} = ${actor.agencyId}`)
  return and(known, holds(users.role, 'staff'), users.active)
}

/** The users whose screens show a user's name and phone: those with a common appointment, once it is confirmed. */
export async function contactsOf(db: Db, userId: string): Promise<string[]> {
  const { assigneeId, confirmedAt, customerId, projectId, state } = appointments
  const rows = await db
    .select({ assigneeId, confirmedAt, customerId, projectId })
    .from(appointments)
    .where(
      and(
        or(eq(customerId, userId), and(eq(assigneeId, userId), isNotNull(confirmedAt))),
        sql`${state} in (${listed(activeStates)})`,
      ),
    )
  return rows.flatMap(affectedUserIds)
}
