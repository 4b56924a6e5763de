import type pg from 'pg'
import { toDate } from '../../domain/calendar.ts'
import { type Busy, emptyBusy } from '../../domain/roster.ts'
import { services } from '../../domain/services.ts'
import { type Staffing, zoneOf } from './roster.ts'

type Client = Pick<pg.Pool, 'query'>
type Row = [personId: string, start: number, minutes: number, municipality: string | null, service: string]

const columns = `assignee_id, (extract(epoch from starts_at) / 60)::int, minutes, municipality, service`
const active = `state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused')`

/** What holds people between two epoch minutes, packed for the engine. `without` leaves one appointment out, as if it were free to move. */
export async function loadBusy(
  client: Client,
  { roster, indexOf }: Staffing,
  from: number,
  to: number,
  options: { without?: string; personId?: string } = {},
): Promise<Busy> {
  const { rows } = await client.query<Row>({
    name: options.personId ? 'busy_of_one' : 'busy_of_all',
    // Ids sort in the database as they do in the roster, so the rows come in the engine's own order.
    text: `select ${columns} from appointments
      where ${options.personId ? 'assignee_id = $4' : '$4::uuid is null and assignee_id is not null'}
        and ${active} and starts_at >= $1 and starts_at < $2 and id is distinct from $3
      order by assignee_id, starts_at`,
    values: [toDate(from), toDate(to), options.without ?? null, options.personId ?? null],
    rowMode: 'array',
  } as pg.QueryArrayConfig as unknown as pg.QueryConfig)
  return pack(rows as unknown as Row[], roster.ids.length, indexOf)
}

function pack(rows: readonly Row[], people: number, indexOf: ReadonlyMap<string, number>): Busy {
  const known = rows.filter((row) => indexOf.has(row[0]))
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
