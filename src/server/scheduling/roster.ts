import type pg from 'pg'
import { type Performer, performers } from '../../domain/appointments/appointment.ts'
import {
  defaultTravel,
  noZone,
  type PersonRow,
  type Roster,
  rosterOf,
  zoneCount,
} from '../../domain/scheduling/roster.ts'
import { parseSettings, type Settings } from '../../domain/settings/settings-schema.ts'
import { isMunicipality, type MunicipalitySlug, municipalities } from '../../domain/shared/places.ts'
import type { Db, Tx } from '../platform/database/client.ts'

/** Everything of the question "who can go when" but the appointments; the same object as long as nothing of it changed. */
export type Staffing = {
  version: string
  settings: Settings
  travel: Uint16Array
  roster: Roster
  people: readonly { id: string; name: string }[]
  indexOf: ReadonlyMap<string, number>
}

export const settingsKey = 'service'
type Client = Pick<pg.Pool, 'query'>
const kept = new WeakMap<pg.Pool, Staffing>()

/** The staffing as committed now. A process keeps it until the database's version number says that something changed. */
export async function currentStaffing(db: Db): Promise<Staffing> {
  return staffingAt(db, await staffingVersion(db.$client))
}

/** The staffing of a version that was just read. */
export async function staffingAt(db: Db, version: string): Promise<Staffing> {
  const known = kept.get(db.$client)
  if (known?.version === version) return known
  const fresh = await load(db.$client, version)
  kept.set(db.$client, fresh)
  return fresh
}

/**
 * The staffing as it stands inside a transaction, `known` if that still is it. Never kept: rolled back, its version number
 * goes to another change.
 */
export async function staffingInside(tx: Tx, known: Staffing): Promise<Staffing> {
  const version = await staffingVersion(tx.$client)
  return known.version === version ? known : load(tx.$client, version)
}

/** The number that grows with every change of the staffing, as committed now. */
async function staffingVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>({
    name: 'roster_version',
    text: 'select version::text from roster_version',
  })
  return rows[0]?.version ?? ''
}

/** The zone number of a stored municipality; -1 for places outside the service's area. */
export const zoneOf = (municipality: string | null) =>
  municipality && isMunicipality(municipality) ? zoneBySlug[municipality] : noZone

const zoneBySlug = Object.fromEntries(municipalities.map(({ slug, index }) => [slug, index])) as Record<
  MunicipalitySlug,
  number
>

type StoredPerson = { id: string; name: string; kind: Performer; active: boolean }
type Grouped = { person_id: string; list: number[][] }

// One after another: inside a transaction there is one connection, and outside a crowd must not take six each.
async function load(client: Client, version: string): Promise<Staffing> {
  const stored = await client.query<{ value: unknown }>('select value from settings where key = $1', [
    settingsKey,
  ])
  const people = await client.query<StoredPerson>(
    `select id, full_name as name, kind, active from users where kind = any($1) order by id`,
    [performers],
  )
  const shifts = await client.query<Grouped>(
    `select person_id, jsonb_agg(jsonb_build_array(weekday, starts, ends) order by weekday, starts) as list from shifts group by 1`,
  )
  const zones = await client.query<{ person_id: string; list: string[] }>(
    'select person_id, array_agg(municipality) as list from person_zones group by 1',
  )
  const off = await client.query<Grouped>(
    `select person_id, jsonb_agg(jsonb_build_array(floor(extract(epoch from lower(during)) / 60), ceil(extract(epoch from upper(during)) / 60))) as list
     from time_off where approved_at is not null and upper(during) > now() - interval '1 day' group by 1`,
  )
  const travel = await client.query<{ from_municipality: string; to_municipality: string; minutes: number }>(
    'select * from travel_minutes',
  )
  const shiftsOf = new Map(shifts.rows.map((row) => [row.person_id, row.list]))
  const zonesOf = new Map(
    zones.rows.map((row) => [row.person_id, row.list.map(zoneOf).filter((zone) => zone >= 0)]),
  )
  const offOf = new Map(off.rows.map((row) => [row.person_id, row.list]))
  const rows: PersonRow[] = people.rows.map(({ id, kind, active }) => ({
    id,
    kind,
    active,
    zones: zonesOf.get(id) ?? [],
    shifts: (shiftsOf.get(id) ?? []).map(([weekday = 0, from = 0, to = 0]) => ({ weekday, from, to })),
    timeOff: (offOf.get(id) ?? []).map(([start = 0, end = 0]) => ({ start, end })),
  }))
  return {
    version,
    settings: parseSettings(stored.rows[0]?.value),
    travel: editedTravel(travel.rows),
    roster: rosterOf(rows),
    people: people.rows.map(({ id, name }) => ({ id, name })),
    indexOf: new Map(rows.map(({ id }, index) => [id, index])),
  }
}

function editedTravel(edits: { from_municipality: string; to_municipality: string; minutes: number }[]) {
  const travel = defaultTravel()
  for (const { from_municipality, to_municipality, minutes } of edits) {
    const [from, to] = [zoneOf(from_municipality), zoneOf(to_municipality)]
    if (from >= 0 && to >= 0) travel[from * zoneCount + to] = minutes
  }
  return travel
}
