import { dayOf, type LocalDay } from '../shared/calendar.ts'
import type { Ask, OpenDay } from './availability.ts'
import { heldOn, neighbours, rideFrom, rideTo, whoCan } from './closed-reasons.ts'
import type { Busy, Roster } from './roster.ts'
import { travelBetween } from './travel.ts'

/** A person who can take a time: added travel minutes, and appointments already on that day. */
export type Candidate = { person: number; id: string; addedTravel: number; load: number }

/** The people who can start at an epoch minute, best first: least added travel, then least load that day, then by id. */
export function rank(roster: Roster, busy: Busy, start: number, ask: Ask): Candidate[] {
  const day = ask.days.find((known) => known.start <= start && start < known.end) ?? dayOf(start)
  return whoCan(roster, busy, start, day, ask)
    .map((person) => ({ person, id: roster.ids[person]!, ...costOf(busy, person, start, day, ask) }))
    .sort(better)
}

function better(a: Candidate, b: Candidate): number {
  return a.addedTravel - b.addedTravel || a.load - b.load || (a.id < b.id ? -1 : 1)
}

/** What it costs a person's day to start at an epoch minute; only neighbours of the same local day count. */
function costOf(busy: Busy, person: number, start: number, day: LocalDay, ask: Ask) {
  const end = start + ask.settings.services[ask.service].minutes
  const { next, previous } = neighbours(busy, person, start, end)
  const before = previous >= 0 && busy.starts[previous]! >= day.start ? previous : -1
  const after = next >= 0 && busy.starts[next]! < day.end ? next : -1
  const addedTravel =
    (before < 0 ? 0 : rideFrom(busy, before, ask)) +
    (after < 0 ? 0 : rideTo(busy, after, ask)) -
    (before < 0 || after < 0 ? 0 : travelBetween(ask.travel, busy.zones[before]!, busy.zones[after]!))
  return { addedTravel, load: heldOn(busy, person, day) }
}

/** The offered starts nearest to a wanted one (epoch minutes), nearest first, the earlier one when equally near. */
export function nearestFree(days: readonly OpenDay[], wanted: number, count = 3): number[] {
  return days
    .flatMap(({ starts }) => starts)
    .sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)
    .slice(0, count)
}
