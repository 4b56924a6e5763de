import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../domain/access/actor.ts'
import { clients } from '../platform/database/schema/agencies.ts'

const none = sql`false`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  // How many there are at each stage is all that the agency's page tells an analyst.
  analyst: () => none,
  tecnician: () => none,
  gester: () => none,
  alliate: ({ agencyId }) => (agencyId ? eq(clients.agencyId, agencyId) : none),
}

/** The clients an actor may see; those that ended are history, which only the customer's own page tells the manager. */
export const clientsVisibleTo = (actor: Actor): SQL | undefined =>
  and(isNull(clients.endedAt), actor.kind ? seenByStaff[actor.kind](actor) : none)
