import type pg from 'pg'
import { type Ask, openSlots } from '../../domain/availability.ts'
import { dayOf, localDate } from '../../domain/calendar.ts'
import { type Candidate, nearestFree, rank } from '../../domain/ranking.ts'
import type { Busy } from '../../domain/roster.ts'
import type { Service } from '../../domain/services.ts'
import type { Db } from '../database/database.ts'
import { askFor } from './agenda.ts'
import { loadBusy } from './busy.ts'
import { currentStaffing, type Staffing } from './roster.ts'

const aDay = 1440

/** What is to be placed: a service in a zone at an epoch minute; `without` is the appointment itself when it exists already. */
export type Placement = {
  service: Service
  zone: number
  start: number
  without?: string
  promised?: boolean
}

export type Question = { staffing: Staffing; ask: Ask; busy: Busy }

/** The staffing and that day's appointments, as committed now. */
export async function questionFor(db: Db, placement: Placement, now: Date): Promise<Question> {
  const staffing = await currentStaffing(db)
  const ask = askOn(staffing, placement, now)
  return { staffing, ask, busy: await busyAround(db.$client, staffing, placement) }
}

/** The engine's question for the one day of a placement. */
export const askOn = (staffing: Staffing, { service, zone, start, promised }: Placement, now: Date): Ask => ({
  ...askFor(staffing, service, zone, now),
  days: [dayOf(start)],
  ...(promised && { promised }),
})

/** Appointments of the placement's day and the days beside it, for everybody or for one person. */
export function busyAround(
  client: Pick<pg.Pool, 'query'>,
  staffing: Staffing,
  { start, without }: Placement,
  personId?: string,
): Promise<Busy> {
  const day = dayOf(start)
  const options = { ...(without && { without }), ...(personId && { personId }) }
  return loadBusy(client, staffing, day.start - aDay, day.end + aDay, options)
}

/** Who can take it, the best first: least added travel, then least load that day. */
export const candidates = ({ staffing, busy, ask }: Question, start: number): Candidate[] =>
  rank(staffing.roster, busy, start, ask)

/** The three free slots nearest to a wanted time, seen over the whole horizon. */
export async function nearestSlots(
  db: Db,
  { service, zone, start }: Placement,
  now: Date,
): Promise<number[]> {
  const staffing = await currentStaffing(db)
  const ask = askFor(staffing, service, zone, now)
  const [first, last] = [ask.days[0], ask.days.at(-1)]
  if (!first || !last) return []
  const busy = await loadBusy(db.$client, staffing, first.start - aDay, last.end + aDay)
  return nearestFree(openSlots(staffing.roster, busy, ask), start, 3)
}

/**
 * Holds one person's day, in a fixed order after the roster itself: whoever checks and books that day next waits for
 * this transaction. Only one person is held at a time, so no two bookings wait for each other. Answers whether the
 * staffing is still the one the choice was made with.
 */
export async function holdDay(
  client: Pick<pg.Pool, 'query'>,
  staffing: Staffing,
  personId: string,
  start: number,
) {
  await client.query({
    name: 'hold_day',
    text: 'select pg_advisory_xact_lock_shared(726002), pg_advisory_xact_lock(hashtextextended($1, 726003))',
    values: [`${personId} ${localDate(start)}`],
  })
  const { rows } = await client.query<{ version: string }>({
    name: 'roster_version',
    text: 'select version::text from roster_version',
  })
  return rows[0]?.version === staffing.version
}
