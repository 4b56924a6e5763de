import { randomBytes } from 'node:crypto'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../../domain/access/actor.ts'
import { editsAgencies } from '../../../domain/agencies/agency.ts'
import { keyEnd, scopeNames } from '../../../domain/agencies/integrations.ts'
import type { NewApiKey } from '../../../domain/agencies/schema.ts'
import { refuse } from '../../../domain/shared/refusal.ts'
import { hashOf } from '../../accounts/limits.ts'
import { type Db, isId, type Tx, transaction } from '../../platform/database/client.ts'
import { record } from '../../platform/database/lists.ts'
import { users } from '../../platform/database/schema/accounts.ts'
import { apiKeys } from '../../platform/database/schema/agencies.ts'
import { agencies } from '../../platform/database/schema/projects.ts'
import { announce } from '../../platform/live/announcements.ts'

/** Leaks are looked for by it, in code and logs of others. */
const mark = 'cec_'
/** As much of a key as is kept and shown: it tells keys apart, and 208 bits of it stay unknown. */
const shown = mark.length + 8

/** Makes a key for an agency's own system. The answer is the only place where it can be read. */
export async function makeKey(
  db: Db,
  actor: Actor,
  agencyId: string,
  { name, scopes, life }: NewApiKey,
  now: Date,
): Promise<string> {
  if (!editsAgencies(actor)) refuse('permission-denied')
  const key = mark + randomBytes(32).toString('base64url')
  await transaction(db, async (tx) => {
    await holdActive(tx, agencyId)
    const kept = { prefix: key.slice(0, shown), keyHash: hashOf(key), expiresAt: keyEnd(life, now) }
    const made = { agencyId, name, scopes, ...kept, madeBy: actor.id }
    const [row] = await tx.insert(apiKeys).values(made).returning({ id: apiKeys.id })
    await trace(tx, actor, agencyId, 'make_api_key', { keyId: row!.id, name, scopes })
  })
  announce(db, { people: [] })
  return key
}

/** Ends a key for good; whoever asks with it hears so. */
export async function revokeKey(
  db: Db,
  actor: Actor,
  agencyId: string,
  keyId: string,
  now: Date,
): Promise<void> {
  if (!editsAgencies(actor)) refuse('permission-denied')
  if (!isId(agencyId) || !isId(keyId)) refuse('not-found')
  await transaction(db, async (tx) => {
    const [row] = await tx
      .update(apiKeys)
      .set({ revokedAt: now, revokedBy: actor.id })
      .where(and(eq(apiKeys.id, keyId), eq(apiKeys.agencyId, agencyId), isNull(apiKeys.revokedAt)))
      .returning({ name: apiKeys.name })
    if (!row) return refuse('failed-precondition', 'Esa llave ya no servía.')
    await trace(tx, actor, agencyId, 'revoke_api_key', { keyId, name: row.name })
  })
  announce(db, { people: [] })
}

const { id, agencyId: ofAgency, name, prefix, scopes, expiresAt, lastUsedAt, revokedAt, createdAt } = apiKeys

/** An agency's keys as the manager sees them, the newest first; for everybody else there are none. */
export async function apiKeysOf(db: Db, actor: Actor, agencyId: string) {
  if (!editsAgencies(actor) || !isId(agencyId)) return []
  const rows = await db
    .select({ id, name, prefix, scopes, expiresAt, lastUsedAt, revokedAt, createdAt, madeBy: users.name })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.madeBy))
    .where(eq(ofAgency, agencyId))
    .orderBy(desc(createdAt), desc(id))
  return rows.map((row) => ({ ...row, scopes: scopeNames.filter((scope) => row.scopes.includes(scope)) }))
}

export type ListedKey = Awaited<ReturnType<typeof apiKeysOf>>[number]

/** The row of a key that somebody shows, with whether its agency is active; undefined for one that is nobody's. */
export async function keyRow(db: Db, key: string) {
  if (!key.startsWith(mark)) return undefined
  const [row] = await db
    .select({ id, agencyId: ofAgency, scopes, expiresAt, revokedAt, agencyActive: agencies.active })
    .from(apiKeys)
    .innerJoin(agencies, eq(agencies.id, ofAgency))
    .where(eq(apiKeys.keyHash, hashOf(key)))
  return row
}

/** When a system last asked, to the minute: each of its questions would otherwise write. */
export const noteKeyUse = (db: Db, keyId: string, now: Date) =>
  db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(
      sql`${id} = ${keyId} and coalesce(${lastUsedAt}, '-infinity') < ${now}::timestamptz - interval '1 minute'`,
    )

async function holdActive(tx: Tx, agencyId: string): Promise<void> {
  const held = tx.select({ active: agencies.active }).from(agencies).where(eq(agencies.id, agencyId))
  const [agency] = isId(agencyId) ? await held.for('share') : []
  if (!agency) return refuse('not-found')
  if (!agency.active)
    refuse(
      'failed-precondition',
      'La concesionaria está inactiva: sus llaves no servirían. Actívala primero.',
    )
}

const trace = (tx: Tx, { id: actorId }: Actor, entityId: string, event: string, data: object) =>
  record(tx, { entity: 'agency', entityId, actorId, name: event, data })
