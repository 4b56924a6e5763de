import { and, desc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { calledBy, managesPeople } from '../../domain/users/user.ts'
import type { Db } from '../platform/database/database.ts'
import { keyset, listPage } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { blockedAccounts, dataReads } from '../platform/database/schema/privacy-schema.ts'

/** A blocked account as it may be told from another without opening it. */
export type BlockedAccount = {
  id: string
  blockedAt: Date
  suppressAt: Date
  /** Of their appointments, which stay. */
  folios: string[]
  /** Who opened it, when and why, the newest first. */
  openings: { id: number; at: Date; who: string; reason: string }[]
}

const pageSize = 20
const latestFirst = keyset(blockedAccounts, {
  direction: 'desc',
  key: (of) => [of.blockedAt, of.customerId],
  id: blockedAccounts.customerId,
})

/** The accounts that are blocked and not yet suppressed, the latest first, after the one of that id; for the manager only. */
export async function blockedPage(
  db: Db,
  actor: Actor,
  after: string | undefined,
): Promise<{ rows: BlockedAccount[]; next: string | null }> {
  if (!managesPeople(actor)) refuse('not-found')
  const { blockedAt, customerId, suppressAt } = blockedAccounts
  const read = (place: SQL | undefined, limit: number) =>
    db
      .select({ id: customerId, blockedAt, suppressAt })
      .from(blockedAccounts)
      .where(and(isNull(blockedAccounts.suppressedAt), place))
      .orderBy(...latestFirst.orderBy)
      .limit(limit)
  const { rows: page, next } = await listPage(read, latestFirst, after, pageSize)
  const ids = page.map(({ id }) => id)
  const [folios, openings] = await Promise.all([foliosOf(db, ids), openingsOf(db, ids)])
  const rows = page.map((account) => ({
    ...account,
    folios: folios.filter(({ of }) => of === account.id).map(({ folio }) => folio),
    openings: openings.filter(({ of }) => of === account.id).map(({ of: _, ...opening }) => opening),
  }))
  return { rows, next }
}

const foliosOf = (db: Db, ids: string[]) =>
  db
    .select({ of: appointments.customerId, folio: appointments.folio })
    .from(appointments)
    .where(inArray(appointments.customerId, ids))
    .orderBy(appointments.startsAt)

async function openingsOf(db: Db, ids: string[]) {
  const rows = await db
    .select({
      of: dataReads.customerId,
      id: dataReads.id,
      at: dataReads.at,
      reason: dataReads.reason,
      ...reader,
    })
    .from(dataReads)
    .innerJoin(users, eq(users.id, dataReads.readerId))
    .where(and(inArray(dataReads.customerId, ids), eq(dataReads.what, 'blocked')))
    .orderBy(desc(dataReads.id))
  return rows.map(({ at, id, of, reason, ...by }) => ({
    of,
    id,
    at,
    reason: reason ?? '',
    who: calledBy(by),
  }))
}

const reader = { name: users.name, lastname: users.lastname, email: users.email }
