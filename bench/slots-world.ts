import type { Ask } from '../src/domain/availability.ts'
import { daysFrom, type LocalDay, minuteAt } from '../src/domain/calendar.ts'
import { isHoliday } from '../src/domain/holidays.ts'
import { type Busy, type BusyRow, busyOf, type Roster, rosterOf } from '../src/domain/roster.ts'
import { services } from '../src/domain/services.ts'
import { defaultSettings } from '../src/domain/settings.ts'
import { defaultTravel, zoneCount } from '../src/domain/travel.ts'

const now = minuteAt('2026-11-23', '08:00')
const days = daysFrom(now, 31)
const workdays = days.filter(({ date, weekday }) => weekday < 6 && !isHoliday(date, []))
const hoursOf = ({ base, weekday }: LocalDay) => ({
  start: base + 540,
  end: base + (weekday === 5 ? 840 : 1080),
})

/** The question of every measurement: a technical visit in the south, over the whole horizon of 30 days. */
export const question: Ask = {
  service: 'technical_visit',
  zone: 3,
  now,
  days,
  settings: defaultSettings,
  travel: defaultTravel(),
}
export type World = { roster: Roster; busy: Busy }

/** A repeatable source of whole numbers below a limit. */
function dice(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** People who work all hours; every third serves all zones, the others some. */
function team(count: number, roll: (limit: number) => number): Roster {
  const shifts = [0, 1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: 540, to: weekday === 5 ? 840 : 1080 }))
  return rosterOf(
    Array.from({ length: count }, (_, person) => ({
      id: `person-${person}`,
      kind: 'tecnician',
      active: true,
      zones: person % 3 ? [question.zone, roll(zoneCount), roll(zoneCount)] : [],
      shifts,
      timeOff: [],
    })),
  )
}

/** A month of usual days: so many times each, of 30 minutes, anywhere in the working hours of the 30 days, never overlapping. */
export function usualMonth(people: number, each: number): World {
  const roll = dice(7)
  const places = workdays.flatMap((day) => {
    const { end, start } = hoursOf(day)
    return Array.from({ length: (end - start) / 30 }, (_, n) => start + n * 30)
  })
  const rows: BusyRow[] = []
  for (let person = 0; person < people; person++)
    for (const start of draw(places, each, roll))
      rows.push({ person, start, end: start + 30, zone: roll(zoneCount), service: services[roll(3)]! })
  return { roster: team(people, roll), busy: busyOf(people, rows) }
}

function draw(from: readonly number[], count: number, roll: (limit: number) => number): number[] {
  const left = [...from]
  for (let n = 0; n < count; n++) {
    const other = n + roll(left.length - n)
    ;[left[n], left[other]] = [left[other]!, left[n]!]
  }
  return left.slice(0, count)
}

/** The hardest month: nobody has room, but the last person, who can take six starts. Nothing lets the engine stop early. */
export function fullMonth(people: number): World {
  const roll = dice(11)
  const rows: BusyRow[] = []
  const openDays = workdays
    .slice(2)
    .filter(({ weekday }) => weekday < 5)
    .slice(0, 6)
  for (let person = 0; person < people; person++)
    for (const day of workdays) {
      const { end, start } = hoursOf(day)
      const room = person === people - 1 && openDays.includes(day)
      for (let at = start; at < end; at += 60)
        if (!room || (at !== start + 240 && at !== start + 300))
          rows.push({ person, start: at, end: at + 60, zone: -1, service: services[1 + roll(2)]! })
    }
  return { roster: team(people, roll), busy: busyOf(people, rows) }
}
