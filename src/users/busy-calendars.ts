import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { isPerformer } from '../appointments/rules/appointment.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { busyCalendars, users } from '../platform/database/schema/accounts.ts'
import { enqueue, jobIdFor } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { leadsInside } from '../platform/outside.ts'
import { lockingAllStaffing } from '../scheduling/choose.ts'
import type { MinuteSpan } from '../scheduling/rules/roster.ts'
import { toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import type { CalendarReader } from './read-calendars.ts'
import { calendarState, mostCalendars } from './rules/busy-calendar.ts'
import { managesPeople } from './rules/user.ts'

/** A person's own calendars: where each is, how its readings go, and the hours that it takes in a week; null for who has no hours. */
export async function ownCalendars(db: Db, actor: Actor, now: Date) {
  if (!isPerformer(actor.kind)) return null
  const week = sql`tstzmultirange(tstzrange(${now}, ${now}::timestamptz + interval '7 days'))`
  const { sealed, etag, busy, ...shown } = getTableColumns(busyCalendars)
  const rows = await db
    .select({
      ...shown,
      hours: sql<
        MinuteSpan[]
      >`(select coalesce(json_agg(json_build_object('start', extract(epoch from lower(one)) / 60,
        'end', extract(epoch from upper(one)) / 60)), '[]') from unnest(${busy} * ${week}) one)`,
    })
    .from(busyCalendars)
    .where(eq(busyCalendars.personId, actor.id))
    .orderBy(asc(busyCalendars.createdAt))
  return rows.map((row) => ({ ...row, state: calendarState(row, now) }))
}

export type OwnCalendar = NonNullable<Awaited<ReturnType<typeof ownCalendars>>>[number]

/** How a person's calendars stand, for the manager: that there are some, not which. */
export async function calendarsOf(db: Db, actor: Actor, personId: string, now: Date) {
  if (!managesPeople(actor)) return []
  const rows = await db.select().from(busyCalendars).where(eq(busyCalendars.personId, personId))
  return rows.map(({ failingSince, id, readAt, ...row }) => ({
    id,
    failingSince,
    readAt,
    state: calendarState({ ...row, failingSince, readAt }, now),
  }))
}

export type StandingCalendar = Awaited<ReturnType<typeof calendarsOf>>[number]

/** Adds a calendar, which is read at once. */
export async function addCalendar(
  db: Db,
  reader: CalendarReader,
  actor: Actor,
  { address, allDay }: { address: string; allDay: boolean },
): Promise<void> {
  const wrong = (words: string) => refuse('invalid-argument', words, { errors: { address: words } })
  const url = new URL(address)
  if (await leadsInside(url)) wrong('Esa dirección es de una red privada. Usa una que se vea desde internet.')
  await change(db, actor, 'add_calendar', async (tx) => {
    // Its owner is held: of two added at once each counts the other.
    const [person] = await tx.select().from(users).where(eq(users.id, actor.id)).for('update')
    if (!person?.active || !isPerformer(person.kind)) refuse('permission-denied')
    const known = await tx.select().from(busyCalendars).where(eq(busyCalendars.personId, actor.id))
    if (known.some(({ sealed }) => reader.unseal(sealed) === address))
      wrong('Ese calendario ya está en la lista.')
    if (known.length >= mostCalendars)
      wrong(`Son ${mostCalendars} calendarios como máximo. Quita uno primero.`)
    const row = {
      personId: actor.id,
      sealed: reader.seal(address),
      host: url.host,
      ending: address.slice(-4),
    }
    return tx
      .insert(busyCalendars)
      .values({ ...row, allDay })
      .returning()
  })
}

/** Removes a calendar: the hours that it took are free at once. */
export const removeCalendar = (db: Db, actor: Actor, id: string): Promise<void> =>
  change(db, actor, 'remove_calendar', async (tx) => {
    const gone = await tx.delete(busyCalendars).where(own(actor, id)).returning()
    if (gone.length === 0) refuse('not-found')
    return []
  })

/** Has a calendar read again now, and as its owner wants its whole days. */
export const readAgain = (db: Db, actor: Actor, id: string, set: { allDay: boolean }): Promise<void> =>
  change(db, actor, null, async (tx) => {
    const next = { ...set, etag: null, nextReadAt: sql`now() + interval '10 minutes'` }
    const found = await tx.update(busyCalendars).set(next).where(own(actor, id)).returning()
    return found.length > 0 ? found : refuse('not-found')
  })

const own = (actor: Actor, id: string) => and(eq(busyCalendars.id, id), eq(busyCalendars.personId, actor.id))

type Read = { id: string; host: string }

/** A change by its owner: open bookings are waited for, and what it answers is read soon, once in a minute. */
async function change(
  db: Db,
  actor: Actor,
  name: string | null,
  run: (tx: Tx) => Promise<Read[]>,
): Promise<void> {
  if (!isPerformer(actor.kind)) refuse('permission-denied')
  await transaction(
    db,
    async (tx) => {
      for (const { host, id: calendarId } of await run(tx)) {
        const job = jobIdFor(`calendar ${calendarId}`, `${toMinutes(new Date())}`)
        await enqueue(tx, 'read-calendar', { calendarId, receiver: host }, undefined, job)
      }
      if (name) await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name })
    },
    lockingAllStaffing,
  )
  announce(db, { people: [actor.id], desk: false })
}
