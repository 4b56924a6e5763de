import { sql } from 'drizzle-orm'
import { type Db, queryRows, transaction } from './database/client.ts'

/** What is about to be written to somebody outside because of what a customer did. */
export type Outward = {
  /** One id for each message: a retry is counted once. */
  id: string
  /** The mailbox or phone, hashed. */
  receiver: string
  readerId: string
  causedBy: string
  kind: string
}

type Budget = { perHour: number; perDay: number }

const hour = 3_600_000
/** How long what is over the hour's budget, or the day's, is gathered before it is told in one message. */
export const gatherMs = { hour, day: 6 * hour }

/**
 * Counts a message by its receiver and by who causes it. Within the budget it may be sent: null. Beyond it, it is held
 * back, and answered is for how long such ones are gathered.
 */
export async function countOutward(
  db: Db,
  { causedBy, id, kind, readerId, receiver }: Outward,
  { perDay, perHour }: Budget,
): Promise<number | null> {
  return transaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${receiver}, 726012))`)
    const [row] = await queryRows<[held: boolean, isOfDay: boolean]>(
      tx,
      sql`with sent as (
        select count(*) filter (where at > now() - interval '1 hour') as of_hour, count(*) as of_day from outward
        where receiver = ${receiver} and at > now() - interval '1 day' and not held and id <> ${id}
      )
      insert into outward as kept (id, receiver, reader_id, caused_by, kind, held)
      select ${id}, ${receiver}, ${readerId}, ${causedBy}, ${kind}, of_hour >= ${perHour} or of_day >= ${perDay} from sent
      on conflict (id) do update set id = excluded.id
      returning held, (select of_day >= ${perDay} from sent)`,
    )
    const [isHeld, isOfDay] = row!
    if (!isHeld) return null
    return isOfDay ? gatherMs.day : gatherMs.hour
  })
}

/** What was held back from a reader since a moment, by kind, the most frequent first. */
export const heldSince = (db: Db, readerId: string, since: Date) =>
  queryRows<[kind: string, count: number]>(
    db,
    sql`select kind, count(*)::int from outward where reader_id = ${readerId} and held and at >= ${since}
      group by kind order by 2 desc, 1`,
  )

/** Forgets what no budget counts any more. */
export async function forgetOutward(db: Db): Promise<void> {
  await db.execute(sql`delete from outward where at < now() - interval '2 days'`)
}
