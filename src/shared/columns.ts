import { dayIn, localDay, time, timeHands, wallTime } from './format.ts'

/** "lun 30, 9:00", broken only before its hour: the month where that is not the month of `now`, the half of the day at night. */
export function briefTime(at: Date, now: Date): string {
  const isThisMonth = localDay(at).slice(0, 7) === localDay(now).slice(0, 7)
  const day = isThisMonth ? dayIn(at, now).slice(0, -4) : dayIn(at, now)
  const clock = wallTime(at)
  const hour = clock >= '07:00' && clock < '19:00' ? timeHands(at) : time(at)
  return `${day.replaceAll(' ', '\u00a0')}, ${hour}`
}

/** "VT-00192", of "VT-2026-00192": without the year where that is the year of `now`. */
export const shortFolio = (folio: string, now: Date) => folio.replace(`-${localDay(now).slice(0, 4)}-`, '-')
