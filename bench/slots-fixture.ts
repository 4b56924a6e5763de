import { type Service, serviceFacts, services } from '../src/appointments/rules/appointment.ts'
import type { Ask } from '../src/scheduling/rules/availability.ts'
import {
  type Busy,
  type BusyRow,
  busyOf,
  defaultTravel,
  noZone,
  type Roster,
  rosterOf,
  zoneCount,
} from '../src/scheduling/rules/roster.ts'
import { defaultSettings } from '../src/settings/rules/settings-schema.ts'
import { daysFrom, isHoliday, type LocalDay, minuteAt } from '../src/shared/calendar.ts'
import { dice } from '../test/kit/dice.ts'

const now = minuteAt('2026-11-23', '08:00')
const days = daysFrom(now, 31)
const workdays = days.filter(({ date, weekday }) => weekday < 6 && !isHoliday(date, []))
const hoursOf = ({ base, weekday }: LocalDay) => ({
  start: base + 540,
  end: base + (weekday === 5 ? 840 : 1080),
})

const month = { noticeHours: 24, horizonDays: 30 }

/** The question of every measurement: a service in the south, with the horizon of a month. */
export const questionOf = (service: Service): Ask => ({
  service,
  zone: serviceFacts[service].needsTravel ? 3 : noZone,
  now,
  days,
  settings: {
    ...defaultSettings,
    services: { ...defaultSettings.services, [service]: { ...defaultSettings.services[service], ...month } },
  },
  travel: defaultTravel(),
})
export type Fixture = { roster: Roster; busy: Busy }

/** People who work all hours; every third serves all zones, the others some. */
function team(count: number, service: Service, roll: (limit: number) => number): Roster {
  const shifts = [0, 1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: 540, to: weekday === 5 ? 840 : 1080 }))
  return rosterOf(
    Array.from({ length: count }, (_, person) => ({
      id: `person-${person}`,
      kind: serviceFacts[service].by,
      active: true,
      zones: person % 3 ? [3, roll(zoneCount), roll(zoneCount)] : [],
      shifts,
      timeOff: [],
    })),
  )
}

/** A month of usual days: so many times each, of 30 minutes, anywhere in the working hours of the 30 days, never overlapping. */
export function usualMonth(people: number, each: number, service: Service): Fixture {
  const roll = dice(7).below
  const places = workdays.flatMap((day) => {
    const { end, start } = hoursOf(day)
    return Array.from({ length: (end - start) / 30 }, (_, n) => start + n * 30)
  })
  const rows: BusyRow[] = []
  for (let person = 0; person < people; person++)
    for (const start of draw(places, each, roll))
      rows.push({ person, start, end: start + 30, zone: roll(zoneCount), service: services[roll(3)]! })
  return { roster: team(people, service, roll), busy: busyOf(people, rows) }
}

function draw(from: readonly number[], count: number, roll: (limit: number) => number): number[] {
  const left = [...from]
  for (let n = 0; n < count; n++) {
    const other = n + roll(left.length - n)
    ;[left[n], left[other]] = [left[other]!, left[n]!]
  }
  return left.slice(0, count)
}

/** Hours free on the last person's open days: just enough for one start, or two of a short call. */
const room: Record<Service, number> = { technical_visit: 2, installation: 5, videocall: 2 }

/** The hardest month: nobody has room, but the last person on six days. Nothing lets the engine stop early. */
export function fullMonth(people: number, service: Service): Fixture {
  const roll = dice(11).below
  // Not the service asked for: a day's maximum would end the walk early.
  const others = services.filter((other) => other !== service)
  const rows: BusyRow[] = []
  const openDays = workdays
    .slice(2)
    .filter(({ weekday }) => weekday < 5)
    .slice(0, 6)
  for (let person = 0; person < people; person++)
    for (const day of workdays) {
      const { end, start } = hoursOf(day)
      const isOpen = person === people - 1 && openDays.includes(day)
      for (let at = start; at < end; at += 60)
        if (!isOpen || at < start + 120 || at >= start + 120 + room[service] * 60)
          rows.push({ person, start: at, end: at + 60, zone: noZone, service: others[roll(2)]! })
    }
  return { roster: team(people, service, roll), busy: busyOf(people, rows) }
}
