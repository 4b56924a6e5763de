import { eq } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import { refuse } from '../../domain/refusal.ts'
import { users } from '../database/account-schema.ts'
import type { Db } from '../database/database.ts'
import { hasPassword } from './own-password.ts'
import { ownSessions } from './own-sessions.ts'

/** What everybody's own account page shows. */
export async function ownAccount(db: Db, actor: Actor, sessionId: string) {
  const [[user], password, sessions] = await Promise.all([
    db.select(shown).from(users).where(eq(users.id, actor.id)),
    hasPassword(db, actor.id),
    ownSessions(db, actor, sessionId),
  ])
  return { user: user ?? refuse('not-found'), hasPassword: password, sessions }
}

const shown = {
  email: users.email,
  name: users.name,
  lastname: users.lastname,
  phone: users.phone,
  version: users.version,
  whatsappOptInAt: users.whatsappOptInAt,
  newsOptInAt: users.newsOptInAt,
  deletionRequestedAt: users.deletionRequestedAt,
}
