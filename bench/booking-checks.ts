import type pg from 'pg'
import { zoneOf } from '../src/scheduling/roster.ts'
import { defaultTravel, travelBetween } from '../src/scheduling/rules/roster.ts'
import { defaultSettings } from '../src/settings/rules/settings-schema.ts'
import { localDate } from '../src/shared/calendar.ts'

/** Two appointments at once of one person or of one customer, or two active ones of one project: there must be none. */
export async function doubles(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from appointments a join appointments b on a.id < b.id
       and a.state <> 'cancelled' and b.state <> 'cancelled'
       and ((a.assignee_id = b.assignee_id or a.customer_id = b.customer_id) and a.during && b.during
         or a.project_id = b.project_id and a.service = b.service)`,
  )
  return rows[0]!.count
}

/** Days on which a person can't get from one appointment to the next in time, or has too many: there must be none. */
export async function brokenDays(pool: pg.Pool): Promise<number> {
  type Row = { person: string; start: number; minutes: number; municipality: string }
  const { rows } = await pool.query<Row>(
    `select assignee_id as person, (extract(epoch from starts_at) / 60)::int as start, minutes, municipality
     from appointments where starts_at < now() + interval '60 days' order by assignee_id, starts_at`,
  )
  const travel = defaultTravel()
  const days = Map.groupBy(rows, ({ person, start }) => `${person} ${localDate(start)}`)
  const late = (one: Row, next: Row | undefined) =>
    next !== undefined &&
    next.start - one.start - one.minutes <
      defaultSettings.bufferMinutes +
        travelBetween(travel, zoneOf(one.municipality), zoneOf(next.municipality))
  const isBroken = (day: Row[]) =>
    day.length > defaultSettings.services.technical_visit.dailyMax ||
    day.some((one, n) => late(one, day[n + 1]))
  return [...days.values()].filter(isBroken).length
}

/** Bookings without their event, or without a letter that was sent or waits: there must be none. */
export async function untold(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from appointments where
       id not in (select entity_id from events where name = 'book')
       or id not in (select (data ->> 'appointmentId')::uuid from pgboss.job where name = 'letter')`,
  )
  return rows[0]!.count
}
