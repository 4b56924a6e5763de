import type pg from 'pg'
import { activeStates, services } from '../../domain/appointments/appointment.ts'
import { type Busy, emptyBusy } from '../../domain/scheduling/roster.ts'
import { toDate } from '../../domain/shared/calendar.ts'
import { literals } from '../platform/database/lists.ts'
import { type Staffing, zoneOf } from './roster.ts'

type Client = Pick<pg.Pool, 'query'>
type Row = [personId: string, start: number, minutes: number, municipality: string | null, service: string]
type Versioned = [version: string, ...row: Row]
/** Epoch minutes, of which any part counts, and an appointment that counts as free to move. */
type Range = { from: number; to: number; without?: string | undefined }

const columns = `assignee_id, (extract(epoch from starts_at) / 60)::int, minutes, municipality, service`
// What is asked stands in a row of its own, which "offset 0" leaves the planner no value of: the plan is made once for a
// connection, and making it takes longer than following it.
const asked = `(select $1::timestamptz as since, $2::timestamptz as until, $3::uuid as itself offset 0) asked`
// None lasts longer than a day.
const within = `state in (${literals(activeStates)})
  and starts_at >= asked.since - interval '24 hours' and upper(during) > asked.since and starts_at < asked.until
  and id is distinct from asked.itself`
const bounds = ({ from, to, without }: Range) => [toDate(from), toDate(to), without ?? null]

/** What holds everybody in a stretch of time, to be packed for the engine, and the staffing's version at that moment. */
export async function loadBusy(client: Client, range: Range) {
  const rows = await rowsOf<Versioned>(client, {
    name: 'busy_of_all',
    // Ids sort in the database as they do in the roster, so the rows come in the engine's own order.
    text: `select roster_version.version::text, ${columns} from roster_version cross join ${asked}
      left join appointments on assignee_id is not null and ${within} order by assignee_id, starts_at`,
    values: bounds(range),
  })
  return { version: rows[0]?.[0] ?? '', of: (staffing: Staffing) => pack(rows.map(withoutVersion), staffing) }
}

/** What holds one person; null when the staffing is no longer the one in hand, which the same question tells. */
export async function loadBusyOf(
  client: Client,
  staffing: Staffing,
  personId: string,
  range: Range,
): Promise<Busy | null> {
  const rows = await rowsOf<Versioned>(client, {
    name: 'busy_of_one',
    text: `select roster_version.version::text, ${columns} from roster_version cross join ${asked}
      left join appointments on assignee_id = $4 and ${within} order by starts_at`,
    values: [...bounds(range), personId],
  })
  if (rows[0]?.[0] !== staffing.version) return null
  return pack(rows.map(withoutVersion), staffing)
}

const withoutVersion = ([, ...row]: Versioned): Row => row

/** What holds some people of a staffing, to be packed for the engine as if nobody else had anything to do. */
export async function loadBusyOfSome(
  client: Client,
  staffing: Staffing,
  people: readonly number[],
  range: Range,
): Promise<Busy> {
  const ids = people.map((person) => staffing.roster.ids[person])
  const rows = await rowsOf<Row>(client, {
    name: 'busy_of_some',
    text: `select ${columns} from ${asked} join appointments on assignee_id = any($4) and ${within}
      order by assignee_id, starts_at`,
    values: [...bounds(range), ids],
  })
  return pack(rows, staffing)
}

async function rowsOf<Shape extends unknown[]>(client: Client, query: pg.QueryConfig): Promise<Shape[]> {
  const { rows } = await (client as pg.Pool).query<Shape>({ ...query, rowMode: 'array' })
  return rows
}

/** Rows of strangers to the roster are left out, and so is the empty one of a join. */
function pack(rows: readonly Row[], { roster, indexOf }: Staffing): Busy {
  const people = roster.ids.length
  const known = rows.filter(([id]) => indexOf.has(id))
  const busy = emptyBusy(people, known.length)
  let person = 0
  for (const [i, [id, start, minutes, municipality, service]] of known.entries()) {
    const index = indexOf.get(id) as number
    while (person < index) busy.at[++person] = i
    busy.starts[i] = start
    busy.ends[i] = start + minutes
    busy.zones[i] = zoneOf(municipality)
    busy.services[i] = services.indexOf(service as (typeof services)[number])
  }
  while (person < people) busy.at[++person] = known.length
  return busy
}
