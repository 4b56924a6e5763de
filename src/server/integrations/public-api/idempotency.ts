import { and, eq, sql } from 'drizzle-orm'
import { hashOf } from '../../accounts/code.ts'
import { seal, sealingKey, unseal } from '../../accounts/seal.ts'
import { type Db, type Tx, transaction } from '../../platform/database/database.ts'
import { apiRequests } from '../../platform/database/schema/agencies.ts'
import type { ApiCaller } from './key-access.ts'
import { Problem } from './problems.ts'

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
      if (known?.digest !== digest) throw new Problem('idempotency_key_reused')
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
