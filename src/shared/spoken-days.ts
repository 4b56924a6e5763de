import { daysUntil, localDay, longDate, monthNames, theTime } from './format.ts'

const isoDay = (date: Date | string) => (typeof date === 'string' ? date : localDay(date))
const partsOf = (at: Date) => localDay(at).split('-') as [year: string, month: string, day: string]

/** "martes 24 de noviembre", and its year only where that is not the year of `now`. */
export function dayOfYear(date: Date | string, now: Date): string {
  const words = longDate(date)
  return isoDay(date).slice(0, 4) === localDay(now).slice(0, 4) ? words.slice(0, -' de 2026'.length) : words
}

/** "Hoy", "Mañana", "El jueves 26 de noviembre": the beginning of a sentence, by the days of Mexico City. */
export function spokenDay(at: Date, now: Date): string {
  const days = daysUntil(at, now)
  return days === 0 ? 'Hoy' : days === 1 ? 'Mañana' : `El ${dayOfYear(at, now)}`
}

/** "Hoy, lunes 23 de noviembre", "Mañana, martes 24 de noviembre", "Jueves 26 de noviembre": a heading. */
export function dayHeading(at: Date, now: Date): string {
  const days = daysUntil(at, now)
  const date = dayOfYear(at, now)
  if (days === 0 || days === 1) return `${days === 0 ? 'Hoy' : 'Mañana'}, ${date}`
  return date.charAt(0).toUpperCase() + date.slice(1)
}

/** "hasta las 4:05 p. m."; where that is not today "hasta el martes 24 de noviembre a las 4:05 p. m." */
export const untilMoment = (at: Date, now: Date) =>
  `hasta ${daysUntil(at, now) === 0 ? '' : `el ${dayOfYear(at, now)} a `}${theTime(at)}`

/** Since when something is so: "hoy", "el 5 de noviembre" of this month, "febrero", "febrero de 2025". */
export function sinceWhen(at: Date, now: Date): string {
  const [year, month, day] = partsOf(at)
  const today = partsOf(now)
  const name = monthNames[Number(month) - 1]!.toLowerCase()
  if (year !== today[0]) return `${name} de ${year}`
  if (month !== today[1]) return name
  return day === today[2] ? 'hoy' : `el ${Number(day)} de ${name}`
}
