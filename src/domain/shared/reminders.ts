import { addDays, localDate, minuteAt, toDate, toMinutes, wallMinute } from './calendar.ts'

/** The two letters before an appointment, the nearer one last. */
export const reminders = ['reminder_24h', 'reminder_2h'] as const
export type Reminder = (typeof reminders)[number]

const hoursBefore: Record<Reminder, number> = { reminder_24h: 24, reminder_2h: 2 }

/** Quiet hours: reminders, offers and digests are not sent between these times. */
const quietFrom = 21 * 60
const quietUntil = 8 * 60
/** When a reminder leaves that would fall into the quiet hours: the evening before them. */
const eveningBefore = '20:30'

/** Of an epoch minute. */
export const isQuiet = (minute: number) => wallMinute(minute) >= quietFrom || wallMinute(minute) < quietUntil

/** The first moment from this one on outside the quiet hours: itself, or the morning's eight o'clock. */
export function outsideQuietHours(at: Date): Date {
  const minute = toMinutes(at)
  if (!isQuiet(minute)) return at
  const today = localDate(minute)
  const morning = wallMinute(minute) < quietUntil ? today : addDays(today, 1)
  return toDate(minuteAt(morning, '08:00'))
}

/** When a reminder leaves. */
export const remindAt = (startsAt: Date, kind: Reminder): Date =>
  beforeQuietHours(toMinutes(startsAt) - hoursBefore[kind] * 60)

/** A moment, as an epoch minute; one that falls into the quiet hours comes before them, never after: it would be late. */
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
 * The reminder to send now, or null. Whose moment had passed when the time was chosen is not sent at all; of two that
 * are due only the nearer one is, and nothing goes out in the quiet hours or once it has begun.
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

/** The longest a reminder can leave before its appointment, in hours: a day, and the night it would fall into. */
export const earliestReminderHours = 24 + 12
