import { type QuoteReading, quoteFiltersFor, quoteStates } from '../../domain/quotes/quote.ts'
import { aMonth, anId, aYear, oneOf, readFilters, searched } from '../lib/lists.tsx'

export const quotesPath = '/admin/cotizations'

const filterSchema = {
  month: aMonth,
  year: aYear,
  state: oneOf(quoteStates),
  analyst: anId,
  agency: anId,
  text: searched(),
}

/** The filters of an address that count for a reader, and the place in the list. */
export function quoteFiltersOf(url: URL, reading: QuoteReading) {
  const { after, filters } = readFilters(filterSchema, url)
  return { filters: quoteFiltersFor(reading, filters), after }
}
