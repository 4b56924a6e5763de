import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, isId, type Queryable, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { dayStarts, users } from '../platform/database/schema/accounts.ts'
import { announce } from '../platform/live/announcements.ts'
import type { MunicipalitySlug } from '../shared/places.ts'
import { refuse } from '../shared/refusal.ts'
import { hasZones, keepsFieldFacts } from './rules/user.ts'

/** Where a person's days begin, as they and the manager edit it; null for whoever travels to nobody. */
export async function dayStartOf(db: Queryable, actor: Actor, userId: string) {
  if (!isId(userId) || !keepsFieldFacts(actor, userId)) return null
  const [row] = await db
    .select({ kind: users.kind, from: dayStarts.municipality })
    .from(users)
    .leftJoin(dayStarts, eq(dayStarts.personId, users.id))
    .where(and(eq(users.id, userId), eq(users.active, true)))
  return row && hasZones(row.kind) ? { from: row.from } : null
}

export type DayStart = NonNullable<Awaited<ReturnType<typeof dayStartOf>>>

/** Stores where a person's days begin, or forgets it. The history says that it changed, not what it is. */
export async function saveDayStart(
  db: Db,
  actor: Actor,
  userId: string,
  municipality: MunicipalitySlug | null,
): Promise<void> {
  if (!isId(userId) || !keepsFieldFacts(actor, userId)) refuse('permission-denied')
  const changed = await transaction(db, async (tx) => {
    // Their rights may have ended meanwhile.
    const [person] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!person || !hasZones(person.kind)) return refuse('permission-denied')
    if (!person.active) refuse('failed-precondition', 'Esta persona ya no visita clientes.')
    const written = municipality
      ? await tx
          .insert(dayStarts)
          .values({ personId: userId, municipality })
          .onConflictDoUpdate({
            target: dayStarts.personId,
            set: { municipality },
            setWhere: sql`${dayStarts.municipality} <> excluded.municipality`,
          })
          .returning()
      : await tx.delete(dayStarts).where(eq(dayStarts.personId, userId)).returning()
    if (written.length > 0)
      await record(tx, { entity: 'user', entityId: userId, actorId: actor.id, name: 'change_day_start' })
    return written.length > 0
  })
  if (changed) announce(db, { people: [userId] })
}
