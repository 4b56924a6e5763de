import { betweenClocks, clockHands, clockText, clockWords, theClock } from '../domain/clock.ts'
import { monthNames, weekdayNames } from '../domain/options.ts'
import { quantityText, unitPriceText } from '../domain/quote-figures.ts'

// Words and separators are our own: ICU's Spanish differs between Node and browsers (narrow spaces, "sept"),
// which would break hydration. Intl only says what the clock and the calendar show in Mexico City.
const zone = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Mexico_City',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
})

type Day = { year: number; month: number; day: number }

/** Clocks change on the hour, and Intl is slow: what it says for the first minute of an hour holds for all of them. */
const hours = new Map<number, Day & { hour: number }>()
const anHour = 3_600_000
const remembered = 20_000

function clockOf(at: Date): Day & { hour: number; minute: number } {
  const hour = Math.floor(at.getTime() / anHour)
  const known = hours.get(hour) ?? shownAt(new Date(hour * anHour))
  if (hours.size >= remembered) hours.clear()
  hours.set(hour, known)
  return { ...known, minute: at.getUTCMinutes() }
}

function shownAt(at: Date): Day & { hour: number; minute: number } {
  const shown = { year: 0, month: 0, day: 0, hour: 0, minute: 0 }
  for (const { type, value } of zone.formatToParts(at))
    if (type in shown) shown[type as keyof Day] = Number(value)
  return shown
}

const weekday = ({ year, month, day }: Day) =>
  weekdayNames[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]!.toLowerCase()
const monthName = ({ month }: Day) => monthNames[month - 1]!.toLowerCase()
const short = (name: string) => name.slice(0, 3)
const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Minutes after midnight that the clock shows. */
function shownMinute(at: Date): number {
  const { hour, minute } = clockOf(at)
  return hour * 60 + minute
}

/** "4:30 p. m." */
export const time = (at: Date) => clockWords(shownMinute(at))

/** "4:30 p. m.", of an epoch minute. */
export const minuteTime = (minute: number) => time(new Date(minute * 60_000))
/** "4:00", of an epoch minute. */
export const minuteHands = (minute: number) => timeHands(new Date(minute * 60_000))

/** "A las 4:30 p. m.", "A la 1:00 p. m." */
export const atTime = (at: Date) => `A ${theTime(at)}`
/** "las 4:30 p. m.", "la 1:00 p. m." */
export const theTime = (at: Date) => theClock(shownMinute(at))

/** "sáb 21 nov 2026, 4:30 p. m." */
export function dateTime(at: Date): string {
  return `${shortDate(at)}, ${time(at)}`
}

/** "martes 24 de noviembre de 2026", of a moment or of a local date (2026-11-24). */
export function longDate(date: Date | string): string {
  const day = typeof date === 'string' ? dayOf(date) : clockOf(date)
  return `${weekday(day)} ${day.day} de ${monthName(day)} de ${day.year}`
}

function dayOf(localDate: string): Day {
  const [year = 0, month = 0, day = 0] = localDate.split('-').map(Number)
  return { year, month, day }
}

/** "mar 24 nov 2026", of a moment or of a local date. */
export function shortDate(date: Date | string): string {
  const day = typeof date === 'string' ? dayOf(date) : clockOf(date)
  return `${short(weekday(day))} ${day.day} ${short(monthName(day))} ${day.year}`
}

const isMidnight = (at: Date) => clockOf(at).hour === 0 && clockOf(at).minute === 0

/** A stretch of time, its end not included: "mar 24 nov 2026", "mar 24 nov 2026 a jue 26 nov 2026" where it is whole days,
 * else with hours: "mar 24 nov 2026, 9:00 a. m. a 2:00 p. m." */
export function dateSpan(from: Date, to: Date): string {
  const last = new Date(to.getTime() - 1)
  const isOneDay = localDay(from) === localDay(last)
  if (isMidnight(from) && isMidnight(to))
    return isOneDay ? shortDate(from) : `${shortDate(from)} a ${shortDate(last)}`
  return `${dateTime(from)} a ${isOneDay ? time(to) : dateTime(to)}`
}

/** "24/11/2026", of a moment: for spreadsheets. */
export function numericDate(at: Date): string {
  const { year, month, day } = clockOf(at)
  return `${twoDigits(day)}/${twoDigits(month)}/${year}`
}

/** The local date of a moment, as 2026-11-24. */
export function localDay(at: Date): string {
  const { year, month, day } = clockOf(at)
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`
}

/** "mar", of a local date. */
export const weekdayShort = (localDate: string) => short(weekday(dayOf(localDate)))
/** The column of a local date in a week that begins on Monday, from 0. */
export const weekdayColumn = (localDate: string) => (new Date(`${localDate}T00:00:00Z`).getUTCDay() + 6) % 7
/** "24", of a local date. */
export const dayNumber = (localDate: string) => String(dayOf(localDate).day)
/** "dic" */
export const monthShort = (localDate: string) => short(monthName(dayOf(localDate)))
/** "Noviembre 2026", of a local date. */
export const monthAndYear = (localDate: string) =>
  `${monthNames[dayOf(localDate).month - 1]} ${dayOf(localDate).year}`
/** "Diciembre 2025 a noviembre 2026", of months in order, each as "2025-12". */
export const periodWords = (months: readonly string[]) =>
  `${monthAndYear(`${months[0]}-01`)} a ${monthAndYear(`${months.at(-1)}-01`).toLowerCase()}`

/** "09:30", of minutes after midnight, as boxes for a time take it; the end of a day is "00:00". */
export const wallClock = (minutes: number) => clockText(minutes % 1440)
/** "09:30", of a moment, as boxes for a time take it. */
export const wallTime = (at: Date) => wallClock(shownMinute(at))
/** "Lunes", of a weekday that begins with 0 on Monday. */
export const weekdayName = (weekday: number) => weekdayNames[(weekday + 1) % 7]!

/** "4:30", for lists that already say morning or afternoon. */
export const timeHands = (at: Date) => clockHands(shownMinute(at))
/** Before noon in Mexico City. */
export const isMorning = (at: Date) => clockOf(at).hour < 12

/** What a customer is promised: "Llega entre 10:00 y 10:30 a. m." */
export const arrivalWindow = (start: Date, minutes: number) =>
  `Llega ${betweenClocks(shownMinute(start), shownMinute(new Date(start.getTime() + minutes * 60_000)))}`

/** "1 h 35 min", of whole minutes. */
export function duration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (!hours) return `${rest} min`
  return rest ? `${hours} h ${rest} min` : `${hours} h`
}

const minute = 60_000
const units = [
  [365 * 24 * 60 * minute, 'año', 'años'],
  [30 * 24 * 60 * minute, 'mes', 'meses'],
  [24 * 60 * minute, 'día', 'días'],
  [60 * minute, 'hora', 'horas'],
  [minute, 'minuto', 'minutos'],
] as const

/** "hace 1 día" or "en 2 horas", in whole units of elapsed time; "hace un momento" within a minute. */
export function relative(at: Date, now: Date): string {
  const elapsed = now.getTime() - at.getTime()
  const far = Math.abs(elapsed)
  const unit = units.find(([size]) => far >= size)
  if (!unit) return elapsed >= 0 ? 'hace un momento' : 'en un momento'
  const count = Math.floor(far / unit[0])
  return `${elapsed > 0 ? 'hace' : 'en'} ${count} ${count === 1 ? unit[1] : unit[2]}`
}

/** "1,234,567"; decimals are kept as they are. */
export function thousands(value: number): string {
  const [whole = '', decimals] = String(value).split('.')
  const grouped = whole.replace(/\B(?=(\d{3}){1,6}$)/g, ',')
  return decimals === undefined ? grouped : `${grouped}.${decimals}`
}

/** "850 kB", "1.2 MB" */
export const fileSize = (bytes: number) =>
  bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))}\u00a0kB`
    : `${(bytes / 1_000_000).toFixed(1)}\u00a0MB`

/** "$12,345.00", of whole centavos. */
export function money(centavos: number): string {
  const size = Math.abs(centavos)
  return `${centavos < 0 ? '-' : ''}$${thousands(Math.floor(size / 100))}.${twoDigits(size % 100)}`
}

/** "$68.00", "$9,482.7586", of whole ten-thousandths of a peso: the price of one unit. */
export const unitPrice = (tenThousandths: number) => `$${grouped(unitPriceText(tenThousandths))}`
/** "1,250.5", of whole thousandths. */
export const quantity = (thousandths: number) => grouped(quantityText(thousandths))
const grouped = (figure: string) => figure.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',')

/** "12345.00", of whole centavos: for spreadsheets. */
export const plainAmount = (centavos: number) =>
  `${centavos < 0 ? '-' : ''}${Math.floor(Math.abs(centavos) / 100)}.${twoDigits(Math.abs(centavos) % 100)}`

/** "$850", "$12 mil", "$1.2 M", of centavos: for the axis of a chart. */
export function roughMoney(centavos: number): string {
  const pesos = Math.abs(centavos) / 100
  const sign = centavos < 0 ? '-' : ''
  if (pesos < 10_000) return `${sign}$${thousands(Math.round(pesos))}`
  return pesos < 1_000_000
    ? `${sign}$${thousands(Math.round(pesos / 100) / 10)} mil`
    : `${sign}$${thousands(Math.round(pesos / 100_000) / 10)} M`
}

/** "12.5 %", of whole hundredths of a percent. */
export const percent = (hundredths: number) => `${thousands(hundredths / 100)} %`

/** "551 234 56 78", of ten digits; anything else comes back as it is. */
export const formatPhone = (phone: string) => phone.replace(/^(\d{3})(\d{3})(\d{2})(\d{2})$/, '$1 $2 $3 $4')

/** The address that calls a phone of ten digits. */
export const telLink = (phone: string) => `tel:+52${phone}`

/** The address that opens WhatsApp with a message for whomever one picks there. */
export const whatsappShare = (message: string) => `https://wa.me/?text=${encodeURIComponent(message)}`

/** The address that opens a WhatsApp chat with a phone of ten digits, with a first message if given. */
export const whatsappLink = (phone: string, message = '') =>
  `https://wa.me/52${phone}${message && `?text=${encodeURIComponent(message)}`}`
