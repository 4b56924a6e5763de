import { and, desc, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type OpenBlocked, suppressionDue } from '../accounts/rules/schema.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { countRows, eachRow, keyset, listPage, type Page, record } from '../platform/database/lists.ts'
import { type BlockedFile, blockedAccounts, dataReads, users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { documents } from '../platform/database/schema/payments.ts'
import { seal, sealingKey, unseal } from '../platform/http/sealing.ts'
import { type Drive, paperKey } from '../platform/storage/drive.ts'
import { log } from '../platform/telemetry/log.ts'
import type { Count } from '../shared/count.ts'
import { refuse } from '../shared/refusal.ts'
import { calledBy, managesPeople } from '../users/rules/user.ts'
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

/** The blocked accounts of a page. */
export const blockedPageSize = 20
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
): Promise<Page<BlockedAccount> & Count> {
  if (!managesPeople(actor)) refuse('not-found')
  const { blockedAt, customerId, suppressAt } = blockedAccounts
  const isBlocked = isNull(blockedAccounts.suppressedAt)
  const read = (place: SQL | undefined, limit: number) =>
    db
      .select({ id: customerId, blockedAt, suppressAt })
      .from(blockedAccounts)
      .where(and(isBlocked, place))
      .orderBy(...latestFirst.orderBy)
      .limit(limit)
  const [{ rows: page, next }, count] = await Promise.all([
    listPage(read, latestFirst, after, blockedPageSize),
    countRows(db, db.select(eachRow).from(blockedAccounts).where(isBlocked).$dynamic()),
  ])
  const ids = page.map(({ id }) => id)
  const [folios, openings] = await Promise.all([foliosOf(db, ids), openingsOf(db, ids)])
  const rows = page.map((account) => ({
    ...account,
    folios: folios.filter(({ of }) => of === account.id).map(({ folio }) => folio),
    openings: openings.filter(({ of }) => of === account.id).map(({ of: _, ...opening }) => opening),
  }))
  return { rows, next, ...count }
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

const keyOf = (secret: string) => sealingKey(secret, 'blocked accounts')

/** Seals a user's data and stores them apart; the caller then erases them everywhere else, in the same transaction. */
export async function putAside(
  tx: Tx,
  customerId: string,
  { files, held }: { files: BlockedFile[]; held: unknown },
  secret: string,
  now: Date,
): Promise<void> {
  await tx.insert(blockedAccounts).values({
    customerId,
    files,
    blockedAt: now,
    suppressAt: suppressionDue(now),
    sealed: seal(keyOf(secret), JSON.stringify(held)),
  })
  await record(tx, { entity: 'user', entityId: customerId, name: 'block' })
}

/**
 * The sealed data, as their owner could read them; null where they were suppressed, or sealed with another AUTH_SECRET.
 */
export function unsealed(sealed: string | null, secret: string): Record<string, object[]> | null {
  const text = sealed && unseal(keyOf(secret), sealed)
  return text ? (JSON.parse(text) as Record<string, object[]>) : null
}

/**
 * Suppresses accounts that were blocked for their whole term: nothing is left, here or on the drive, except papers that
 * the tax office may ask for. Returns how many.
 */
export async function suppressDue(db: Db, drive: Drive, now: Date): Promise<number> {
  const isDue = and(isNull(blockedAccounts.suppressedAt), lte(blockedAccounts.suppressAt, now))
  const due = await db.select({ id: blockedAccounts.customerId }).from(blockedAccounts).where(isDue)
  for (const { id } of due) {
    const gone = await transaction(db, (tx) => suppress(tx, id, now))
    // A crash here leaves files without an owner, which the sweep removes.
    for (const { key } of gone) await drive.delete(key)
    log.info({ user: id }, 'data of a blocked account deleted')
  }
  return due.length
}

async function suppress(tx: Tx, customerId: string, now: Date): Promise<BlockedFile[]> {
  const mine = eq(blockedAccounts.customerId, customerId)
  const [held] = await tx
    .select({ files: blockedAccounts.files })
    .from(blockedAccounts)
    .where(and(mine, isNull(blockedAccounts.suppressedAt)))
    .for('update', { skipLocked: true })
  if (!held) return []
  await tx.update(blockedAccounts).set({ sealed: null, files: [], suppressedAt: now }).where(mine)
  await record(tx, { entity: 'user', entityId: customerId, name: 'erase' })
  const kept = new Set(await papersKept(tx, customerId))
  return held.files.filter(({ key }) => !kept.has(key))
}

/**
 * The drive keys of papers that tax law requires to be kept: those whose rows were left in place. `deleteFiscalData`
 * removes them.
 */
async function papersKept(tx: Tx, customerId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.customerId, customerId), isNull(documents.replacedAt)))
  return rows.map(paperKey)
}
