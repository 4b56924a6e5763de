import { addDays, dayOf, toMinutes } from './calendar.ts'

type Named = {
  label: string
  /** How many days from today its first and its last day are; weeks begin on Monday, which is 0. */
  days: (weekday: number) => readonly [first: number, last: number]
}

/** The ranges of days that lists offer by name. */
export const dayRanges = {
  ayer: { label: 'Ayer', days: () => [-1, -1] },
  hoy: { label: 'Hoy', days: () => [0, 0] },
  manana: { label: 'Mañana', days: () => [1, 1] },
  semana: { label: 'Esta semana', days: (weekday) => [-weekday, 6 - weekday] },
  'proxima-semana': { label: 'Próxima semana', days: (weekday) => [7 - weekday, 13 - weekday] },
} as const satisfies Record<string, Named>
export type DayRange = keyof typeof dayRanges

/** The first and the last local date of a range. */
export function daysOfRange(range: DayRange, now: Date): readonly [first: string, last: string] {
  const { date, weekday } = dayOf(toMinutes(now))
  const [first, last] = dayRanges[range].days(weekday)
  return [addDays(date, first), addDays(date, last)]
}

/** What narrows a list to days, as its address holds it: a name, local dates, or both. */
export type DayFilters = { range?: DayRange; from?: string; to?: string }

/** The same filters with the days that a name means today, and no name: from the first to the last, each open where it is not given. */
export function withDays<Filters extends DayFilters>(
  { range, ...filters }: Filters,
  now: Date,
): Omit<Filters, 'range'> {
  if (range === undefined) return filters
  const [first, last] = daysOfRange(range, now)
  const { from = first, to = last } = filters
  return { ...filters, from: [from, first].sort().at(-1), to: [to, last].sort().at(0) }
}
