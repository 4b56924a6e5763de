import { and, eq, isNull, sql } from 'drizzle-orm'
import { hasOwnAppointments } from '../../domain/appointments/list.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { hashOf } from '../accounts/code.ts'
import { countTry } from '../accounts/limits.ts'
import type { Db } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { calendarFeeds } from '../platform/database/schema/staff-schema.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { ownAppointments } from './calendar-queries.ts'
import { customersEntry, performersEntry } from './entries.ts'
import { type Source, subscription } from './file.ts'

/**
 * The calendar behind a secret link, for whoever holds it: no session asks. It says when, what and in which part of town,
 * and nobody's address, phone or last name (decision 0032). Refuses a link that is nobody's as if it did not exist.
 */
export async function readFeed(
  db: Db,
  secret: string,
  address: string,
  source: Source,
  now: Date,
): Promise<string> {
  const owner = await ownerOf(db, secret)
  if (!owner || !hasOwnAppointments(owner)) {
    await countTry(db, 'unknown calendars by address', address, now)
    return refuse('not-found')
  }
  await countTry(db, 'calendar by account', owner.id, now)
  await noteRead(db, owner.id, now)
  const [rows, { settings }] = await Promise.all([ownAppointments(db, owner, now), currentStaffing(db)])
  const entryOf = owner.role === 'customer' ? customersEntry : performersEntry
  const entries = rows.map((row) => entryOf(row, { whole: false }, { ...source, settings }))
  return subscription(entries, `Citas · ${source.brand}`, source)
}

async function ownerOf(db: Db, secret: string) {
  const [owner] = await db
    .select({ id: users.id, role: users.role, kind: users.kind })
    .from(calendarFeeds)
    .innerJoin(users, eq(users.id, calendarFeeds.userId))
    .where(and(eq(calendarFeeds.secretHash, hashOf(secret)), users.active, isNull(users.deletedAt)))
  return owner
}

/** When a program last asked, to the hour: each of its questions would otherwise write. */
const noteRead = (db: Db, userId: string, now: Date) =>
  db
    .update(calendarFeeds)
    .set({ lastReadAt: now })
    .where(
      sql`${calendarFeeds.userId} = ${userId} and coalesce(${calendarFeeds.lastReadAt}, '-infinity') < ${now}::timestamptz - interval '1 hour'`,
    )
