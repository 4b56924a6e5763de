import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { readsCases } from '../../domain/cfe/case.ts'
import { isNotDeleted } from '../accounts/blocked.ts'
import { cfeCases } from '../platform/database/schema/cfe-schema.ts'

const seenAs: Record<'all' | 'own' | 'none', (actor: Actor) => SQL | undefined> = {
  all: ({ kind }) => (kind === 'manager' ? undefined : isNotDeleted(cfeCases.customerId)),
  // One that nobody handles yet is any gester's to take.
  own: ({ id }) =>
    and(or(eq(cfeCases.gesterId, id), isNull(cfeCases.gesterId)), isNotDeleted(cfeCases.customerId)),
  none: () => sql`false`,
}

/** The cases an actor may see. For everyone else they do not exist. */
export const casesVisibleTo = (actor: Actor): SQL | undefined =>
  actor.role === 'customer' ? eq(cfeCases.customerId, actor.id) : seenAs[readsCases[actor.kind]](actor)
