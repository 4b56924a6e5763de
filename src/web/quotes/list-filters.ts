import { z } from 'zod'
import { quoteStates } from '../../domain/quote.ts'
import { type QuoteFilters, type QuoteReading, quoteFiltersFor } from '../../domain/quote-list.ts'
import { tidy } from '../../domain/tidy.ts'

const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const query = z.object({
  month: maybe(z.string().regex(/^([0-9]|1[01])$/)),
  year: maybe(z.string().regex(/^(19|20)\d\d$/)),
  state: maybe(z.enum(quoteStates)),
  analyst: maybe(z.uuid()),
  agency: maybe(z.uuid()),
  text: maybe(z.preprocess(tidy, z.string().min(1).max(100))),
  after: maybe(z.uuid()),
})

/** The filters of an address that count for somebody, and the place in the list; what makes no sense is left out, never an error. */
export function filtersOf(
  url: URL,
  reading: QuoteReading,
): { filters: QuoteFilters; after: string | undefined } {
  const { after, ...sent } = query.parse(Object.fromEntries(url.searchParams))
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  return { filters: quoteFiltersFor(reading, given), after }
}
