import { and, eq, lte, sql } from 'drizzle-orm'
import { remindHoursBefore } from '../../domain/payments/payment.ts'
import { isQuiet, toMinutes } from '../../domain/shared/calendar.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { payments } from '../platform/database/schema/money-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { holdProject } from './rows.ts'

/** Ends demands whose time is over, and tells their customers; answers how many. What waits for a review is not among them. */
export async function expirePayments(db: Db, now: Date): Promise<number> {
  const isOver = and(eq(payments.state, 'pending'), lte(payments.expiresAt, now))
  const { customerId, id, projectId } = payments
  const over = await db.select({ customerId, id, projectId }).from(payments).where(isOver)
  let count = 0
  for (const row of over) {
    const ended = await transaction(db, async (tx) => {
      await holdProject(tx, row.projectId)
      const [expired] = await tx
        .update(payments)
        .set({ state: 'expired', version: sql`${payments.version} + 1` })
        .where(and(isOver, eq(payments.id, row.id)))
        .returning({ id: payments.id })
      if (!expired) return false
      await record(tx, {
        ...{ entity: 'payment', entityId: row.id, actorId: null, name: 'expire' },
        ...{ fromState: 'pending', toState: 'expired' },
      })
      await enqueue(tx, 'letter', { letter: 'payment_expired', paymentId: row.id, to: 'customer' })
      return true
    })
    if (!ended) continue
    announce(db, { people: [row.customerId, row.projectId] })
    count++
  }
  return count
}

/** Reminds of what is due within a day, each once, by day; answers how many. Two rounds at once send each once. */
export async function remindOfPayments(db: Db, now: Date): Promise<number> {
  if (isQuiet(toMinutes(now))) return 0
  return transaction(db, async (tx) => {
    // What was asked for within that day was told of already.
    const { rows } = await tx.$client.query<{ id: string }>(
      `with chosen as (
         select id from payments
         where state = 'pending' and reminded_at is null and due_at <= $1::timestamptz + $2 * interval '1 hour'
           and created_at < due_at - $2 * interval '1 hour' and due_at > $1::timestamptz - interval '7 days'
         for update skip locked
       )
       update payments set reminded_at = $1 from chosen where payments.id = chosen.id returning payments.id`,
      [now, remindHoursBefore],
    )
    for (const { id } of rows)
      await enqueue(tx, 'letter', { letter: 'payment_reminder', paymentId: id, to: 'customer' })
    return rows.length
  })
}
