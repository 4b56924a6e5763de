import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { OpenBlocked } from '../../domain/accounts/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { calledBy, managesPeople } from '../../domain/users/user.ts'
import { type Db, transaction } from '../platform/database/client.ts'
import { keyset, listPage } from '../platform/database/lists.ts'
import { blockedAccounts, dataReads, users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import type { unsealed } from './block.ts'
import type { DataHolding, OwnData } from './own-data.ts'

/** What identifies a blocked account without opening it. */
export type BlockedAccount = {
  id: string
  blockedAt: Date
  suppressAt: Date
  /** The folios of their appointments, which are kept. */
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

/**
 * The accounts that are blocked and not yet suppressed, the latest first, after the one with that id; for the manager
 * only.
 */
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

/** Opens a sealed text; it holds the secret, so that no screen needs it. */
export type Unseal = (sealed: string | null) => ReturnType<typeof unsealed>

/** The blocked data of a user, and the names of their pictures and papers. */
export type OpenedBlock = { customerId: string; data: OwnData; files: string[] }

/**
 * Opens a blocked account for the manager, and records the reason in the same transaction: data are shown only with a
 * row, and each opening is its own row, however soon it follows another.
 */
export async function openBlocked(
  db: Db,
  actor: Actor,
  { customerId, reason }: OpenBlocked,
  unseal: Unseal,
): Promise<OpenedBlock> {
  if (!managesPeople(actor)) refuse('permission-denied')
  return transaction(db, async (tx) => {
    const [account] = await tx
      .select({ sealed: blockedAccounts.sealed, files: blockedAccounts.files })
      .from(blockedAccounts)
      .where(and(eq(blockedAccounts.customerId, customerId), isNull(blockedAccounts.suppressedAt)))
      .for('share')
    if (!account) refuse('not-found', 'Esos datos ya se suprimieron, o nunca estuvieron bloqueados.')
    const held = unseal(account.sealed)
    if (!held)
      refuse(
        'failed-precondition',
        'Se selló con otra AUTH_SECRET. Quien administra el servidor tiene que poner la de entonces.',
      )
    await tx.insert(dataReads).values({
      readerId: actor.id,
      customerId,
      what: 'blocked',
      subjectId: customerId,
      reason,
      span: sql`clock_timestamp()`,
    })
    return { customerId, data: ownDataIn(held), files: account.files.map(({ name }) => name) }
  })
}

const ownDataIn = (held: Record<string, object[]>): OwnData =>
  Object.entries(held).map(([heading, holdings]) => ({ heading, holdings: holdings.map(withTimes) }))

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** JSON has no times: they were written as text. */
const withTimes = (holding: object): DataHolding =>
  Object.fromEntries(
    Object.entries(holding).map(([term, value]) => [
      term,
      typeof value === 'string' && time.test(value) ? new Date(value) : value,
    ]),
  )
