/** "09:30", of a minute after midnight, as a box for times takes it. */
export const clockText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** The minute after midnight of "9:30", "09:30" or "9:30 p. m.", or null when it is no time. */
export function minuteOfClock(typed: string): number | null {
  const [, hour, minute, half] = /^(\d{1,2}):([0-5]\d)(?::00)?\s?(?:([ap])\.?\s?m\.?)?$/i.exec(typed) ?? []
  if (hour === undefined) return null
  const shown = Number(hour)
  if (half === undefined) return shown > 23 ? null : shown * 60 + Number(minute)
  if (shown < 1 || shown > 12) return null
  return ((shown % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + Number(minute)
}

/** "9:30", of a minute after midnight, on a clock of twelve hours. */
export const clockHands = (minute: number) =>
  `${Math.floor(minute / 60) % 12 || 12}:${String(minute % 60).padStart(2, '0')}`

/** "a. m." or "p. m.", of a minute after midnight; the space inside keeps both letters on one line. */
export const dayPeriod = (minute: number) => (minute % 1440 < 720 ? 'a.\u00a0m.' : 'p.\u00a0m.')

/** "9:30 a. m.", of a minute after midnight; the end of a day is "12:00 a. m.". */
export const clockWords = (minute: number) => `${clockHands(minute)} ${dayPeriod(minute)}`

/** The same with its article: "las 9:30 a. m.", "la 1:00 p. m.". */
export const theClock = (minute: number) =>
  `${Math.floor(minute / 60) % 12 === 1 ? 'la' : 'las'} ${clockWords(minute)}`

/** What a customer is promised: "entre 10:00 y 10:30 a. m.", of the first and last minute after midnight. */
export function betweenClocks(from: number, to: number): string {
  const first = dayPeriod(from) === dayPeriod(to) ? clockHands(from) : clockWords(from)
  return `entre ${first} y ${clockWords(to)}`
}
