import { eq, sql } from 'drizzle-orm'
import { record } from '../platform/database/changes.ts'
import type { Queryable, Tx } from '../platform/database/database.ts'
import { accounts, users } from '../platform/database/schema/account-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { noteConsent } from './consents.ts'
import { endAccess } from './end-access.ts'

/**
 * Before somebody of the house writes a caller's data into an account whose mailbox nobody proved: it may be a stranger's who
 * signed up with it. Nobody comes in any more, what was agreed to is as if it had not been, and the mailbox gets the letter
 * by which its owner claims the account. Nothing happens to one that is proved, or that nobody ever came into. Answers
 * whether it was taken over. Announce that person after the commit.
 */
export async function takeOver(tx: Tx, customerId: string, actorId: string, now: Date): Promise<boolean> {
  const [user] = await tx.select().from(users).where(eq(users.id, customerId)).for('update')
  // The letter that claims an account which nobody can come into yet stays good.
  if (user?.role !== 'customer' || !(await wouldBeTakenOver(tx, user))) return false
  await endAccess(tx, customerId, now)
  const { termsVersion, whatsappOptInAt, newsOptInAt } = user
  const said = {
    userId: customerId,
    given: false,
    version: termsVersion ?? '–',
    source: 'take_over',
  } as const
  noteConsent(tx, { ...said, kind: 'terms' })
  if (whatsappOptInAt) noteConsent(tx, { ...said, kind: 'whatsapp' })
  if (newsOptInAt) noteConsent(tx, { ...said, kind: 'news' })
  await tx
    .update(users)
    .set({
      ...{ termsVersion: null, termsAcceptedAt: null, whatsappOptInAt: null, newsOptInAt: null },
      version: sql`${users.version} + 1`,
    })
    .where(eq(users.id, customerId))
  await record(tx, { entity: 'user', entityId: customerId, actorId, name: 'take_over' })
  await enqueue(tx, 'account-letter', { letter: 'claim_account', userId: customerId })
  return true
}

/** Whether an account would be taken over: nobody proved its mailbox, and somebody has a way into it. */
export async function wouldBeTakenOver(
  db: Queryable,
  { id, emailVerified }: { id: string; emailVerified: boolean },
): Promise<boolean> {
  if (emailVerified) return false
  const way = eq(accounts.userId, id)
  return (await db.select({ id: accounts.id }).from(accounts).where(way).limit(1)).length > 0
}
