import { type AppointmentState, activeStates, type Service } from '../../domain/appointments/appointment.ts'
import { isMovable, shortName } from '../../domain/scheduling/board.ts'
import type { Span } from '../../domain/scheduling/roster.ts'
import { daysOn, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import type { Queryable } from '../platform/database/database.ts'
import { literals } from '../platform/database/literals.ts'

/** An appointment of somebody's day, as an absence finds it. Times are epoch minutes. */
export type StrandedVisit = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  start: number
  minutes: number
  municipality: string | null
  customer: string
  version: number
  moved: number
  taken: Span[]
}

type Row = Omit<StrandedVisit, 'customer' | 'taken'> & {
  name: string | null
  lastname: string | null
  taken: [start: number, end: number][] | null
}

/** What somebody has to do in a stretch of time, with what else its customers have ahead. */
export async function visitsOf(
  db: Queryable,
  personId: string,
  { start, end }: Span,
): Promise<StrandedVisit[]> {
  const { rows } = await (
    db.$client as { query: (text: string, values: unknown[]) => Promise<{ rows: Row[] }> }
  ).query(
    `select a.id, a.folio, a.service, a.state, (extract(epoch from a.starts_at) / 60)::int as start, a.minutes, a.municipality,
        customer.name, customer.lastname, a.version, a.moved_by_customer + a.moved_by_us as moved,
        (select jsonb_agg(jsonb_build_array((extract(epoch from lower(other.during)) / 60)::int, (extract(epoch from upper(other.during)) / 60)::int))
          from appointments other where other.customer_id = a.customer_id and other.id <> a.id
            and other.state in (${literals(activeStates)})) as taken
      from appointments a join users customer on customer.id = a.customer_id
      where a.assignee_id = $1 and a.state in (${literals(activeStates)})
        and upper(a.during) > $2 and a.starts_at < $3
      order by a.starts_at, a.id`,
    [personId, toDate(start), toDate(end)],
  )
  return rows.map(({ name, lastname, taken, ...row }) => ({
    ...row,
    customer: shortName(name, lastname),
    taken: (taken ?? []).map(([from, to]) => ({ start: from, end: to })),
  }))
}

/** What is left of a local date; null when it is over. */
export function restOf(date: string, now: Date): Span | null {
  const day = daysOn(date, 1)[0]!
  const start = Math.max(day.start, toMinutes(now))
  return start < day.end ? { start, end: day.end } : null
}

/** From when until when somebody is away who can't come on a date: what is left of it after what is under way. */
export async function awayOn(db: Queryable, personId: string, date: string, now: Date): Promise<Span | null> {
  const rest = restOf(date, now)
  return rest && afterWork(rest, await visitsOf(db, personId, rest))
}

/** What is under way is finished first. */
export function afterWork({ start, end }: Span, visits: readonly StrandedVisit[]): Span | null {
  const ends = visits.filter((visit) => !isMovable(visit)).map((visit) => visit.start + visit.minutes)
  const from = Math.max(start, ...ends)
  return from < end ? { start: from, end } : null
}
