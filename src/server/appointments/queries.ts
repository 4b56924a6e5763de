import { and, asc, between, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { feedDays, hasOwnAppointments } from '../../domain/appointments/list.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { countTry, hashOf } from '../accounts/limits.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { calendarFeeds, users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { calendarFile, customersEntry, performersEntry, type Source, subscription } from './file.ts'
import { assignee, customer, visibleTo } from './own-day.ts'

/** What entries are made of; a person only provisionally chosen is nobody yet. */
const dated = {
  id: appointments.id,
  folio: appointments.folio,
  service: appointments.service,
  state: appointments.state,
  startsAt: appointments.startsAt,
  minutes: appointments.minutes,
  sequence: appointments.sequence,
  updatedAt: appointments.updatedAt,
  municipality: appointments.municipality,
  address: appointments.address,
  performer: sql<string | null>`case when ${appointments.confirmedAt} is not null
    then nullif(${assignee.fullName}, '') end`,
  customer: customer.name,
}

type Owner = Pick<Actor, 'id' | 'role'>

/** One's own: booked, or confirmed to carry out. */
const ownOf = ({ id, role }: Owner): SQL | undefined =>
  role === 'customer'
    ? eq(appointments.customerId, id)
    : and(eq(appointments.assigneeId, id), isNotNull(appointments.confirmedAt))

const rowsOf = (db: Db, where: SQL | undefined) =>
  db
    .select(dated)
    .from(appointments)
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(where)

/** One of the actor's own appointments, as long as they may see it; undefined when it is another's, or does not exist. */
async function ownAppointment(db: Db, actor: Actor, id: string) {
  if (!isId(id)) return undefined
  const [row] = await rowsOf(db, and(eq(appointments.id, id), ownOf(actor), visibleTo(actor)))
  return row
}

/** Somebody's own appointments of the last and the next weeks. Cancelled ones are among them, so that calendars strike them out. */
function ownAppointments(db: Db, owner: Owner, now: Date) {
  const daysFrom = (days: number) => new Date(now.getTime() + days * 24 * 3_600_000)
  const during = between(appointments.startsAt, daysFrom(-feedDays.past), daysFrom(feedDays.ahead))
  return rowsOf(db, and(ownOf(owner), during)).orderBy(asc(appointments.startsAt), asc(appointments.id))
}

/** One of the actor's own appointments as a calendar file, with its folio. Others' do not exist. */
export async function ownCalendarFile(
  db: Db,
  actor: Actor,
  id: string,
  source: Source,
): Promise<{ folio: string; file: string }> {
  const [row, { settings }] = await Promise.all([ownAppointment(db, actor, id), currentStaffing(db)])
  if (!row) return refuse('not-found')
  const entryOf = actor.role === 'customer' ? customersEntry : performersEntry
  const entry = entryOf(row, { whole: true }, { ...source, settings })
  return { folio: row.folio, file: calendarFile(entry, source) }
}

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
