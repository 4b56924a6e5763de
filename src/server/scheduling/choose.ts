import type pg from 'pg'
import { type Ask, openSlots } from '../../domain/availability.ts'
import { dayOf, localDate } from '../../domain/calendar.ts'
import { type Reason, whyNot } from '../../domain/closed-reasons.ts'
import { type Candidate, nearestFree, rank } from '../../domain/ranking.ts'
import type { Busy } from '../../domain/roster.ts'
import type { Service } from '../../domain/services.ts'
import type { Db, Tx } from '../database/database.ts'
import { askFor } from './agenda.ts'
import { loadBusy } from './busy.ts'
import { currentStaffing, type Staffing, staffingVersion } from './roster.ts'

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
const askOn = (staffing: Staffing, { service, zone, start, promised }: Placement, now: Date): Ask => ({
  ...askFor(staffing, service, zone, now),
  days: [dayOf(start)],
  ...(promised && { promised }),
})

/** Appointments of the placement's day and the days beside it, for everybody or for one person. */
function busyAround(
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
 * Holds one person's day and says what is against a placement as committed now: nothing means that it can be written.
 * Null when the staffing is no longer the one the choice was made with. Whoever checks that person and day next waits
 * for this transaction; only one person is held at a time, so no two bookings wait for each other.
 */
export async function holdAndCheck(
  tx: Tx,
  staffing: Staffing,
  placement: Placement,
  personId: string,
  now: Date,
): Promise<Reason[] | null> {
  const person = staffing.indexOf.get(personId)
  if (person === undefined) return null
  await tx.$client.query({
    name: 'hold_day',
    text: 'select pg_advisory_xact_lock_shared(726002), pg_advisory_xact_lock(hashtextextended($1, 726003))',
    values: [`${personId} ${localDate(placement.start)}`],
  })
  if ((await staffingVersion(tx.$client)) !== staffing.version) return null
  const busy = await busyAround(tx.$client, staffing, placement, personId)
  return whyNot(staffing.roster, busy, person, placement.start, askOn(staffing, placement, now))
}
