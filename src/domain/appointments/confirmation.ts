import type { Settings } from '../settings/settings-schema.ts'
import { addDays, localDate, minuteAt, toDate, toMinutes } from '../shared/calendar.ts'

/** The assignee must be notified at least this long before the start. */
const LAST_MINUTES = 60

/** When a provisional assignment that nobody confirmed is confirmed by the product: at the set time of the evening before, or some
 * hours after the booking when that evening has passed; never later than an hour before the start. */
export function confirmsAt(
  bookedAt: Date,
  startsAt: Date,
  { autoConfirmAfterHours, autoConfirmAt }: Settings,
): Date {
  const [booked, start] = [toMinutes(bookedAt), toMinutes(startsAt)]
  const evening = minuteAt(addDays(localDate(start), -1), autoConfirmAt)
  const due = booked < evening ? evening : booked + autoConfirmAfterHours * 60
  return toDate(Math.max(booked, Math.min(due, start - LAST_MINUTES)))
}
