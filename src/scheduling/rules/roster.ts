import { isManager } from '../../access/rules/actor.ts'
import { type Performer, performers, type Service, services } from '../../appointments/rules/appointment.ts'
import type { Pin } from '../../projects/rules/pin.ts'
import { isHoliday, type LocalDay } from '../../shared/calendar.ts'
import {
  isMunicipality,
  type MunicipalitySlug,
  municipalities,
  municipalityLabel,
} from '../../shared/places.ts'

/** A period of a weekday, in wall-clock minutes; weekday 0 is Monday. */
export type Shift = { weekday: number; from: number; to: number }

/** A period of absolute time, in epoch minutes, its end excluded. */
export type MinuteSpan = { start: number; end: number }

/**
 * A paper that a person needs for some services, and when theirs is valid; `until` is the epoch minute from which an
 * unchecked one no longer counts.
 */
export type NeededPaper = {
  services: readonly Service[]
  valid: readonly (MinuteSpan & { until: number | null })[]
}

/** A person as database rows describe them. No zones means all of them. */
export type PersonRow = {
  id: string
  kind: Performer
  active: boolean
  zones: readonly number[]
  shifts: readonly Shift[]
  timeOff: readonly MinuteSpan[]
  /** What is busy in their own calendars. */
  busy?: readonly MinuteSpan[]
  papers?: readonly NeededPaper[]
}

/** What a person's hours follow from; `since` is the epoch minute from which they count as working. */
export type Worker = { shifts: readonly Shift[]; timeOff: readonly MinuteSpan[]; since: number }

/** The days that are no days off; `own` are the company's holidays. */
export const workdays = (days: readonly LocalDay[], own: readonly string[]) =>
  days.filter(({ date }) => !isHoliday(date, own))

/** The minutes of a person's shifts on working days since the person came, less approved time off. */
export const shiftMinutes = (worker: Worker, days: readonly LocalDay[]): number =>
  days.reduce((sum, day) => sum + minutesOn(worker, day), 0)

function minutesOn({ shifts, since, timeOff }: Worker, { base, end, weekday }: LocalDay): number {
  if (end <= since) return 0
  return shifts
    .filter((shift) => shift.weekday === weekday)
    .map(({ from, to }) => ({ start: base + from, end: base + to }))
    .reduce((sum, span) => sum + span.end - span.start - overlap(span, timeOff), 0)
}

const overlap = ({ end, start }: MinuteSpan, off: readonly MinuteSpan[]) =>
  off.reduce((sum, span) => sum + Math.max(0, Math.min(end, span.end) - Math.max(start, span.start)), 0)

/** An appointment that occupies a person; `person` is the index in the roster, zone -1 is no place. */
export type BusyRow = MinuteSpan & {
  person: number
  zone: number
  service: Service
  /** When it is expected to end, where that is later than planned. */
  until?: number
}

/** Periods of each person, packed: those of person p are between at[p] and at[p + 1]. */
export type PackedSpans = { at: Int32Array; starts: Int32Array; ends: Int32Array }

/** The people of a query, packed: the entries of person p are between at[p] and at[p + 1]. */
export type Roster = {
  ids: readonly string[]
  active: Uint8Array
  /** Index in `performers`. */
  kinds: Uint8Array
  /** One bit for each zone served; 0 is all of them. */
  zones: Uint32Array
  /** Shifts of person p on weekday w lie between [p * 7 + w] and the next. */
  shiftAt: Int32Array
  shiftFrom: Int16Array
  shiftTo: Int16Array
  off: PackedSpans
  busy: PackedSpans
  papers: readonly (readonly NeededPaper[])[]
}

/** The appointments of a roster's people, packed; of one person they are in order and never overlap. */
export type Busy = {
  at: Int32Array
  starts: Int32Array
  ends: Int32Array
  /** When each is expected to end: not before it was planned to. */
  until: Int32Array
  zones: Int8Array
  /** Index in `services`. */
  services: Uint8Array
}

const zoneBits = (zones: readonly number[]) => zones.reduce((bits, zone) => bits | (1 << zone), 0)

/** Packs people for the engine. The order given is the person's index everywhere else. */
export function rosterOf(people: readonly PersonRow[]): Roster {
  const shiftAt = new Int32Array(people.length * 7 + 1)
  const shifts: Shift[] = []
  for (const [p, person] of people.entries()) {
    for (let weekday = 0; weekday < 7; weekday++) {
      shifts.push(...person.shifts.filter((shift) => shift.weekday === weekday))
      shiftAt[p * 7 + weekday + 1] = shifts.length
    }
  }
  return {
    ids: people.map(({ id }) => id),
    active: Uint8Array.from(people, ({ active }) => Number(active)),
    kinds: Uint8Array.from(people, ({ kind }) => performers.indexOf(kind)),
    zones: Uint32Array.from(people, ({ zones }) => zoneBits(zones)),
    shiftAt,
    shiftFrom: Int16Array.from(shifts, ({ from }) => from),
    shiftTo: Int16Array.from(shifts, ({ to }) => to),
    off: packSpans(people.map(({ timeOff }) => timeOff)),
    busy: packSpans(people.map(({ busy = [] }) => busy)),
    papers: people.map(({ papers = [] }) => papers),
  }
}

function packSpans(lists: readonly (readonly MinuteSpan[])[]): PackedSpans {
  const all = lists.flat()
  const at = new Int32Array(lists.length + 1)
  for (const [p, { length }] of lists.entries()) at[p + 1] = at[p]! + length
  return {
    at,
    starts: Int32Array.from(all, ({ start }) => start),
    ends: Int32Array.from(all, ({ end }) => end),
  }
}

/** The periods of a person that reach into another one, cut off at its ends. */
export const spansWithin = ({ at, ends, starts }: PackedSpans, person: number, within: MinuteSpan) =>
  [...starts.subarray(at[person], at[person + 1])].flatMap((from, n) => {
    const start = Math.max(from, within.start)
    const end = Math.min(ends[at[person]! + n]!, within.end)
    return start < end ? [{ start, end }] : []
  })

/** An empty table of appointments for a number of people, to be filled in order: `at` first, then each column. */
export const emptyBusy = (people: number, rows: number): Busy => ({
  at: new Int32Array(people + 1),
  starts: new Int32Array(rows),
  ends: new Int32Array(rows),
  until: new Int32Array(rows),
  zones: new Int8Array(rows).fill(noZone),
  services: new Uint8Array(rows),
})

/** Packs appointments of a number of people for the engine; rows may come in any order. */
export function busyOf(people: number, rows: readonly BusyRow[]): Busy {
  const busy = emptyBusy(people, rows.length)
  for (const { person } of rows) busy.at[person + 1]! += 1
  for (let p = 0; p < people; p++) busy.at[p + 1]! += busy.at[p]!
  const next = busy.at.slice()
  for (const row of [...rows].sort((a, b) => a.start - b.start)) {
    const i = next[row.person]!++
    busy.starts[i] = row.start
    busy.ends[i] = row.end
    busy.until[i] = row.until ?? row.end
    busy.zones[i] = row.zone
    busy.services[i] = services.indexOf(row.service)
  }
  return busy
}

type Centre = readonly [latitude: number, longitude: number]

/** Seats of government of the served municipalities, in degrees, accurate to about 2 km. */
export const centres: Record<MunicipalitySlug, Centre> = {
  'alvaro-obregon': [19.3903, -99.1954],
  azcapotzalco: [19.4841, -99.1843],
  'benito-juarez': [19.372, -99.1575],
  coyoacan: [19.35, -99.1622],
  'cuajimalpa-de-morelos': [19.357, -99.2998],
  cuauhtemoc: [19.4418, -99.1527],
  'gustavo-a-madero': [19.4828, -99.1134],
  iztacalco: [19.3955, -99.0976],
  iztapalapa: [19.3585, -99.0926],
  'la-magdalena-contreras': [19.3047, -99.2414],
  'miguel-hidalgo': [19.4063, -99.1914],
  'milpa-alta': [19.1922, -99.0231],
  tlahuac: [19.2699, -99.0046],
  tlalpan: [19.2883, -99.1672],
  'venustiano-carranza': [19.4194, -99.1136],
  xochimilco: [19.2626, -99.1049],
  huixquilucan: [19.3603, -99.3511],
  lerma: [19.2847, -99.5119],
  naucalpan: [19.4768, -99.2375],
  toluca: [19.2925, -99.6555],
}

/** How many zones there are; a zone's number is the index of its municipality. */
export const zoneCount = municipalities.length

/** The zone of a service without a place, such as a video call: no travel to it or from it. */
export const noZone = -1

const WITHIN_ONE = 15
const KM_PER_HOUR = 22
const EXTRA = 10
const EARTH_KM = 6371
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Great-circle distance in km (haversine). */
export function kilometresBetween([latitudeA, longitudeA]: Centre, [latitudeB, longitudeB]: Centre): number {
  const north = Math.sin(radians(latitudeB - latitudeA) / 2) ** 2
  const east = Math.sin(radians(longitudeB - longitudeA) / 2) ** 2
  const chord = north + Math.cos(radians(latitudeA)) * Math.cos(radians(latitudeB)) * east
  return 2 * EARTH_KM * Math.asin(Math.sqrt(chord))
}

/** Minutes of a ride that is under way: without what leaving and parking take. */
export const rideLeft = (from: Centre, to: Centre) => (kilometresBetween(from, to) / KM_PER_HOUR) * 60

/** Kilometres from the centre of its municipality to a home, at most. */
const furthest = 60

/** Why a pin is too far from a municipality to be in it, in words; null where it is not, or where we know no centre. */
export function whyFarFrom(municipality: string, { latitude, longitude }: Pin): string | null {
  if (!isMunicipality(municipality)) return null
  const away = kilometresBetween(centres[municipality], [latitude, longitude])
  if (away <= furthest) return null
  return `Ese punto queda a ${Math.round(away)}\u00a0km de ${municipalityLabel(municipality)}. Revisa la ubicación y el código postal.`
}

const ride = (from: Centre, to: Centre) => Math.round(rideLeft(from, to) + EXTRA)

/** Travel minutes from zone a to zone b at [a * zoneCount + b], until the manager edits them. */
export function defaultTravel(): Uint16Array {
  const minutes = new Uint16Array(zoneCount * zoneCount).fill(WITHIN_ONE)
  for (const from of municipalities)
    for (const to of municipalities)
      if (from !== to) minutes[from.index * zoneCount + to.index] = ride(centres[from.slug], centres[to.slug])
  return minutes
}

/** The limits of a travel time, in minutes. */
export const travelRange = [0, 600] as const

/** Travel minutes between two zones; zero when either is no place. The matrix need not be symmetrical or metric. */
export const travelBetween = (travel: Uint16Array, from: number, to: number): number =>
  from < 0 || to < 0 ? 0 : (travel[from * zoneCount + to] ?? 0)

/** Who assigns appointments, plans a day, and resolves the appointments of an absence. */
export const managesSchedule = isManager
