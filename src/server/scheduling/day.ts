import type pg from 'pg'
import { activeStates, type Service } from '../../domain/appointments/appointment.ts'
import { type DayQuestion, type DayRow, isOnTheRoad } from '../../domain/scheduling/day-plan.ts'
import { daysOn, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { literals } from '../platform/database/literals.ts'
import { type Staffing, zoneOf } from './roster.ts'

type Client = Pick<pg.Pool, 'query'>
type Stored = {
  id: string
  version: number
  person: string | null
  start: number
  minutes: number
  municipality: string | null
  service: Service
  state: string
}
/** Which appointments may change hands: of a local date, in some municipalities (none is all). */
export type DayWish = { date: string; zones: readonly string[] }

const aDay = 1440

/** A day's appointments as they stand, and those of the days beside it; also the version of each one that may change hands. */
export async function loadDay(client: Client, staffing: Staffing, { date, zones }: DayWish, now: Date) {
  const day = daysOn(date, 1)[0]!
  const { rows } = await client.query<Stored>({
    name: 'day_to_plan',
    text: `select id, version, assignee_id as person, (extract(epoch from starts_at) / 60)::int as start, minutes,
        municipality, service, state
      from appointments where state in (${literals(activeStates)})
        and starts_at >= $1 and starts_at < $2 order by starts_at, id`,
    values: [toDate(day.start - aDay), toDate(day.end + aDay)],
  })
  const mayChange = ({ municipality, service, start, state }: Stored) =>
    state === 'requested' &&
    isOnTheRoad(service) &&
    start >= Math.max(day.start, toMinutes(now)) &&
    start < day.end &&
    (zones.length === 0 || (municipality !== null && zones.includes(municipality)))
  const { roster, settings, travel } = staffing
  const question: DayQuestion = {
    ...{ day, roster, settings, travel },
    rows: rows.map(
      (row): DayRow => ({
        id: row.id,
        person: staffing.indexOf.get(row.person ?? '') ?? -1,
        start: row.start,
        minutes: row.minutes,
        zone: zoneOf(row.municipality),
        service: row.service,
        open: mayChange(row),
      }),
    ),
  }
  const open = rows.filter(mayChange)
  return { question, versions: Object.fromEntries(open.map(({ id, version }) => [id, version])) }
}
