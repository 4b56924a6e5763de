import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { isPerformer } from '../appointments/rules/appointment.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { busyCalendars } from '../platform/database/schema/staff.ts'
import { seal, unseal } from '../platform/http/sealing.ts'
import { announce } from '../platform/live/announcements.ts'
import { leadsInside } from '../platform/outside.ts'
import { lockingAllStaffing } from '../scheduling/choose.ts'
import type { MinuteSpan } from '../scheduling/rules/roster.ts'
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

/** Adds a calendar, which the next round reads. */
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
    if (known.some(({ sealed }) => unseal(reader.key, sealed) === address))
      wrong('Ese calendario ya está en la lista.')
    if (known.length >= mostCalendars)
      wrong(`Son ${mostCalendars} calendarios como máximo. Quita uno primero.`)
    const row = {
      personId: actor.id,
      host: url.host,
      ending: address.slice(-4),
      allDay,
    }
    await tx.insert(busyCalendars).values({ ...row, sealed: seal(reader.key, address) })
  })
}

/** Removes a calendar: the hours that it took are free at once. */
export const removeCalendar = (db: Db, actor: Actor, id: string): Promise<void> =>
  change(db, actor, 'remove_calendar', async (tx) => {
    const { rowCount } = await tx.delete(busyCalendars).where(own(actor, id))
    if (!rowCount) refuse('not-found')
  })

/** Has a calendar read again, as its owner wants its whole days. */
export const readAgain = (db: Db, actor: Actor, id: string, set: { allDay: boolean }): Promise<void> =>
  change(db, actor, null, async (tx) => {
    const next = { ...set, etag: null, nextReadAt: sql`now()` }
    const { rowCount } = await tx.update(busyCalendars).set(next).where(own(actor, id))
    if (!rowCount) refuse('not-found')
  })

const own = (actor: Actor, id: string) => and(eq(busyCalendars.id, id), eq(busyCalendars.personId, actor.id))

/** A change by its owner. The hours of people may change: open bookings are waited for. */
async function change(
  db: Db,
  actor: Actor,
  name: string | null,
  run: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  if (!isPerformer(actor.kind)) refuse('permission-denied')
  await transaction(
    db,
    async (tx) => {
      await run(tx)
      if (name) await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name })
    },
    lockingAllStaffing,
  )
  announce(db, { people: [actor.id], desk: false })
}
