import { sql } from 'drizzle-orm'
import { type Db, queryRows, transaction } from './database/client.ts'
import { outward } from './database/schema/accounts.ts'

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

/** For how many minutes what is over the hour's budget, or the day's, is gathered before it is told in one message. */
const gathered = { hour: 60, day: 360 }

/** What was held back: by when it is told, and the window that it is told with. */
export type HeldBack = { since: Date; minutes: number }

/**
 * Counts a message by its receiver. Within the budget it may be sent: null. Beyond it, it is held back. Tried again, it
 * is what it was.
 */
export async function countOutward(
  db: Db,
  { causedBy, id, kind, readerId, receiver }: Outward,
  { perDay, perHour }: Budget,
): Promise<HeldBack | null> {
  return transaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${receiver}, 726012))`)
    const [row] = await queryRows<[minutes: number | null, at: Date]>(
      tx,
      sql`with sent as (
        select count(*) filter (where at > now() - interval '1 hour') as of_hour, count(*) as of_day from outward
        where receiver = ${receiver} and at > now() - interval '1 day' and gather_minutes is null
      )
      insert into outward as kept (id, receiver, reader_id, caused_by, kind, gather_minutes)
      select ${id}, ${receiver}, ${readerId}, ${causedBy}, ${kind},
        case when of_day >= ${perDay} then ${gathered.day}::int when of_hour >= ${perHour} then ${gathered.hour}::int end from sent
      on conflict (id) do update set id = excluded.id
      returning gather_minutes, at`,
    )
    const [minutes, at] = row!
    if (minutes === null) return null
    const span = minutes * 60_000
    return { since: new Date(Math.floor(at.getTime() / span) * span), minutes }
  })
}

/** What was held back from a reader in a window, by kind, the most frequent first. */
export const heldIn = (db: Db, readerId: string, { minutes, since }: HeldBack) =>
  queryRows<[kind: string, count: number]>(
    db,
    sql`select kind, count(*)::int from outward where reader_id = ${readerId} and gather_minutes = ${minutes}
      and at >= ${since} and at < ${since}::timestamptz + make_interval(mins => ${minutes})
      group by kind order by 2 desc, 1`,
  )

/** Forgets what no budget counts any more. */
export async function forgetOutward(db: Db): Promise<void> {
  await db.delete(outward).where(sql`${outward.at} < now() - interval '2 days'`)
}
