import type { Actor } from '../src/access/rules/actor.ts'
import { type Service, serviceFacts } from '../src/appointments/rules/appointment.ts'
import { openSlots } from '../src/scheduling/rules/availability.ts'
import {
  type BusyRow,
  busyOf,
  defaultTravel,
  noZone,
  type PersonRow,
  rosterOf,
} from '../src/scheduling/rules/roster.ts'
import { defaultSettings } from '../src/settings/rules/settings-schema.ts'
import { addDays, daysOn, type LocalDay, localDate, minuteAt } from '../src/shared/calendar.ts'
import { demoDeals } from './deals.ts'

const minutesOf = (service: Service) => defaultSettings.services[service].minutes
const monthsBack = 12
/** More days than holidays and full days can close in a row. */
const patience = 14
const atOnce = 2
/** No appointment starts before a user who opens the demo has had time to look around, in minutes. */
const headStart = 90

export type DemoState = 'requested' | 'assigned' | 'done' | 'cancelled'
/** An appointment to create: of the customer `of`, on the first day from `from` on with an available assignee. */
type Wish = { service: Service; state: DemoState; from: string; of: number }
/** Times are epoch minutes; `person` is the index in the list of people. */
export type DemoVisit = {
  service: Service
  state: DemoState
  of: number
  person: number
  start: number
  bookedAt: number
  /** At an hour that nobody is offered: the manager booked it, with a reason. */
  isOutside: boolean
}

/** A planned appointment once it is booked. */
export type Booked = { visit: DemoVisit; id: string; customer: Actor; performer: Actor }

/** The epoch minute at which a visit's work is over. */
export const endOf = ({ service, start }: DemoVisit) => start + minutesOf(service) - 10

/**
 * The visits that the demo world shows at an epoch minute, one for each customer: a year back, and the week ahead. The
 * first one waits for the manager; the two after it are today, on whatever day and at whatever hour it is.
 */
const visits = (today: string): Pick<Wish, 'state' | 'from'>[] => [
  { state: 'requested', from: addDays(today, 2) },
  { state: 'assigned', from: today },
  { state: 'assigned', from: today },
  { state: 'assigned', from: addDays(today, 1) },
  { state: 'assigned', from: addDays(today, 2) },
  { state: 'requested', from: addDays(today, 3) },
  { state: 'requested', from: addDays(today, 4) },
  // At most two days in a row are closed: within the last four days there is always an open one that is over.
  { state: 'cancelled', from: addDays(today, -4) },
  { state: 'done', from: addDays(today, -4) },
  ...Array.from({ length: monthsBack }, (_, n) => monthBefore(today, n + 1)).flatMap((month) => [
    { state: 'done' as const, from: `${month}-20` },
    { state: 'done' as const, from: `${month}-08` },
  ]),
  // Their reports: one waits for the review, one was returned to its technician.
  { state: 'done', from: addDays(today, -5) },
  { state: 'done', from: addDays(today, -6) },
  // Their reports are approved: the first one waits for its quote, the others were quoted (deals.ts).
  ...[-7, -6, -8, -10, -9, -11, -20, -32, -28].map((days) => ({
    state: 'done' as const,
    from: addDays(today, days),
  })),
]

/** Those of today, by the customer's position in the list. */
const dueToday: readonly number[] = [1, 2]

/** Customers with more than one visit, by their position in the list. */
const installingSoon = 9
const installedLately = 43
/** With the number of months since the visit, on the month's 20th. */
const installed = [
  [11, 2],
  [13, 3],
  [17, 5],
  [21, 7],
  [27, 10],
] as const
const [callers, called] = [
  [13, 'distant'],
  [3, 15],
] as const

/** Appointments before or after visits. A customer with a call in the days ahead has no other appointment then. */
const others = (today: string): Wish[] => [
  { service: 'installation', state: 'assigned', from: addDays(today, 4), of: installingSoon },
  ...installed.map(([of, months]): Wish => {
    const from = addDays(`${monthBefore(today, months)}-20`, 12)
    return { service: 'installation', state: 'done', from, of }
  }),
  { service: 'installation', state: 'done', from: addDays(today, -12), of: installedLately },
  ...callers.map((of, n): Wish => {
    const from = addDays(today, n)
    return { service: 'videocall', state: 'assigned', from, of: of === 'distant' ? visitCount : of }
  }),
  ...called.map(
    (of, n): Wish => ({ service: 'videocall', state: 'done', from: addDays(today, -4 - 2 * n), of }),
  ),
]

const wishes = (today: string): Wish[] => [
  ...visits(today).map((wish, of): Wish => ({ service: 'technical_visit', of, ...wish })),
  ...others(today),
]

const monthBefore = (today: string, months: number) =>
  Temporal.PlainDate.from(today).subtract({ months }).toPlainYearMonth().toString()

/**
 * Plans the appointments in the zones of their customers, each where the engine offers a slot after the earlier ones,
 * and booked early enough for the notice.
 */
export function planVisits(crew: readonly PersonRow[], zones: readonly number[], now: number): DemoVisit[] {
  const today = localDate(now)
  const { offered, outside } = calendar(crew, now)
  return wishes(today).map(({ service, state, from, of }, n) => {
    const zone = service === 'videocall' ? noZone : zones[of]!
    const isDue = service === 'technical_visit' && dueToday.includes(of)
    const usual = isDue ? offered(service, zone, from, n, 1) : null
    const outsideHours = isDue && !usual ? outside(service, zone) : null
    const placed = usual ?? outsideHours ?? offered(service, zone, from, n)
    if (!placed) throw new Error(`The demo found no place for a visit from ${from} on`)
    const { person, start } = placed
    const bookedOn = [addDays(localDate(start), -daysBefore[service]), addDays(today, -1)].sort()[0]!
    // One customer after the other books, so that each is assigned before the next one comes.
    const bookedAt = minuteAt(bookedOn, '10:15') + n * minutesApart
    return { service, state, of, person, start, bookedAt, isOutside: outsideHours !== null }
  })
}

const minutesApart = 6

/** How many days before its start each is booked. */
const daysBefore: Record<Service, number> = { technical_visit: 3, installation: 5, videocall: 3 }

/** The visits whose reports come after the monthly ones, by the customer's position in the list. */
const [toRead, cameBack, toQuote] = [33, 34, 35]

/** Installed before installation records existed, by the customer's position in the list. */
const unrecorded: readonly number[] = [13, 17, 21, 27]

/** The state of a done visit's report, or of an installation's record; none of those that are older than reports. */
export function reportStateOf({ of, service }: DemoVisit): 'submitted' | 'approved' | 'returned' | null {
  if (service === 'installation') return unrecorded.includes(of) ? null : 'approved'
  if (of === toRead) return 'submitted'
  if (of === cameBack) return 'returned'
  return of === toQuote || demoDeals.has(of) ? 'approved' : null
}

/** Whether something came after a visit: a quote, or a call. */
export const isFollowed = ({ of }: DemoVisit) =>
  demoDeals.has(of) || [...callers, ...called].some((one) => one === of)

/** How many customers have a visit, on any day; the customer after them lives far away. */
export const visitCount = visits('2026-01-01').length

/** The calendar of all people, filled by one placement after the other; people and hours are used in turns. */
function calendar(crew: readonly PersonRow[], now: number) {
  const travel = defaultTravel()
  const taken: BusyRow[] = []
  const openFor = (service: Service, person: number, zone: number, days: readonly LocalDay[]) => {
    const mine = taken.filter((row) => row.person === person).map((row) => ({ ...row, person: 0 }))
    const ask = {
      service,
      zone,
      now,
      days,
      settings: defaultSettings,
      travel,
      promised: true,
    }
    return openSlots(rosterOf([crew[person]!]), busyOf(1, mine), ask)
  }
  const take = (service: Service, zone: number, person: number, start: number) => {
    taken.push({ person, zone, service, start, end: start + minutesOf(service) })
    return { person, start }
  }
  /** The first hour that is offered from a day on, within so many days. */
  const offered = (service: Service, zone: number, from: string, turn: number, within = patience) => {
    const able = [...crew.keys()].filter((person) => crew[person]!.kind === serviceFacts[service].by)
    const order = able.map((_, n) => able[(turn + n + 1) % able.length]!)
    // The first days nearly always have a slot: later days are searched only when they have none.
    for (let ahead = 0; ahead < within; ahead += atOnce) {
      const days = daysOn(addDays(from, ahead), Math.min(atOnce, within - ahead))
      const open = order.map((person) => openFor(service, person, zone, days))
      for (const day of days.keys())
        for (const [nth, person] of order.entries()) {
          const starts = open[nth]![day]!.starts.filter(
            (start) => from < localDate(now) || start >= now + headStart,
          )
          const start = starts[(turn * 3) % starts.length]
          if (start !== undefined) return take(service, zone, person, start)
        }
    }
    return null
  }
  /** An hour of today that is not offered, of the first technician: null after the first where the evening has no room. */
  const outside = (service: Service, zone: number) => {
    const person = crew.findIndex(({ kind }) => kind === serviceFacts[service].by)
    const before = taken.findLast((row) => row.person === person && localDate(row.start) === localDate(now))
    const start = before ? before.end + apart : lateStart(now)
    return before && start > minuteAt(localDate(now), latestSecond)
      ? null
      : take(service, zone, person, start)
  }
  return { offered, outside }
}

/** Between two visits outside the offered hours, in minutes, and the last start of a second one. */
const [apart, latestSecond] = [60, '19:00']

/** When a visit outside the offered hours starts: in time to look around, and if need be in the last minutes of the day. */
function lateStart(now: number): number {
  const at = (time: string) => minuteAt(localDate(now), time)
  const start = Math.max(at('09:00'), roundedUp(now + headStart, 30))
  if (start <= at('23:30')) return start
  return now < at('23:30') ? at('23:30') : Math.min(roundedUp(now + 1, 5), at('23:55'))
}

const roundedUp = (minute: number, step: number) => Math.ceil(minute / step) * step
