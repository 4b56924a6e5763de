import { and, count, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type AccessFacts, managesPeople } from '../../domain/users/user.ts'
import { wouldBeClaimed } from '../accounts/email-change.ts'
import { waitingEmail } from '../accounts/password.ts'
import type { Db } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { agencies, events, projects } from '../platform/database/schema/projects.ts'

export type PersonEvent = {
  id: number
  name: string
  from: string | null
  to: string | null
  data: unknown
  at: Date
  /** Who made it: null for the system. */
  by: { id: string; name: string } | null
}

const shownAtOnce = 50

/** The latest changes of a person, newest first, of the kinds that `names` lists; for the manager only. */
export async function personHistory(
  db: Db,
  actor: Actor,
  uid: string,
  names: readonly string[],
): Promise<PersonEvent[]> {
  if (!managesPeople(actor)) return []
  const rows = await db
    .select({
      id: events.id,
      name: events.name,
      from: events.fromState,
      to: events.toState,
      data: events.data,
      at: events.at,
      byId: events.actorId,
      byName: sql<string>`coalesce(nullif(${users.fullName}, ''), ${users.email}, '')`,
    })
    .from(events)
    .leftJoin(users, eq(users.id, events.actorId))
    .where(and(eq(events.entity, 'user'), eq(events.entityId, uid), inArray(events.name, [...names])))
    .orderBy(desc(events.at), desc(events.id))
    .limit(shownAtOnce)
  return rows.map(({ byId, byName, ...event }) => ({
    ...event,
    by: byId === null ? null : { id: byId, name: byName },
  }))
}

export type AgencyName = { id: string; name: string; active: boolean }

/** The names of agencies in Spanish order; an ally knows their own only. */
export async function agencyNames(db: Db, actor: Actor): Promise<AgencyName[]> {
  if (actor.role === 'customer' || (actor.kind === 'alliate' && !actor.agencyId)) return []
  const own = actor.kind === 'alliate' && actor.agencyId ? eq(agencies.id, actor.agencyId) : undefined
  return db
    .select({ id: agencies.id, name: agencies.name, active: agencies.active })
    .from(agencies)
    .where(own)
    .orderBy(sql`${agencies.name} collate es`, agencies.id)
}

/** What the manager is told of a person beside their profile, as it stands now, first of all why a change would be refused. */
export type PersonStatus = Pick<AccessFacts, 'emailVerified' | 'openProject' | 'otherManagers'> & {
  twoFactor: boolean
  /** The e-mail that was asked for and waits to be proved. */
  nextEmail: string | null
  /** Whether a correction takes the account over for its mailbox's owner. */
  takenOver: boolean
}

/** Null for anybody but the manager. */
export async function personStatusOf(
  db: Db,
  actor: Actor,
  uid: string,
  now: Date,
): Promise<PersonStatus | null> {
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
    takenOver: person ? await wouldBeClaimed(db, { id: uid, ...person }) : false,
  }
}
