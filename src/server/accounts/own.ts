import { eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { hasPassword } from './own-password.ts'
import { ownSessions } from './own-sessions.ts'
import { linkedProviders } from './providers.ts'
import { waitingEmail } from './waiting-email.ts'

/** What everybody's own account page shows. */
export async function ownAccount(db: Db, actor: Actor, sessionId: string) {
  const [[user], password, sessions, linked, nextEmail] = await Promise.all([
    db.select(shown).from(users).where(eq(users.id, actor.id)),
    hasPassword(db, actor.id),
    ownSessions(db, actor, sessionId),
    linkedProviders(db, actor),
    waitingEmail(db, actor.id, new Date()),
  ])
  return { user: user ?? refuse('not-found'), hasPassword: password, sessions, linked, nextEmail }
}

const shown = {
  email: users.email,
  emailVerified: users.emailVerified,
  name: users.name,
  lastname: users.lastname,
  phone: users.phone,
  version: users.version,
  whatsappOptInAt: users.whatsappOptInAt,
  newsOptInAt: users.newsOptInAt,
  deletionRequestedAt: users.deletionRequestedAt,
}
