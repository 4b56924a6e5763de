import { type QuoteState, quoteStates } from './quote.ts'

/** What narrows the list of quotes, as its address holds it. */
export type QuoteFilters = {
  /** '0' to '11', of when a version was made; without a year, of every year. */
  month?: string
  year?: string
  state?: QuoteState
  /** The id of who made it. */
  analyst?: string
  /** The id of the agency that brought its customer. */
  agency?: string
  text?: string
}

/** How a user reads quotes: everything, the work without amounts, or the state only. */
export type QuoteReading = 'all' | 'scope' | 'state'

/** The states a list can be filtered by: drafts are visible only to those who write quotes. */
export const listedStates = (reading: QuoteReading): readonly QuoteState[] =>
  reading === 'all' ? quoteStates : quoteStates.filter((state) => state !== 'draft')

/** Keeps the filters that the viewer may use and ignores the others. */
export function quoteFiltersFor(
  reading: QuoteReading,
  { agency, analyst, state, ...rest }: QuoteFilters,
): QuoteFilters {
  const isWhole = reading === 'all'
  return {
    ...rest,
    ...(state && listedStates(reading).includes(state) && { state }),
    ...(isWhole && analyst && { analyst }),
    ...(isWhole && agency && { agency }),
  }
}

/** What came of quotes in a month ('2026-11'), in centavos: offered, accepted and still standing, and paid less what was given back. */
export type MonthFigures = { month: string; quoted: number; accepted: number; paid: number }

/** How many months the figures go back where no year is chosen, this one among them. */
const monthsShown = 12

/** The months of the figures, the first one first: those of a year, or the last twelve. `today` is a local date. */
export function monthsOf(year: string | undefined, today: string): string[] {
  const last = year
    ? Temporal.PlainYearMonth.from(`${year}-12`)
    : Temporal.PlainDate.from(today).toPlainYearMonth()
  return Array.from({ length: monthsShown }, (_, n) =>
    last.subtract({ months: monthsShown - 1 - n }).toString(),
  )
}
