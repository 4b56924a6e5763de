import { eq, sql } from 'drizzle-orm'
import type { Completion } from '../../domain/account.ts'
import { type Actor, hasName } from '../../domain/actor.ts'
import { refuse } from '../../domain/refusal.ts'
import { type Db, transaction } from '../database/database.ts'
import { users } from '../database/schema.ts'
import { record } from '../events/changes.ts'

/** Gives a new account its name and phone; createdAt becomes the database's own time (specification §3). */
export async function completeProfile(
  db: Db,
  actor: Actor,
  { name, lastname, phone }: Completion,
): Promise<void> {
  await transaction(db, async (tx) => {
    const [user] = await tx
      .select({ name: users.name })
      .from(users)
      .where(eq(users.id, actor.id))
      .for('update')
    if (!user) refuse('not-found')
    if (hasName(user)) refuse('failed-precondition', 'Tu perfil ya estaba completo.')
    await tx
      .update(users)
      .set({ name, lastname, phone, createdAt: sql`now()`, version: sql`${users.version} + 1` })
      .where(eq(users.id, actor.id))
    await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'complete_profile' })
  })
}
