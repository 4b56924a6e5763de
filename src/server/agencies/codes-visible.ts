import { eq, type SQL, sql } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../domain/access/actor.ts'
import { codes } from '../platform/database/schema/agencies.ts'

const none = sql`false`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => undefined,
  tecnician: () => none,
  gester: () => none,
  // A colleague's too, so that nobody makes the same twice.
  alliate: ({ agencyId }) => (agencyId ? eq(codes.agencyId, agencyId) : none),
}

/** The codes an actor may see. For everyone else they do not exist. */
export const codesVisibleTo = (actor: Actor): SQL | undefined =>
  actor.kind ? seenByStaff[actor.kind](actor) : none
