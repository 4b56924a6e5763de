/** The only local time of the product, whatever the zone of the machine. */
export const timeZone = 'America/Mexico_City'

/** A local day. Minutes are epoch minutes, UTC. */
export type LocalDay = {
  date: string
  /** 0 is Monday, 6 is Sunday: the order of shifts and opening hours. */
  weekday: number
  start: number
  /** The next day's start; on a day when clocks change, not 1,440 minutes later. */
  end: number
  /** What to add to a wall-clock minute. Counted back from noon, for clocks change at night: right for all working hours. */
  base: number
}

/** Whole epoch minutes of an instant, rounded down. */
export const toMinutes = (instant: Date) => Math.floor(instant.getTime() / 60_000)
/** The instant of an epoch minute. */
export const toDate = (minute: number) => new Date(minute * 60_000)

const localAt = (minute: number) =>
  Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toZonedDateTimeISO(timeZone)
const minuteOf = (time: Temporal.ZonedDateTime) => Math.floor(time.epochMilliseconds / 60_000)

/** The local date of an epoch minute, as 2026-11-24. */
export const localDate = (minute: number): string => localAt(minute).toPlainDate().toString()

/** Minutes shown by the wall clock since local midnight. */
export function wallMinute(minute: number): number {
  const time = localAt(minute)
  return time.hour * 60 + time.minute
}

/** The date some days later (or earlier). */
export const addDays = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString()

/** The epoch minute at which the wall clock shows a time such as 18:00 on a local date. */
export const minuteAt = (date: string, time: string): number =>
  minuteOf(Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timeZone))

function dayFrom(date: Temporal.PlainDate, start: number, end: number): LocalDay {
  const noon =
    end - start === 1440 ? start + 720 : minuteOf(date.toZonedDateTime({ timeZone, plainTime: '12:00' }))
  return { date: date.toString(), weekday: date.dayOfWeek - 1, start, end, base: noon - 720 }
}

/** Consecutive local days from a date on. */
export function daysOn(first: string, count: number): LocalDay[] {
  const days: LocalDay[] = []
  let date = Temporal.PlainDate.from(first)
  let start = minuteOf(date.toZonedDateTime(timeZone))
  for (let n = 0; n < count; n++) {
    const next = date.add({ days: 1 })
    const end = minuteOf(next.toZonedDateTime(timeZone))
    days.push(dayFrom(date, start, end))
    date = next
    start = end
  }
  return days
}

/** The local day an epoch minute falls on. */
export const dayOf = (minute: number): LocalDay => daysOn(localDate(minute), 1)[0]!

/** Consecutive local days, the first being the one that contains `now` (epoch minutes). */
export const daysFrom = (now: number, count: number): LocalDay[] => daysOn(localDate(now), count)
