import type pg from 'pg'
import {
  activeStates,
  failedStates,
  type Performer,
  performers,
  type Service,
  services,
} from '../appointments/rules/appointment.ts'
import type { Db, Tx } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { oncePerPage } from '../platform/database/reads.ts'
import { parseSettings, type Settings } from '../settings/rules/settings-schema.ts'
import { dayOf, toDate, toMinutes } from '../shared/calendar.ts'
import { isMunicipality, type MunicipalitySlug, municipalities } from '../shared/places.ts'
import { type HeldPaper, neededPapers } from '../users/rules/staff-paper.ts'
import { type DayProgress, expectedEnds } from './rules/expected-end.ts'
import {
  type Busy,
  defaultTravel,
  emptyBusy,
  noZone,
  type PersonRow,
  type Roster,
  rosterOf,
  type Worker,
  zoneCount,
} from './rules/roster.ts'

/**
 * All data for the question "who is available when" except the appointments; the same object as long as nothing
 * changed.
 */
export type Staffing = {
  version: string
  settings: Settings
  travel: Uint16Array
  roster: Roster
  people: readonly { id: string; name: string }[]
  indexOf: ReadonlyMap<string, number>
  /** The zone that a person's days begin in, by id; most have told none. The engine asks nothing of it. */
  startOf: ReadonlyMap<string, number>
  /** The minutes that the last appointments took, shortest first: by service, and by service and person. */
  took: ReadonlyMap<string, readonly number[]>
}

export const settingsKey = 'service'
type Client = Pick<pg.Pool, 'query'>
const kept = new WeakMap<pg.Pool, Staffing>()

/** The staffing as committed now. A process keeps it until the database's version number says that something changed. */
export const currentStaffing = oncePerPage(
  async (db: Db): Promise<Staffing> => staffingAt(db, await staffingVersion(db.$client)),
)

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
    `select id, full_name as name, kind, active from users where role = 'staff' and kind = any($1) order by id`,
    [performers],
  )
  const shifts = await client.query<Grouped>({
    text: `select person_id, jsonb_agg(jsonb_build_array(weekday, starts, ends) order by weekday, starts) as list from shifts group by 1`,
  })
  const zones = await client.query<{ person_id: string; list: string[] }>({
    text: 'select person_id, array_agg(municipality) as list from person_zones group by 1',
  })
  const off = await client.query<Grouped>({
    text: `select person_id, jsonb_agg(${spanOf}) as list
     from time_off where approved_at is not null and upper(during) > now() - interval '1 day' group by 1`,
  })
  const busy = await client.query<Grouped>({
    text: `select person_id, jsonb_agg(${spanOf}) as list from busy_calendars, unnest(busy) as during
     where upper(during) > now() - interval '1 day' group by 1`,
  })
  const travel = await client.query<{ from_municipality: string; to_municipality: string; minutes: number }>({
    text: 'select from_municipality, to_municipality, minutes from travel_minutes',
  })
  const starts = await client.query<{ person_id: string; municipality: string }>({
    text: 'select person_id, municipality from day_starts',
  })
  const papers = await client.query<HeldPaper>(
    `select person_id as "personId", kind, issued::text, expires::text, checked_at as "checkedAt", created_at as "createdAt"
     from staff_papers where person_id is not null`,
  )
  const took = await tookLately(client)
  const settings = parseSettings(stored.rows[0]?.value)
  const papersOf = neededPapers(papers.rows, settings.papers)
  const shiftsOf = new Map(shifts.rows.map((row) => [row.person_id, row.list]))
  const zonesOf = new Map(
    zones.rows.map((row) => [row.person_id, row.list.map(zoneOf).filter((zone) => zone >= 0)]),
  )
  const offOf = new Map(off.rows.map((row) => [row.person_id, row.list]))
  const busyOf = new Map(busy.rows.map((row) => [row.person_id, row.list]))
  const rows: PersonRow[] = people.rows.map(({ id, kind, active }) => ({
    id,
    kind,
    active,
    zones: zonesOf.get(id) ?? [],
    shifts: (shiftsOf.get(id) ?? []).map(([weekday = 0, from = 0, to = 0]) => ({ weekday, from, to })),
    timeOff: spansIn(offOf.get(id)),
    busy: spansIn(busyOf.get(id)),
    papers: papersOf(id),
  }))
  return {
    version,
    settings,
    travel: editedTravel(travel.rows),
    roster: rosterOf(rows),
    people: people.rows.map(({ id, name }) => ({ id, name })),
    indexOf: new Map(rows.map(({ id }, index) => [id, index])),
    startOf: new Map(starts.rows.map(({ municipality, person_id }) => [person_id, zoneOf(municipality)])),
    took,
  }
}

const spanOf =
  'jsonb_build_array(floor(extract(epoch from lower(during)) / 60), ceil(extract(epoch from upper(during)) / 60))'
const spansIn = (list: number[][] = []) => list.map(([start = 0, end = 0]) => ({ start, end }))

/** From so many appointments on, what a person's own took is taken apart; and how many of a service are read. */
const fewest = 10
const mostRead = 300

async function tookLately(client: Client) {
  const { rows } = await client.query<{ service: Service; person: string; minutes: number }>(
    `select service, assignee_id as person, minutes from unnest($1::text[]) service cross join lateral
      (select assignee_id, round(extract(epoch from finished_at - started_at) / 60)::int as minutes from appointments a
        where state = 'done' and a.service = service.service and starts_at > now() - interval '1 year'
          and finished_at > started_at and finished_at < started_at + interval '12 hours' order by starts_at desc limit $2) last`,
    [services, mostRead],
  )
  const own = Map.groupBy(rows, ({ person, service }) => `${service} ${person}`)
  const enough = [...own].filter(([, some]) => some.length >= fewest)
  const all = [...Map.groupBy(rows, ({ service }) => service), ...enough]
  return new Map<string, number[]>(
    all.map(([key, some]) => [key, some.map(({ minutes }) => minutes).sort((a, b) => a - b)]),
  )
}

/** A person who carries appointments out, with what their hours in a stretch of time follow from. */
export type NamedWorker = Worker & { id: string; name: string; active: boolean }

/** All of them by name, also those who left. */
export async function workersBetween(db: Db, from: Date, to: Date): Promise<NamedWorker[]> {
  const { rows } = await db.$client.query<NamedWorker>({
    name: 'workers_between',
    // A person imported later than their first appointment counts from that one on.
    text: `select users.id, full_name as name, active, floor(extract(epoch from case when signed_up_at <= $1 then signed_up_at else least(signed_up_at,
          (select min(starts_at) from appointments where assignee_id = users.id and starts_at < signed_up_at
            and state not in (${literals(failedStates)}))) end) / 60)::int as since,
        (select coalesce(json_agg(json_build_object('weekday', weekday, 'from', starts, 'to', ends) order by weekday, starts), '[]')
          from shifts where person_id = users.id) as shifts,
        (select coalesce(json_agg(json_build_object('start', floor(extract(epoch from lower(during)) / 60),
            'end', ceil(extract(epoch from upper(during)) / 60))), '[]')
          from time_off where person_id = users.id and approved_at is not null and during && tstzrange($1, $2)) as "timeOff"
      from users where role = 'staff' and kind in (${literals(performers)}) order by full_name collate es, id`,
    values: [from, to],
  })
  return rows
}

function editedTravel(edits: { from_municipality: string; to_municipality: string; minutes: number }[]) {
  const travel = defaultTravel()
  for (const { from_municipality, to_municipality, minutes } of edits) {
    const from = zoneOf(from_municipality)
    const to = zoneOf(to_municipality)
    if (from >= 0 && to >= 0) travel[from * zoneCount + to] = minutes
  }
  return travel
}

type Row = [
  personId: string,
  start: number,
  minutes: number,
  municipality: string | null,
  service: Service,
  progress: DayProgress | null,
]
type Versioned = [version: string, ...row: Row]

/** Epoch minutes, of which any part counts, and an appointment that counts as free to move. */
type Range = { from: number; to: number; now: Date; without?: string | undefined }

// How far the day's own are; of what lies ahead nothing is known.
const columns = `assignee_id, (extract(epoch from starts_at) / 60)::int, minutes, municipality, service,
  case when starts_at between asked.tonight - interval '24 hours' and asked.tonight then json_build_object('state', state,
    'setOut', (extract(epoch from set_out_at) / 60)::int, 'started', (extract(epoch from started_at) / 60)::int, 'confirmed', (extract(epoch from confirmed_at) / 60)::int,
    'lateBy', case when running_late_at >= time_set_at then running_late_minutes end) end`

// What is asked stands in a row of its own, which "offset 0" leaves the planner no value of: the plan is made once for a
// connection, and making it takes longer than following it.
const asked = `(select $1::timestamptz as since, $2::timestamptz as until, $3::uuid as itself, $4::timestamptz as tonight offset 0) asked`

// None lasts longer than a day.
const within = `state in (${literals(activeStates)})
  and starts_at >= asked.since - interval '24 hours' and upper(during) > asked.since and starts_at < asked.until
  and id is distinct from asked.itself`
const bounds = ({ from, now, to, without }: Range) => [
  toDate(from),
  toDate(to),
  without ?? null,
  toDate(dayOf(toMinutes(now)).end),
]

/** What holds everybody in a stretch of time, to be packed for the engine, and the staffing's version at that moment. */
export async function loadBusy(client: Client, range: Range) {
  const rows = await rowsOf<Versioned>(client, {
    name: 'busy_of_all',
    // Ids sort in the database as they do in the roster, so the rows come in the engine's own order.
    text: `select roster_version.version::text, ${columns} from roster_version cross join ${asked}
      left join appointments on assignee_id is not null and ${within} order by assignee_id, starts_at`,
    values: bounds(range),
  })
  return {
    version: rows[0]?.[0] ?? '',
    of: (staffing: Staffing) => pack(rows.map(withoutVersion), staffing, range),
  }
}

/**
 * The appointments of one person; null when the staffing is no longer the given version, which the same query checks.
 */
export async function loadBusyOf(
  client: Client,
  staffing: Staffing,
  personId: string,
  range: Range,
): Promise<Busy | null> {
  const rows = await rowsOf<Versioned>(client, {
    name: 'busy_of_one',
    text: `select roster_version.version::text, ${columns} from roster_version cross join ${asked}
      left join appointments on assignee_id = $5 and ${within} order by starts_at`,
    values: [...bounds(range), personId],
  })
  if (rows[0]?.[0] !== staffing.version) return null
  return pack(rows.map(withoutVersion), staffing, range)
}

const withoutVersion = ([, ...row]: Versioned): Row => row

/** The appointments of some people of a staffing, packed for the engine as if the others had none. */
export async function loadBusyOfSome(
  client: Client,
  staffing: Staffing,
  people: readonly number[],
  range: Range,
): Promise<Busy> {
  const ids = people.map((person) => staffing.roster.ids[person])
  const rows = await rowsOf<Row>(client, {
    name: 'busy_of_some',
    text: `select ${columns} from ${asked} join appointments on assignee_id = any($5) and ${within}
      order by assignee_id, starts_at`,
    values: [...bounds(range), ids],
  })
  return pack(rows, staffing, range)
}

async function rowsOf<Shape extends unknown[]>(client: Client, query: pg.QueryConfig): Promise<Shape[]> {
  const { rows } = await (client as pg.Pool).query<Shape>({ ...query, rowMode: 'array' })
  return rows
}

/** Rows of people outside the roster are left out, and so is the empty one of a join. */
function pack(rows: readonly Row[], staffing: Staffing, { now }: Range): Busy {
  const { indexOf, roster } = staffing
  const people = roster.ids.length
  const known = rows.filter(([id]) => indexOf.has(id))
  const busy = emptyBusy(people, known.length)
  let person = 0
  for (const [i, [id, start, minutes, municipality, service]] of known.entries()) {
    const index = indexOf.get(id) as number
    while (person < index) busy.at[++person] = i
    busy.starts[i] = start
    busy.ends[i] = start + minutes
    busy.until[i] = start + minutes
    busy.zones[i] = zoneOf(municipality)
    busy.services[i] = services.indexOf(service)
  }
  while (person < people) busy.at[++person] = known.length
  for (const [{ at }, end] of expectedEndsOf(staffing, todayIn(known), now)) busy.until[at] = end
  return busy
}

type OfToday = Parameters<typeof expectedEnds>[0][number] & { personId: string }

/** When each of today's appointments is expected to end, in epoch minutes; a person's own in their order. */
export const expectedEndsOf = <Visit extends OfToday>(
  staffing: Staffing,
  visits: readonly Visit[],
  now: Date,
): [Visit, number][] =>
  [...Map.groupBy(visits, ({ personId }) => personId)].flatMap(([id, own]) =>
    expectedEnds(own, dayNow(staffing, id, now)).map((end, n): [Visit, number] => [own[n]!, end]),
  )

/** The appointments of today among rows, each with its place there. */
const todayIn = (rows: readonly Row[]) =>
  rows.flatMap(([personId, start, minutes, municipality, service, progress], at) =>
    progress
      ? [{ personId, at, start, end: start + minutes, zone: zoneOf(municipality), service, progress }]
      : [],
  )

/** What the expected ends of a person's day follow from: how long their own last appointments took, or everyone's. */
const dayNow = ({ settings, travel, took }: Staffing, personId: string, now: Date) => ({
  now: toMinutes(now),
  end: dayOf(toMinutes(now)).end,
  bufferMinutes: settings.bufferMinutes,
  travel,
  usual: (service: Service) => took.get(`${service} ${personId}`) ?? took.get(service) ?? [],
})
