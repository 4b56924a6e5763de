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
  /**
   * The value to add to a wall-clock minute. Computed back from noon, since clocks change at night: right for all
   * working hours.
   */
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

/** Whether two moments are on one day in Mexico City. */
export const areSameDay = (one: Date, other: Date): boolean =>
  localDate(toMinutes(one)) === localDate(toMinutes(other))

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

const MONDAY = 1

/** ISO date of the n-th Monday of a month. Date.UTC is pure arithmetic: the machine's zone plays no part. */
function monday(nth: number, year: number, month: number): string {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  return iso(year, month, 1 + ((MONDAY - first + 7) % 7) + (nth - 1) * 7)
}

const iso = (year: number, month: number, day: number) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** Mexico's statutory days of rest in a year (Ley Federal del Trabajo, art. 74), as ISO dates in order. Election days are not
 * among them: they are set by electoral law, and the manager adds them. */
export function statutoryHolidays(year: number): string[] {
  const handover = year >= 2024 && (year - 2024) % 6 === 0 ? [iso(year, 10, 1)] : []
  return [
    iso(year, 1, 1),
    monday(1, year, 2),
    monday(3, year, 3),
    iso(year, 5, 1),
    iso(year, 9, 16),
    ...handover,
    monday(3, year, 11),
    iso(year, 12, 25),
  ]
}

/** Whether a local date is a day off: a statutory holiday or one of the company's own. */
export const isHoliday = (date: string, own: readonly string[]) =>
  own.includes(date) || statutoryHolidays(Number(date.slice(0, 4))).includes(date)

/** A moment as whole seconds since 1970, rounded down. */
export const epochSeconds = (moment: Date) => Math.floor(moment.getTime() / 1000)

/** The moment that many seconds after 1970. */
export const fromEpochSeconds = (seconds: number) => new Date(seconds * 1000)

/** The two reminders before an appointment, the nearer one last. */
export const reminders = ['reminder_24h', 'reminder_2h'] as const
export type Reminder = (typeof reminders)[number]

const hoursBefore: Record<Reminder, number> = { reminder_24h: 24, reminder_2h: 2 }

/** Quiet hours: reminders, offers and digests are not sent between these times. */
const quietFrom = 21 * 60
const quietUntil = 8 * 60

/** When a reminder is sent that would fall into the quiet hours: the evening before them. */
const eveningBefore = '20:30'

/** Whether an epoch minute is in the quiet hours. */
export const isQuiet = (minute: number) => wallMinute(minute) >= quietFrom || wallMinute(minute) < quietUntil

/** The first moment outside the quiet hours: this one, or eight o'clock in the morning. */
export function outsideQuietHours(at: Date): Date {
  const minute = toMinutes(at)
  if (!isQuiet(minute)) return at
  const today = localDate(minute)
  const morning = wallMinute(minute) < quietUntil ? today : addDays(today, 1)
  return toDate(minuteAt(morning, '08:00'))
}

/** When a reminder is sent. */
export const remindAt = (startsAt: Date, kind: Reminder): Date =>
  beforeQuietHours(toMinutes(startsAt) - hoursBefore[kind] * 60)

/** A moment, as an epoch minute; one in the quiet hours is moved before them, never after, when it would be late. */
export function beforeQuietHours(minute: number): Date {
  if (!isQuiet(minute)) return toDate(minute)
  const today = localDate(minute)
  return toDate(minuteAt(wallMinute(minute) < quietUntil ? addDays(today, -1) : today, eveningBefore))
}

type Awaited = {
  startsAt: Date
  /** When this start was chosen: at booking, or with the last move. */
  timeSetAt: Date
  reminded: Record<Reminder, boolean>
}

/**
 * The reminder to send now, or null. One whose moment had passed when the time was chosen is skipped; of two due
 * reminders only the nearer one is sent, and none in the quiet hours or after the start.
 */
export function dueReminder({ startsAt, timeSetAt, reminded }: Awaited, now: Date): Reminder | null {
  if (startsAt <= now || isQuiet(toMinutes(now))) return null
  const due = reminders.filter((kind) => {
    const moment = remindAt(startsAt, kind)
    return moment <= now && moment > timeSetAt
  })
  const nearest = due.at(-1)
  return nearest && !reminded[nearest] ? nearest : null
}

/** The earliest a reminder is sent before its appointment, in hours: a day, plus the night that it would fall into. */
export const earliestReminderHours = 24 + 12
