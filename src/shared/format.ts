// How values are written for people: screens, e-mails, papers and messages of the rules. Words and separators are our
// own: ICU's Spanish differs between Node and browsers (narrow spaces, "sept"), which would break hydration. Intl is
// only used for clocks and calendars: those of Mexico City, and the reader's own.

export const weekdayNames = [
  'Domingo',
  'Lunes',
  'Martes',
  'Miércoles',
  'Jueves',
  'Viernes',
  'Sábado',
] as const

export const monthNames = [
  'Enero',
  'Febrero',
  'Marzo',
  'Abril',
  'Mayo',
  'Junio',
  'Julio',
  'Agosto',
  'Septiembre',
  'Octubre',
  'Noviembre',
  'Diciembre',
] as const

const clockOfZone = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })

const zone = clockOfZone('America/Mexico_City')

type Day = { year: number; month: number; day: number }
type Clock = Day & { hour: number; minute: number }

/**
 * Clocks change on the hour, and Intl is slow: its result for the first minute of an hour is cached for the whole hour.
 */
const hours = new Map<number, Clock>()
const HOUR_MS = 3_600_000
const MAX_HOURS = 20_000

function clockOf(at: Date): Clock {
  const hour = Math.floor(at.getTime() / HOUR_MS)
  const known = hours.get(hour) ?? readClock(new Date(hour * HOUR_MS))
  if (hours.size >= MAX_HOURS) hours.clear()
  hours.set(hour, known)
  return { ...known, minute: at.getUTCMinutes() }
}

function readClock(at: Date, by = zone): Clock {
  const shown = { year: 0, month: 0, day: 0, hour: 0, minute: 0 }
  for (const { type, value } of by.formatToParts(at))
    if (type in shown) shown[type as keyof Clock] = Number(value)
  return shown
}

/** Minutes after midnight that the clock shows. */
function minuteOfDay(at: Date): number {
  const { hour, minute } = clockOf(at)
  return hour * 60 + minute
}

function dayOf(date: Date | string): Day {
  if (typeof date !== 'string') return clockOf(date)
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return { year, month, day }
}

const weekday = ({ year, month, day }: Day) =>
  weekdayNames[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]!.toLowerCase()
const monthName = ({ month }: Day) => monthNames[month - 1]!.toLowerCase()
const short = (name: string) => name.slice(0, 3)
const twoDigits = (value: number) => String(value).padStart(2, '0')

// Times of a minute after midnight.

/** "09:30", of a minute after midnight, as time inputs take it; the end of a day is "00:00". */
export const clockText = (minute: number) =>
  `${twoDigits(Math.floor(minute / 60) % 24)}:${twoDigits(minute % 60)}`

/** The minute after midnight of "9:30", "09:30" or "9:30 p. m.", or null when it is no time. */
export function minuteOfClock(typed: string): number | null {
  const [, hour, minute, half] = /^(\d{1,2}):([0-5]\d)(?::00)?\s?(?:([ap])\.?\s?m\.?)?$/i.exec(typed) ?? []
  if (hour === undefined) return null
  const shown = Number(hour)
  if (half === undefined) return shown > 23 ? null : shown * 60 + Number(minute)
  if (shown < 1 || shown > 12) return null
  return ((shown % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + Number(minute)
}

const clockHands = (minute: number) => `${Math.floor(minute / 60) % 12 || 12}:${twoDigits(minute % 60)}`
/** A non-breaking space keeps both letters on one line. */
const dayPeriod = (minute: number) => (minute % 1440 < 720 ? 'a.\u00a0m.' : 'p.\u00a0m.')

/** "9:30 a. m.", of a minute after midnight; the end of a day is "12:00 a. m.". */
export const clockWords = (minute: number) => `${clockHands(minute)} ${dayPeriod(minute)}`

/** The same with its article: "las 9:30 a. m.", "la 1:00 p. m.". */
export const theClock = (minute: number) =>
  `${Math.floor(minute / 60) % 12 === 1 ? 'la' : 'las'} ${clockWords(minute)}`

// Moments and local dates (2026-11-24).

/** "4:30 p. m." */
export const time = (at: Date) => clockWords(minuteOfDay(at))
/** "las 4:30 p. m.", "la 1:00 p. m." */
export const theTime = (at: Date) => theClock(minuteOfDay(at))
/** "A las 4:30 p. m.", "A la 1:00 p. m." */
export const atTime = (at: Date) => `A ${theTime(at)}`
/** Behind the hour of a call, which is also made from other time zones. */
export const centralZone = 'hora del centro de México'

/**
 * "10:00 a. m. para ti", of a moment read in another time zone, with its day where that differs; null where its clocks
 * show what those of central Mexico show.
 */
export function hourIn(timeZone: string, at: Date): string | null {
  const own = readClock(at, clockOfZone(timeZone))
  const central = readClock(at)
  const isSameDay = own.day === central.day
  if (isSameDay && own.hour === central.hour && own.minute === central.minute) return null
  const day = isSameDay ? '' : `${short(weekday(own))} ${own.day}, `
  return `${day}${clockWords(own.hour * 60 + own.minute)} para ti`
}

/** The time zone of whoever runs this: in a browser, its user's. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** "4:30", for lists that already say morning or afternoon. */
export const timeHands = (at: Date) => clockHands(minuteOfDay(at))
/** "09:30", as time inputs take it. */
export const wallTime = (at: Date) => clockText(minuteOfDay(at))
/** "4:30 p. m.", of an epoch minute. */
export const minuteTime = (minute: number) => time(new Date(minute * 60_000))
/** "4:00", of an epoch minute. */
export const minuteHands = (minute: number) => timeHands(new Date(minute * 60_000))
/** Whether a moment is before noon. */
export const isMorning = (at: Date) => clockOf(at).hour < 12

/** "entre 10:00 y 10:30 a. m.": within how many minutes of a start somebody arrives. */
export function arrivalHours(start: Date, minutes: number): string {
  const from = minuteOfDay(start)
  const to = minuteOfDay(new Date(start.getTime() + minutes * 60_000))
  const first = dayPeriod(from) === dayPeriod(to) ? clockHands(from) : clockWords(from)
  return `entre ${first} y ${clockWords(to)}`
}

/** The arrival window promised to a customer: "Llegamos entre 10:00 y 10:30 a. m." */
export const arrivalWindow = (start: Date, minutes: number) => `Llegamos ${arrivalHours(start, minutes)}`

/** From 7:00 to 18:59 people say the hour alone: nobody understands the other half of the day. */
const isSaidAlone = (minute: number) => minute >= 7 * 60 && minute < 19 * 60

/** The hour of a promise within a sentence: "entre 9:00 y 9:30", "a las 12:00"; with its half of the day at night. */
export function promisedHour(start: Date, minutes: number): string {
  const from = minuteOfDay(start)
  const to = from + minutes
  if (!isSaidAlone(from) || !isSaidAlone(to))
    return minutes > 0 ? arrivalHours(start, minutes) : `a ${theClock(from)}`
  if (minutes > 0) return `entre ${clockHands(from)} y ${clockHands(to)}`
  return `a ${clockHands(from).startsWith('1:') ? 'la' : 'las'} ${clockHands(from)}`
}

/** "sáb 21 nov 2026, 4:30 p. m." */
export const dateTime = (at: Date) => `${shortDate(at)}, ${time(at)}`
/** "sábado 21 de noviembre de 2026, 4:30 p. m." */
/** When something was done on a phone and, where it came later, when: "lun 9 nov 2026, 6:01 a. m. · llegó 6:04 a. m." */
export const doneAndArrived = (done: Date, arrived: Date) =>
  Math.floor(done.getTime() / 60_000) === Math.floor(arrived.getTime() / 60_000)
    ? dateTime(done)
    : `${dateTime(done)} · llegó ${daysUntil(arrived, done) === 0 ? time(arrived) : dateTime(arrived)}`

export const longDateTime = (at: Date) => `${longDate(at)}, ${time(at)}`

/** "martes 24 de noviembre de 2026", of a moment or of a local date. */
export function longDate(date: Date | string): string {
  const day = dayOf(date)
  return `${weekday(day)} ${day.day} de ${monthName(day)} de ${day.year}`
}

/** "mar 24 nov 2026", of a moment or of a local date. */
export function shortDate(date: Date | string): string {
  const day = dayOf(date)
  return `${short(weekday(day))} ${day.day} ${short(monthName(day))} ${day.year}`
}

/** "mar 24 nov", and its year only where that is not the year of `now`: for lists. */
export function dayIn(date: Date | string, now: Date): string {
  const words = shortDate(date)
  return dayOf(date).year === dayOf(now).year ? words.slice(0, -5) : words
}
/** "mar 24 nov, 4:30 p. m.", its year as `dayIn` says it. */
export const dayTimeIn = (at: Date, now: Date) => `${dayIn(at, now)}, ${time(at)}`

/** The local days from `now` to a moment: 0 today, 1 tomorrow, -1 yesterday. */
export const daysUntil = (at: Date, now: Date) =>
  (Date.parse(localDay(at)) - Date.parse(localDay(now))) / 86_400_000

/** "Guardado a las 9:12 a. m.", and of an earlier day: "Guardado el mar 24 nov a las 9:12 a. m." */
export const keptAt = (at: Date) => ({
  today: `Guardado a ${theTime(at)}`,
  later: `Guardado el ${dayIn(at, at)} a ${theTime(at)}`,
})

/** A label within a sentence: "Trámite ante CFE" as "trámite ante CFE". */
export const lowerFirst = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

/** "24/11/2026", of a moment or of a local date: for spreadsheets and tables on paper. */
export function numericDate(date: Date | string): string {
  const { year, month, day } = dayOf(date)
  return `${twoDigits(day)}/${twoDigits(month)}/${year}`
}

/** The local date of a moment, as 2026-11-24. */
export function localDay(at: Date): string {
  const { year, month, day } = clockOf(at)
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`
}

const isMidnight = (at: Date) => minuteOfDay(at) === 0

/**
 * A period, its end excluded: "mar 24 nov 2026", "mar 24 nov 2026 a jue 26 nov 2026" for whole days, else with hours:
 * "mar 24 nov 2026, 9:00 a. m. a 2:00 p. m."
 */
export function dateSpan(from: Date, to: Date): string {
  const last = new Date(to.getTime() - 1)
  const isOneDay = localDay(from) === localDay(last)
  if (isMidnight(from) && isMidnight(to))
    return isOneDay ? shortDate(from) : `${shortDate(from)} a ${shortDate(last)}`
  return `${dateTime(from)} a ${isOneDay ? time(to) : dateTime(to)}`
}

/** "mar", of a local date. */
export const weekdayShort = (localDate: string) => short(weekday(dayOf(localDate)))
/** The column of a local date in a week that begins on Monday, from 0. */
export const weekdayColumn = (localDate: string) => (new Date(`${localDate}T00:00:00Z`).getUTCDay() + 6) % 7
/** "Lunes", of a weekday that begins with 0 on Monday. */
export const weekdayName = (weekday: number) => weekdayNames[(weekday + 1) % 7]!
/** "24", of a local date. */
export const dayNumber = (localDate: string) => String(dayOf(localDate).day)
/** "dic", of a local date. */
export const monthShort = (localDate: string) => short(monthName(dayOf(localDate)))
/** "Noviembre 2026", of a local date: a title. */
export const monthAndYear = (localDate: string) =>
  `${monthNames[dayOf(localDate).month - 1]} ${dayOf(localDate).year}`
/** "noviembre de 2026", of a local date: inside a sentence. */
export const longMonth = (localDate: string) => `${monthName(dayOf(localDate))} de ${dayOf(localDate).year}`
/** "Diciembre 2025 a noviembre 2026", of months in order, each as "2025-12". */
export const periodWords = (months: readonly string[]) =>
  `${monthAndYear(`${months[0]}-01`)} a ${monthAndYear(`${months.at(-1)}-01`).toLowerCase()}`

// Durations.

/** "1 h 35 min", of whole minutes. */
export function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (!hours) return `${rest}\u00a0min`
  return rest ? `${hours}\u00a0h ${rest}\u00a0min` : `${hours}\u00a0h`
}

/** A waiting time, rounded up: "45 segundos", "3 minutos", "1 hora". */
export function waitInWords(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds))
  if (whole <= 90) return counted(whole, 'segundo', 'segundos')
  const minutes = Math.ceil(whole / 60)
  return minutes <= 90
    ? counted(minutes, 'minuto', 'minutos')
    : counted(Math.ceil(minutes / 60), 'hora', 'horas')
}

const MINUTE_MS = 60_000
const units = [
  [365 * 24 * 60 * MINUTE_MS, 'año', 'años'],
  [30 * 24 * 60 * MINUTE_MS, 'mes', 'meses'],
  [24 * 60 * MINUTE_MS, 'día', 'días'],
  [60 * MINUTE_MS, 'hora', 'horas'],
  [MINUTE_MS, 'minuto', 'minutos'],
] as const

/** "hace 1 día" or "en 2 horas", in whole units of elapsed time; "hace un momento" within a minute. */
export function relative(at: Date, now: Date): string {
  const elapsed = now.getTime() - at.getTime()
  const unit = units.find(([size]) => Math.abs(elapsed) >= size)
  if (!unit) return elapsed >= 0 ? 'hace un momento' : 'en un momento'
  const [size, one, many] = unit
  return `${elapsed > 0 ? 'hace' : 'en'} ${counted(Math.floor(Math.abs(elapsed) / size), one, many)}`
}

/** "hoy", "mañana", "en 7 días": the local days until a moment that has not passed, as a calendar counts them. */
export function untilDay(at: Date, now: Date): string {
  const days = daysUntil(at, now)
  return days < 1 ? 'hoy' : days === 1 ? 'mañana' : `en ${days} días`
}

// Numbers and money.

function grouped(figure: string): string {
  const [whole = '', decimals] = figure.split('.')
  const groups = whole.replace(/\B(?=(\d{3}){1,6}$)/g, ',')
  return decimals === undefined ? groups : `${groups}.${decimals}`
}

/** "1,234,567"; decimals are kept as they are. */
export const thousands = (value: number) => grouped(String(value))
/** "1,234.5": at most this many decimals, without trailing zeros. */
export const figure = (value: number, decimals: number) => thousands(Number(value.toFixed(decimals)))
/** "12.5 h", of minutes. */
export const hourCountWords = (minutes: number) => `${figure(minutes / 60, 1)}\u00a0h`
/** "1 cita", "12 citas", "1,200 citas". */
export const counted = (count: number, one: string, many: string) =>
  `${thousands(count)} ${count === 1 ? one : many}`
/** "12.5 %", of whole hundredths of a percent. */
export const percent = (hundredths: number) => `${thousands(hundredths / 100)}\u00a0%`

/** A whole number of 10^-places written exactly, with at least this many decimals: 245 thousandths are "0.245". */
export function fixedPoint(value: number, places: number, atLeast = places): string {
  const digits = String(Math.abs(value)).padStart(places + 1, '0')
  const whole = digits.slice(0, -places)
  const decimals = digits.slice(-places)
  let end = places
  while (end > atLeast && decimals[end - 1] === '0') end--
  return `${value < 0 ? '-' : ''}${whole}${end > 0 ? `.${decimals.slice(0, end)}` : ''}`
}

/** "12345.00", of whole centavos: for spreadsheets and CFDI. */
export const plainAmount = (centavos: number) => fixedPoint(centavos, 2)
/** "$12,345.00", "-$500.00", of whole centavos. */
export const money = (centavos: number) =>
  `${centavos < 0 ? '-' : ''}$${grouped(plainAmount(Math.abs(centavos)))}`
/** "$12,300", of centavos: for an amount that is an estimate anyway. */
export const roundMoney = (centavos: number) => `$${thousands(Math.round(centavos / 100))}`
/** "$68.00", "$9,482.7586", of whole ten-thousandths of a peso: the price of one unit. */
export const unitPrice = (tenThousandths: number) => `$${grouped(fixedPoint(tenThousandths, 4, 2))}`
/** "1,250.5", of whole thousandths. */
export const quantity = (thousandths: number) => grouped(fixedPoint(thousandths, 3, 0))

/** "$850", "$12 mil", "$1.2 M", of centavos: for the axis of a chart. */
export function roughMoney(centavos: number): string {
  const pesos = Math.abs(centavos) / 100
  const sign = centavos < 0 ? '-' : ''
  if (pesos < 10_000) return `${sign}$${thousands(Math.round(pesos))}`
  return pesos < 1_000_000
    ? `${sign}$${thousands(Math.round(pesos / 100) / 10)} mil`
    : `${sign}$${thousands(Math.round(pesos / 100_000) / 10)} M`
}

/** "850 kB", "1.2 MB" */
export const fileSize = (bytes: number) =>
  bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))}\u00a0kB`
    : `${(bytes / 1_000_000).toFixed(1)}\u00a0MB`

// People and phones.

/** "Ana López", or the known part of it. */
export const fullName = ({ name, lastname }: { name?: string | null; lastname?: string | null }) =>
  [name, lastname].filter(Boolean).join(' ')

/** "551 234 56 78", of ten digits; any other text is returned unchanged. */
export const formatPhone = (phone: string) => phone.replace(/^(\d{3})(\d{3})(\d{2})(\d{2})$/, '$1 $2 $3 $4')

/** The address that calls a phone of ten digits. */
export const telLink = (phone: string) => `tel:+52${phone}`

/** The address that opens WhatsApp with a message; the user picks the chat there. */
export const whatsappShare = (message: string) => `https://wa.me/?text=${encodeURIComponent(message)}`

/** The address that opens a WhatsApp chat with a phone of ten digits, with a first message if given. */
export const whatsappLink = (phone: string, message = '') =>
  `https://wa.me/52${phone}${message && `?text=${encodeURIComponent(message)}`}`

/** The address that opens a place on a map: by its pin where there is one, else by its text. */
export const mapLink = (line: string, pin: { latitude: number; longitude: number } | null) =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(pin ? `${pin.latitude},${pin.longitude}` : line)}`
