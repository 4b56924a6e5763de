import { and, count, eq, isNull, ne } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type AccessFacts, managesPeople } from '../../domain/users/user.ts'
import { wouldBeTakenOver } from '../accounts/take-over.ts'
import { waitingEmail } from '../accounts/waiting-email.ts'
import type { Db } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { projects } from '../platform/database/schema/project-schema.ts'

/** What the manager is told of a person beside their profile, as it stands now, first of all why a change would be refused. */
export type Standing = Pick<AccessFacts, 'emailVerified' | 'openProject' | 'otherManagers'> & {
  twoFactor: boolean
  /** The e-mail that was asked for and waits to be proved. */
  nextEmail: string | null
  /** Whether a correction takes the account over for its mailbox's owner. */
  takenOver: boolean
}

/** Null for anybody but the manager. */
export async function standingOf(db: Db, actor: Actor, uid: string, now: Date): Promise<Standing | null> {
  if (!managesPeople(actor)) return null
  const others = and(eq(users.kind, 'manager'), users.active, ne(users.id, uid))
  const [[person], [managers], [open], nextEmail] = await Promise.all([
    db
      .select({ emailVerified: users.emailVerified, twoFactor: users.twoFactorEnabled })
      .from(users)
      .where(eq(users.id, uid)),
    db.select({ total: count() }).from(users).where(others),
    db
      .select({ total: count() })
      .from(projects)
      .where(and(eq(projects.customerId, uid), isNull(projects.closedAt))),
    waitingEmail(db, uid, now),
  ])
  return {
    emailVerified: person?.emailVerified ?? false,
    twoFactor: person?.twoFactor ?? false,
    otherManagers: managers?.total ?? 0,
    openProject: (open?.total ?? 0) > 0,
    nextEmail,
    takenOver: person ? await wouldBeTakenOver(db, { id: uid, ...person }) : false,
  }
}
