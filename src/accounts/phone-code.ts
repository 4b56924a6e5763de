import { and, eq, gt, isNotNull, isNull, lt, ne, notExists, sql } from 'drizzle-orm'
import { isCustomer } from '../access/rules/actor.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { invitations, users, whatsappNumbers } from '../platform/database/schema/accounts.ts'
import { enqueue } from '../platform/jobs/jobs.ts'

/** Sends a code to a user's phone; undefined where WhatsApp is not configured. */
export type SendPhoneCode = ((userId: string, code: string) => Promise<void>) | undefined

/** Days that a phone has to be the account's, so that its owner can notice a change. */
const settledDays = 7

/**
 * The phone of a customer who lost the second factor; null for staff, invited staff, and a number that did not answer
 * SÍ itself or became the account's of late.
 */
export async function provedPhone(db: Queryable, userId: string, now: Date): Promise<string | null> {
  const invited = db
    .select({ id: invitations.id })
    .from(invitations)
    .where(
      and(
        eq(invitations.email, users.email),
        isNull(invitations.acceptedAt),
        isNull(invitations.withdrawnAt),
        gt(invitations.expiresAt, now),
      ),
    )
  const [row] = await db
    .select({ phone: users.phone })
    .from(users)
    .innerJoin(
      whatsappNumbers,
      sql`${whatsappNumbers.hash} = encode(sha256(convert_to(${users.phone}, 'UTF8')), 'hex')`,
    )
    .where(
      and(
        eq(users.id, userId),
        eq(users.role, 'customer'),
        isNotNull(users.whatsappOptInAt),
        lt(users.phoneChangedAt, new Date(now.getTime() - settledDays * 24 * 60 * 60_000)),
        // Those of before numbers were asked were taken over in one moment, since messages arrived: they answered nothing.
        ne(whatsappNumbers.agreedAt, whatsappNumbers.askedAt),
        notExists(invited),
      ),
    )
  return row?.phone ?? null
}

/** Tells a customer with a second factor that its codes may soon go to another phone. */
export async function tellOfPhone(tx: Tx, user: typeof users.$inferSelect, changed: readonly string[]) {
  if (isCustomer(user) && user.twoFactorEnabled && changed.includes('phone'))
    await enqueue(tx, 'account-letter', { letter: 'phone_changed', userId: user.id })
}

/** Writes down that a code by phone opened a session, and tells the owner. */
export const notePhoneCode = (db: Db, userId: string): Promise<void> =>
  transaction(db, async (tx) => {
    await record(tx, { entity: 'user', entityId: userId, actorId: userId, name: 'enter_by_phone_code' })
    await enqueue(tx, 'account-letter', { letter: 'phone_code_used', userId })
  })
