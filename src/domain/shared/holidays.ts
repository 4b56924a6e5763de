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
