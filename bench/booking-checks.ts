import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { defaultTravel, travelBetween } from '../src/domain/scheduling/roster.ts'
import { defaultSettings } from '../src/domain/settings/settings-schema.ts'
import { localDate } from '../src/domain/shared/calendar.ts'
import { zoneOf } from '../src/server/scheduling/roster.ts'
import type { Customer } from './crowd.ts'
import { type Answer, figuresOf } from './load.ts'

const year = 365 * 1440

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
    `select count(*)::int as count from appointments where folio not like 'B-%' and (
       id not in (select entity_id from events where name = 'book')
       or id not in (select (data ->> 'appointmentId')::uuid from pgboss.job where name = 'letter'))`,
  )
  return rows[0]!.count
}

const insert = {
  name: 'bare_insert',
  text: `insert into appointments (folio, service, customer_id, project_id, assignee_id, starts_at, minutes, municipality, request_key, request_digest)
    values ($1, 'technical_visit', $2, $3, $4, to_timestamp($5::bigint * 60), 60, 'coyoacan', $6, '')
    on conflict do nothing returning id`,
}

/** The limit: the lock, the insert under the same constraints and the commit, and nothing else. A year ahead, out of the way. */
export async function bareInserts(
  pool: pg.Pool,
  customers: readonly Customer[],
  people: readonly string[],
  starts: readonly number[],
) {
  const all: Answer[] = []
  const left = [...customers.entries()]
  // Every second start, so that none overlaps another.
  const apart = starts.filter((_, n) => n % 2 === 0)
  const started = performance.now()
  const one = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [n, { id, projectId }] = next
      const from = performance.now()
      const start = apart[n % apart.length]! + year
      const person = people[Math.floor(n / apart.length) % people.length]!
      const status = (await insertOne(pool, [`B-${n}`, id, projectId, person, start, randomUUID()]))
        ? 200
        : 409
      all.push({ status, ms: performance.now() - from, bytes: 0, body: Buffer.of(), headers: {} })
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
  return figuresOf(all, performance.now() - started)
}

async function insertOne(pool: pg.Pool, values: unknown[]) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({
      name: 'bare_lock',
      text: 'select pg_advisory_xact_lock(hashtextextended($1, 726003))',
      values: [`${values[3]} ${values[4]}`],
    })
    const { rowCount } = await client.query({ ...insert, values })
    await client.query('commit')
    return rowCount === 1
  } finally {
    client.release()
  }
}
