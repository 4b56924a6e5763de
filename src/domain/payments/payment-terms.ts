import { addDays, dayOf, localDate, minuteAt, toDate, toMinutes } from '../shared/calendar.ts'
import { isHoliday } from '../shared/holidays.ts'

/** How long after the hand-over the balance may be paid. */
export const balanceDueDays = 3
/** How long before a payment is due its customer is reminded. */
export const remindHoursBefore = 24
/** Working days after accepting in which everything is refunded. */
export const fullRefundDays = 5

const isWorkday = (date: string, holidays: readonly string[]) =>
  dayOf(minuteAt(date, '12:00')).weekday < 5 && !isHoliday(date, holidays)

/** The last moment at which a quote that was accepted then can be cancelled with everything given back: the end of the fifth working day after. */
export function fullRefundUntil(acceptedAt: Date, holidays: readonly string[]): Date {
  let date = localDate(toMinutes(acceptedAt))
  for (let left = fullRefundDays; left > 0; ) {
    date = addDays(date, 1)
    if (isWorkday(date, holidays)) left--
  }
  return toDate(minuteAt(addDays(date, 1), '00:00'))
}
