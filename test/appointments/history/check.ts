import type { Db } from '../../../src/platform/database/client.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { currentStaffing, zoneOf } from '../../../src/scheduling/roster.ts'
import { travelBetween } from '../../../src/scheduling/rules/roster.ts'
import { localDate, toMinutes } from '../../../src/shared/calendar.ts'
import { contradictions, type Told } from './replay.ts'

/** Everything that is wrong with the appointments of a fixture and the story that their events tell. */
export async function whatIsWrong(db: Db): Promise<string[]> {
  const rows = await db.select().from(appointments)
  return [...contradictions(rows, await eventsIn(db)), ...(await unlawful(db))]
}

/** The events of all appointments in their order. Its first writer's transaction number stays with a row that never changes. */
async function eventsIn({ $client }: Db): Promise<Told[]> {
  const { rows } = await $client.query(
    `select id::int, xmin::text as tx, entity_id as "entityId", name, from_state as "fromState", to_state as "toState", data
     from events where entity = 'appointment' order by events.id`,
  )
  return rows
}

const holds = ['requested', 'assigned', 'en_route', 'in_progress', 'paused'] as const

/** Days of someone's that can't be lived: too little time to the next place, or more than a day's maximum. What a manager set aside
 * with a reason is not among them. */
async function unlawful(db: Db): Promise<string[]> {
  const { settings, travel } = await currentStaffing(db)
  const rows = (await db.select().from(appointments)).filter(
    ({ assigneeId, state }) => assigneeId && holds.some((one) => one === state),
  )
  const days = Map.groupBy(
    rows,
    ({ assigneeId, startsAt }) => `${assigneeId} ${localDate(toMinutes(startsAt))}`,
  )
  return [...days.values()].flatMap((day) => {
    const inOrder = day.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
    const late = inOrder.slice(1).filter((next, n) => {
      const before = inOrder[n]!
      const ride = travelBetween(travel, zoneOf(before.municipality), zoneOf(next.municipality))
      const gap = toMinutes(next.startsAt) - toMinutes(before.startsAt) - before.minutes
      return gap < settings.bufferMinutes + ride && !before.overrideReason && !next.overrideReason
    })
    const full = [...Map.groupBy(day, ({ service }) => service)].filter(
      ([service, own]) =>
        own.length > settings.services[service].dailyMax && !own.some(({ overrideReason }) => overrideReason),
    )
    return [
      ...late.map(({ folio }) => `${folio} cannot be reached in time`),
      ...full.map(([service, own]) => `${own.length} times ${service} for one person on one day`),
    ]
  })
}
