import { openSlots } from '../../domain/availability.ts'
import { addDays, daysOn, localDate, minuteAt } from '../../domain/calendar.ts'
import { type BusyRow, busyOf, type PersonRow, rosterOf } from '../../domain/roster.ts'
import { defaultSettings } from '../../domain/settings.ts'
import { defaultTravel } from '../../domain/travel.ts'

export const service = 'technical_visit' as const
export const visitMinutes = defaultSettings.services[service].minutes
const monthsBack = 12
/** More days than holidays and full days can ever close in a row. */
const patience = 14
/** Nothing starts before a person who opens the demo has had time to look around, in minutes. */
const headStart = 90

export type DemoState = 'requested' | 'assigned' | 'done' | 'cancelled'
/** What the demo world should show: a visit on the first day from `from` on that somebody can take. */
type Wish = { state: DemoState; from: string }
/** Times are epoch minutes; `person` is the index in the list of technicians. */
export type DemoVisit = { state: DemoState; person: number; start: number; bookedAt: number }

/** The visits the demo world shows at an epoch minute: a year behind, the week ahead. The first one waits for the manager. */
const wishes = (today: string): Wish[] => [
  { state: 'requested', from: addDays(today, 2) },
  { state: 'assigned', from: today },
  { state: 'assigned', from: today },
  { state: 'assigned', from: addDays(today, 1) },
  { state: 'assigned', from: addDays(today, 2) },
  { state: 'requested', from: addDays(today, 3) },
  { state: 'requested', from: addDays(today, 4) },
  // Two closed days in a row at most: from four days ago on, there is always an open one that is over.
  { state: 'cancelled', from: addDays(today, -4) },
  { state: 'done', from: addDays(today, -4) },
  ...Array.from({ length: monthsBack }, (_, n) => monthBefore(today, n + 1)).flatMap((month) => [
    { state: 'done' as const, from: `${month}-20` },
    { state: 'done' as const, from: `${month}-08` },
  ]),
]

const monthBefore = (today: string, months: number) =>
  Temporal.PlainDate.from(today).subtract({ months }).toPlainYearMonth().toString()

/**
 * Plans the visits in zones taken from `zones` in turns, each where the engine offers a place beside those before it,
 * and booked early enough for the notice.
 */
export function planVisits(
  technicians: readonly PersonRow[],
  zones: readonly number[],
  now: number,
): DemoVisit[] {
  const today = localDate(now)
  const place = calendar(technicians, now)
  return wishes(today).map(({ state, from }, n) => {
    const { person, start } = place(zones[n]!, from, n)
    const bookedOn = [addDays(localDate(start), -3), addDays(today, -1)].sort()[0]!
    return { state, person, start, bookedAt: minuteAt(bookedOn, '10:15') }
  })
}

/** How many visits there are to plan, whatever the day. */
export const visitCount = wishes('2026-01-01').length

/** Everybody's calendar, filled by one placing after the other; people and hours are taken in turns. */
function calendar(technicians: readonly PersonRow[], now: number) {
  const travel = defaultTravel()
  const taken: BusyRow[] = []
  const openFor = (person: number, zone: number, from: string) => {
    const mine = taken.filter((row) => row.person === person).map((row) => ({ ...row, person: 0 }))
    const ask = {
      service,
      zone,
      now,
      days: daysOn(from, patience),
      settings: defaultSettings,
      travel,
      promised: true,
    }
    return openSlots(rosterOf([technicians[person]!]), busyOf(1, mine), ask)
  }
  return (zone: number, from: string, turn: number) => {
    const order = technicians.map((_, n) => (turn + n + 1) % technicians.length)
    const days = order.map((person) => openFor(person, zone, from))
    for (let day = 0; day < patience; day++)
      for (const [nth, person] of order.entries()) {
        const starts = days[nth]![day]!.starts.filter(
          (start) => from < localDate(now) || start >= now + headStart,
        )
        const start = starts[(turn * 3) % starts.length]
        if (start === undefined) continue
        taken.push({ person, zone, service, start, end: start + visitMinutes })
        return { person, start }
      }
    throw new Error(`The demo found no place for a visit from ${from} on`)
  }
}
