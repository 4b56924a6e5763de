import { hour, minute, storeVisit, type Visit } from '../../kit/appointments.ts'
import type { Fixture } from '../../kit/fixture.ts'
import { fixture } from '../../kit/open.ts'
import type { Everyone } from '../everyone.ts'

/** How many there are of each fixture: a technician sees 60 days ahead. */
const visits = new WeakMap<Fixture, number>()

/**
 * A visit of the first agency's client with the technician, late on an evening of its own, when nobody books; the clock
 * stands `after` ms from its start.
 */
export async function visitOfToday(
  { technician, ally }: Everyone,
  state: Visit['state'],
  input: Partial<Visit> = {},
  after = -10 * minute,
) {
  const days = (visits.get(fixture) ?? 0) + 1
  visits.set(fixture, days)
  const midnight = Math.floor(Date.now() / (24 * hour)) * 24 * hour
  // 23:00 in Mexico City.
  const start = new Date(midnight + (days + 1) * 24 * hour + 5 * hour)
  const client = await fixture.person()
  const home = await fixture.home(client, {}, ally.agencyId!)
  const now = new Date(start.getTime() + after)
  const visit = await storeVisit(fixture, client, home, start, {
    assigneeId: technician.id,
    state,
    setOutAt: now,
    startedAt: now,
    ...input,
  })
  fixture.at(now)
  return visit
}
