import { sql } from 'drizzle-orm'
import type { Tx } from '../platform/database/database.ts'
import { endTie } from './attribute.ts'

/**
 * Somebody's account is erased: what tied them to an agency ends, and what was written about them in it goes, also what an
 * ally typed of them at the counter. That an agency brought somebody stays, for what it was paid.
 */
export async function forgetClient(
  tx: Tx,
  { email, emailVerified, id: customerId }: { id: string; email: string; emailVerified: boolean },
  now: Date,
): Promise<void> {
  await endTie(tx, customerId, { reason: 'erased', actorId: null, now })
  await tx.execute(sql`
    update clients set reason = case when reason is not null then '–' end, consent_version = null, version = version + 1,
      ended_reason = case when ended_reason in ('self_referral', 'staff', 'erased', 'changed') then ended_reason else '–' end
    where customer_id = ${customerId} and ended_at is not null`)
  // Only whoever reads a mailbox may have what is said of it forgotten.
  if (!emailVerified) return
  await tx.execute(sql`
    update clients set name = null, lastname = null, phone = null, email = null, vehicle = null, invite_hash = null,
      ended_at = coalesce(ended_at, ${now}), ended_reason = coalesce(ended_reason, 'erased'), version = version + 1
    where customer_id is null and lower(email) = ${email}`)
}
