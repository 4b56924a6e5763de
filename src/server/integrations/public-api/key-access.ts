import { and, eq, sql } from 'drizzle-orm'
import type { MiddlewareHandler } from 'hono'
import { type ApiScope, keyState } from '../../../domain/agencies/integrations.ts'
import { seal, sealingKey, unseal } from '../../accounts/block.ts'
import { type Counted, counterOf, hashOf } from '../../accounts/limits.ts'
import { type Db, type Tx, transaction } from '../../platform/database/client.ts'
import { apiRequests } from '../../platform/database/schema/agencies.ts'
import type { HttpEnv } from '../../platform/http/types.ts'
import { keyRow, noteKeyUse } from './keys.ts'
import { ApiProblem } from './problems.ts'

/** Who asks: a key of an agency. `secret` is the key itself, of which nothing but a hash is kept. */
export type ApiCaller = { keyId: string; agencyId: string; scopes: readonly string[]; secret: string }
export type ApiEnv = HttpEnv & { Variables: { caller: ApiCaller } }

/** Lets in whoever shows a key that serves, as often as one may ask; says with each answer how often that is still. */
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
    c.set('caller', { keyId: key.id, agencyId: key.agencyId, scopes: key.scopes, secret })
    await next()
  }

/** Refuses a key that does not open this. */
export const needs =
  (scope: ApiScope): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    if (!c.get('caller').scopes.includes(scope))
      throw new ApiProblem('scope_missing', `Esta operación necesita el permiso ${scope}.`)
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
