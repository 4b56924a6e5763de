import { randomInt } from 'node:crypto'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { MiddlewareHandler } from 'hono'
import type { Actor } from '../../access/rules/actor.ts'
import { type Counted, counterOf } from '../../accounts/limits.ts'
import { editsAgencies } from '../../agencies/rules/agency.ts'
import { type ApiScope, keyEnd, keyState, scopeNames } from '../../agencies/rules/integrations.ts'
import type { NewApiKey } from '../../agencies/rules/schema.ts'
import { type Db, isId, type Tx, transaction } from '../../platform/database/client.ts'
import { record } from '../../platform/database/lists.ts'
import { users } from '../../platform/database/schema/accounts.ts'
import { apiKeys, apiRequests } from '../../platform/database/schema/agencies.ts'
import { agencies } from '../../platform/database/schema/projects.ts'
import { hashOf, seal, sealingKey, unseal } from '../../platform/http/sealing.ts'
import type { HttpEnv } from '../../platform/http/types.ts'
import { announce } from '../../platform/live/announcements.ts'
import { refuse } from '../../shared/refusal.ts'
import { ApiProblem } from './problems.ts'

/** The caller: a key of an agency. `secret` is the key itself, of which only a hash is stored. */
export type ApiCaller = {
  keyId: string
  agencyId: string
  scopes: readonly string[]
  secret: string
  /** Whether it is for trying the interface: it reads and writes nothing of the agency. */
  sandbox: boolean
}
export type ApiEnv = HttpEnv & { Variables: { caller: ApiCaller } }

/** Admits a caller with a valid key, within its limit; each answer states the remaining requests. */
export const withKey =
  (db: Db): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const now = new Date()
    c.header('cache-control', 'no-store')
    const secret = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (!secret) throw new ApiProblem('key_missing')
    const key = await keyRow(db, secret)
    if (!key) {
      const tries = await counterOf(db, 'unknown api keys by address', c.get('clientAddress'), now)
      if (tries.left >= 0) throw new ApiProblem('key_unknown')
      c.header('retry-after', String(secondsUntil(tries, now)))
      throw new ApiProblem('too_many_requests')
    }
    const state = keyState(key, now)
    if (state !== 'active') throw new ApiProblem(state === 'revoked' ? 'key_revoked' : 'key_expired')
    if (!key.agencyActive) throw new ApiProblem('agency_inactive')
    const requests = await counterOf(db, 'api by key', key.id, now)
    for (const [name, value] of Object.entries(limitHeaders(requests, now))) c.header(name, value)
    if (requests.left < 0) throw new ApiProblem('too_many_requests')
    await noteKeyUse(db, key.id, now)
    const { agencyId, sandbox, scopes: granted } = key
    c.set('caller', { keyId: key.id, agencyId, sandbox, scopes: granted, secret })
    await next()
  }

/** Refuses a key that does not open this. */
export const needs =
  (scope: ApiScope): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    if (!c.get('caller').scopes.includes(scope))
      throw new ApiProblem('scope_missing', {
        message: `Esta operación necesita el permiso ${scope}.`,
        detail: `This operation needs the permission ${scope}.`,
      })
    await next()
  }

const secondsUntil = ({ until }: Counted, now: Date) =>
  Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))

/** As the drafts of the HTTPAPI working group have them. */
function limitHeaders(requests: Counted, now: Date): Record<string, string> {
  const wait = secondsUntil(requests, now)
  return {
    'RateLimit-Policy': `"key";q=${requests.max};w=${requests.seconds}`,
    RateLimit: `"key";r=${Math.max(0, requests.left)};t=${wait}`,
    ...(requests.left < 0 && { 'Retry-After': String(wait) }),
  }
}

/** `name` is what the caller calls the request by; undefined where they don't. */
type Request = { name: string | undefined; input: unknown }

/**
 * Does a change once for each name that a caller gives it, and answers the same again: of any number at once the first
 * does it, and the others wait for what it answers. What was refused is not kept, and may be tried again under its name.
 */
export async function once<Answer>(
  db: Db,
  caller: ApiCaller,
  { name, input }: Request,
  change: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  if (name === undefined) return transaction(db, change)
  const digest = hashOf(JSON.stringify(input))
  const within = and(eq(apiRequests.apiKeyId, caller.keyId), eq(apiRequests.idempotencyKey, name))
  // An answer may carry a link that opens something. It is sealed with the caller's own key, which we don't keep.
  const key = sealingKey(caller.secret, 'answers')
  return transaction(db, async (tx) => {
    const [fresh] = await tx
      .insert(apiRequests)
      .values({ apiKeyId: caller.keyId, idempotencyKey: name, digest, status: 201, answer: '' })
      .onConflictDoNothing()
      .returning({ name: apiRequests.idempotencyKey })
    if (!fresh) {
      const [known] = await tx.select().from(apiRequests).where(within)
      if (known?.digest !== digest) throw new ApiProblem('idempotency_key_reused')
      return JSON.parse(unseal(key, String(known.answer)) ?? '')
    }
    const answer = await change(tx)
    await tx
      .update(apiRequests)
      .set({ answer: seal(key, JSON.stringify(answer)) })
      .where(within)
    return answer
  })
}

/** Forgets what was answered more than a day ago. */
export const forgetAnswers = (db: Db, now: Date) =>
  db.delete(apiRequests).where(sql`${apiRequests.createdAt} < ${now}::timestamptz - interval '1 day'`)

/** Leaks are looked for by it, in code and logs of others. */
const mark = 'cec_'

/** No signs: a double click selects a whole key. 43 of them are 256 random bits. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const random = () => Array.from({ length: 43 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Makes a key for an agency's own system. The answer is the only place where it can be read. */
export async function makeKey(
  db: Db,
  actor: Actor,
  agencyId: string,
  { name, scopes, life, sandbox }: NewApiKey,
  now: Date,
): Promise<string> {
  if (!editsAgencies(actor)) refuse('permission-denied')
  const beginning = `${mark}${sandbox ? 'prueba' : 'viva'}_`
  const key = beginning + random()
  await transaction(db, async (tx) => {
    await holdActive(tx, agencyId)
    // Shown to identify the key; 208 bits of it stay unknown.
    const prefix = key.slice(0, beginning.length + 8)
    const kept = { prefix, keyHash: hashOf(key), expiresAt: keyEnd(life, now) }
    const made = { agencyId, name, scopes, sandbox, ...kept, madeBy: actor.id }
    const [row] = await tx.insert(apiKeys).values(made).returning({ id: apiKeys.id })
    await trace(tx, actor, agencyId, 'make_api_key', { keyId: row!.id, name, scopes, sandbox })
  })
  announce(db, { people: [] })
  return key
}

/** Revokes a key for good; its caller is refused from then on. */
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

const { id, agencyId: ofAgency, name, prefix, scopes, sandbox, expiresAt } = apiKeys
const { lastUsedAt, revokedAt, createdAt } = apiKeys

/** An agency's keys as the manager sees them, the newest first; for everybody else there are none. */
export async function apiKeysOf(db: Db, actor: Actor, agencyId: string) {
  if (!editsAgencies(actor) || !isId(agencyId)) return []
  const rows = await db
    .select({
      id,
      name,
      prefix,
      scopes,
      sandbox,
      expiresAt,
      lastUsedAt,
      revokedAt,
      createdAt,
      madeBy: users.name,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.madeBy))
    .where(eq(ofAgency, agencyId))
    .orderBy(desc(createdAt), desc(id))
  return rows.map((row) => ({ ...row, scopes: scopeNames.filter((scope) => row.scopes.includes(scope)) }))
}

export type ListedKey = Awaited<ReturnType<typeof apiKeysOf>>[number]

/** The row of a presented key, with whether its agency is active; undefined for an unknown key. */
async function keyRow(db: Db, key: string) {
  if (!key.startsWith(mark)) return undefined
  const [row] = await db
    .select({ id, agencyId: ofAgency, scopes, sandbox, expiresAt, revokedAt, agencyActive: agencies.active })
    .from(apiKeys)
    .innerJoin(agencies, eq(agencies.id, ofAgency))
    .where(eq(apiKeys.keyHash, hashOf(key)))
  return row
}

/** When a system last asked, to the minute: each of its questions would otherwise write. */
const noteKeyUse = (db: Db, keyId: string, now: Date) =>
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
