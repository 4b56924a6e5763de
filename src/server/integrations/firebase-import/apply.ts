import { type AnyColumn, sql } from 'drizzle-orm'
import { providerId } from '../../accounts/provider-auth.ts'
import { record } from '../../platform/database/changes.ts'
import { type Db, type Tx, transaction } from '../../platform/database/database.ts'
import { accounts, importedUsers, users } from '../../platform/database/schema/account-schema.ts'
import { agencies } from '../../platform/database/schema/office-schema.ts'
import type { Newcomer } from './plan.ts'

/** What became, or would become, of one of them: made now, brought before, or of an e-mail that somebody here has. */
export type Outcome = { newcomer: Newcomer; done: 'made' | 'before' | 'known_email'; withoutAgency: boolean }

const source = 'firebase'

type Options = {
  /** Writes nothing, and answers what would be. */
  dry: boolean
  /** Accounts of Google are ours to know too: that is who signs people in here. */
  google: boolean
}

/** Brings people over, each in a transaction of their own: a run that was cut short is simply run again. */
export async function bringOver(
  db: Db,
  newcomers: readonly Newcomer[],
  options: Options,
): Promise<Outcome[]> {
  const agencyIds = await agenciesByName(db)
  const known = await knownAmong(db, newcomers)
  const outcomes: Outcome[] = []
  for (const newcomer of newcomers) {
    const agencyId = agencyIds.get(newcomer.agency?.toLowerCase() ?? '') ?? null
    const withoutAgency = newcomer.kind === 'alliate' && agencyId === null
    let done = known(newcomer)
    if (done === 'made' && !options.dry)
      done = await transaction(db, (tx) => bring(tx, newcomer, agencyId, options.google))
    outcomes.push({ newcomer, done, withoutAgency })
  }
  return outcomes
}

async function bring(tx: Tx, newcomer: Newcomer, agencyId: string | null, google: boolean) {
  const { active, createdAt, email, emailVerified, kind, lastname, name, phone, signedUpAt } = newcomer
  const [made] = await tx
    .insert(users)
    .values({
      ...{ email, emailVerified, name, lastname, phone, active, kind, agencyId },
      role: kind ? 'staff' : 'customer',
      signedUpAt: signedUpAt ?? createdAt ?? new Date(),
      createdAt: createdAt ?? signedUpAt ?? new Date(),
    })
    .onConflictDoNothing()
    .returning({ id: users.id })
  if (!made) return 'known_email' as const
  await tx.insert(importedUsers).values({ source, sourceId: newcomer.uid, userId: made.id })
  if (newcomer.password)
    await tx.insert(accounts).values({
      userId: made.id,
      accountId: made.id,
      providerId: 'credential',
      password: newcomer.password,
    })
  if (google && newcomer.googleId)
    await tx.insert(accounts).values({ userId: made.id, accountId: newcomer.googleId, providerId })
  await record(tx, { entity: 'user', entityId: made.id, name: 'bring_over', data: { source } })
  return 'made' as const
}

/** One parameter for all of them: a statement takes 65,535, and a project may have more people. */
const oneOf = (column: AnyColumn, values: string[]) => sql`${column} = any(${sql.param(values)}::text[])`

async function knownAmong(db: Db, newcomers: readonly Newcomer[]) {
  const before = await db
    .select({ id: importedUsers.sourceId })
    .from(importedUsers)
    .where(
      oneOf(
        importedUsers.sourceId,
        newcomers.map(({ uid }) => uid),
      ),
    )
  const there = await db
    .select({ email: users.email })
    .from(users)
    .where(
      oneOf(
        users.email,
        newcomers.map(({ email }) => email),
      ),
    )
  const uids = new Set(before.map(({ id }) => id))
  const emails = new Set(there.map(({ email }) => email))
  return ({ email, uid }: Newcomer): Outcome['done'] => {
    if (uids.has(uid)) return 'before'
    return emails.has(email) ? 'known_email' : 'made'
  }
}

async function agenciesByName(db: Db): Promise<Map<string, string>> {
  const rows = await db.select({ id: agencies.id, name: sql<string>`lower(${agencies.name})` }).from(agencies)
  return new Map(rows.map(({ id, name }) => [name, id]))
}
