import { hour, minute, storeVisit, type Visit } from '../../kit/appointments.ts'
import { world } from '../../kit/open.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'

/** How many there are of each world: a technician sees 60 days ahead. */
const visits = new WeakMap<World, number>()

/**
 * A visit of the first agency's client with the technician, late on an evening of its own, when nobody books; the clock
 * stands `after` ms from its start.
 */
export async function visitOfToday(
  { technician, ally }: Cast,
  state: Visit['state'],
  wish: Partial<Visit> = {},
  after = -10 * minute,
) {
  const days = (visits.get(world) ?? 0) + 1
  visits.set(world, days)
  const midnight = Math.floor(Date.now() / (24 * hour)) * 24 * hour
  // 23:00 in Mexico City.
  const start = new Date(midnight + (days + 1) * 24 * hour + 5 * hour)
  const client = await world.person()
  const home = await world.home(client, {}, ally.agencyId!)
  const now = new Date(start.getTime() + after)
  const visit = await storeVisit(world, client, home, start, {
    assigneeId: technician.id,
    state,
    setOutAt: now,
    startedAt: now,
    ...wish,
  })
  world.at(now)
  return visit
}
