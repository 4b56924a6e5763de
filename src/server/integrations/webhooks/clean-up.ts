import { sql } from 'drizzle-orm'
import { type Db, transaction } from '../../platform/database/database.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'

const keptDays = 90
/** More than any round of the queue takes; a delivery that waits longer has lost its job. */
const strandedAfter = sql`make_interval(hours => 1)`

/** Takes away events that are too old to be asked for, and gives deliveries that lost their job another. */
export async function cleanUpWebhooks(db: Db, now: Date): Promise<void> {
  const old = sql`created_at <= ${now}::timestamptz - make_interval(days => ${keptDays})`
  await db.execute(
    sql`delete from webhook_deliveries where event_id in (select id from webhook_events where ${old})`,
  )
  await db.execute(sql`delete from webhook_events where ${old}
    and not exists (select from webhook_deliveries where event_id = webhook_events.id)`)
  await transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(sql`select id from webhook_deliveries
      where state = 'pending' and next_try_at <= now() - ${strandedAfter} order by next_try_at limit 500`)
    for (const { id } of rows) await enqueue(tx, 'send-webhook', { deliveryId: id })
  })
}
