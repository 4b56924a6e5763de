import { and, desc, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { activeStates, onSiteServices } from '../appointments/rules/appointment.ts'
import { presentHome, stateIn } from '../appointments/visibility.ts'
import type { Db } from '../platform/database/client.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { type AddressRow, type AddressSnapshot, addresses } from '../platform/database/schema/projects.ts'
import { ask, jsonIn } from '../platform/external.ts'
import { log } from '../platform/telemetry/log.ts'
import { type Pin, type Pinned, pinAt } from '../projects/rules/pin.ts'
import { currentStaffing, zoneOf } from '../scheduling/roster.ts'
import { centres, rideLeft, travelBetween } from '../scheduling/rules/roster.ts'
import { isMunicipality } from '../shared/places.ts'
import { placeOnTheWay } from './positions.ts'
import { type ArrivalSpan, arrivalOf, wayByDistricts } from './rules/arrival.ts'

type Stop = {
  municipality: string | null
  address: AddressSnapshot | null
  home: (AddressRow & Pinned) | null
}

/** Where a stop is on the map: the pin of its home, else the centre of its municipality. */
function pointOf({ address, home, municipality }: Stop): Pin | null {
  const pin = pinAt(address, home)
  if (pin || !municipality || !isMunicipality(municipality)) return pin
  const [latitude, longitude] = centres[municipality]
  return { latitude, longitude }
}

/**
 * When the technician of a customer's visit arrives, while on the way; null else. The way begins where their phone says
 * they are, or at their visit before of that day: by road where `routing` says so, else by distance or the districts'
 * travel times.
 */
export async function arrivalFor(
  db: Db,
  routing: string | null,
  { id: customerId }: Pick<Actor, 'id'>,
  appointmentId: string,
  now: Date,
): Promise<ArrivalSpan | null> {
  const [{ travel }, stops] = await Promise.all([
    currentStaffing(db),
    lastStops(db, customerId, appointmentId),
  ])
  const [visit, before = null] = stops
  if (visit?.id !== appointmentId || visit.state !== 'en_route' || !visit.setOutAt) return null
  const { setOutAt, startsAt } = visit
  const here = placeOnTheWay(db, appointmentId, now)
  const from = here ?? (before && pointOf(before))
  const to = pointOf(visit)
  const road = routing && from && to ? await roadMinutes(routing, from, to, now) : null
  const left = here && to ? rideLeft(degreesOf(here), degreesOf(to)) : null
  const zone = zoneOf(visit.municipality)
  const between = before && travelBetween(travel, zoneOf(before.municipality), zone)
  const within = travelBetween(travel, zone, zone)
  const minutes = road ?? left ?? wayByDistricts({ setOutAt, startsAt }, { between, within })
  return arrivalOf({ since: here?.at ?? setOutAt, minutes }, now)
}

const degreesOf = ({ latitude, longitude }: Pin) => [latitude, longitude] as const

/** A customer's visit and the one that its technician had before it, in one statement. */
const lastStops = (db: Db, customerId: string, id: string) =>
  db
    .select({
      id: appointments.id,
      state: appointments.state,
      startsAt: appointments.startsAt,
      setOutAt: appointments.setOutAt,
      municipality: appointments.municipality,
      address: appointments.address,
      home: addresses,
    })
    .from(appointments)
    .leftJoin(addresses, presentHome)
    .where(
      and(
        sql`(${appointments.assigneeId}, date_trunc('day', ${appointments.startsAt}, 'America/Mexico_City')) =
          (select own.assignee_id, date_trunc('day', own.starts_at, 'America/Mexico_City') from ${appointments} own
            where own.id = ${id} and own.customer_id = ${customerId} and own.confirmed_at is not null)`,
        sql`${appointments.startsAt} <= (select own.starts_at from ${appointments} own where own.id = ${id})`,
        isNotNull(appointments.confirmedAt),
        inArray(appointments.service, [...onSiteServices]),
        stateIn([...activeStates, 'done']),
      ),
    )
    .orderBy(desc(appointments.startsAt))
    .limit(2)

/** How long an answer serves, and how many are kept. */
const freshMs = 5 * 60_000
const mostKept = 500

type Known = { at: number; minutes: Promise<number | null> }
const kept = new Map<string, Known>()

const place = ({ latitude, longitude }: Pin) => `${longitude.toFixed(4)},${latitude.toFixed(4)}`

/**
 * Minutes by road between two places, as OSRM's table service at `url` has them; null where it does not answer in time,
 * or something else. What was asked lately is not asked again: the service learns two places, and of nobody.
 */
export function roadMinutes(url: string, from: Pin, to: Pin, now: Date): Promise<number | null> {
  const asked = `${url}/table/v1/driving/${place(from)};${place(to)}?sources=0&destinations=1&annotations=duration`
  const known = kept.get(asked)
  if (known && now.getTime() - known.at < freshMs) return known.minutes
  kept.delete(asked)
  for (const oldest of kept.keys()) {
    if (kept.size < mostKept) break
    kept.delete(oldest)
  }
  const minutes = askRoad(asked)
  kept.set(asked, { at: now.getTime(), minutes })
  setTimeout(() => kept.delete(asked), freshMs).unref()
  return minutes
}

async function askRoad(url: string): Promise<number | null> {
  const answer = await ask('routing', { url, most: 16 * 1024 }).catch(() => null)
  if (answer?.status === 200) return minutesIn(jsonIn(answer.body))
  if (answer) log.warn({ status: answer.status }, 'road times unavailable')
  return null
}

/** `{ "code": "Ok", "durations": [[seconds]] }`; the duration is null where no road leads there. */
function minutesIn(told: unknown): number | null {
  const { durations } = (told ?? {}) as { durations?: unknown }
  const seconds = Array.isArray(durations) && Array.isArray(durations[0]) ? durations[0][0] : null
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds / 60 : null
}
