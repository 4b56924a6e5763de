import type { QuoteFilters } from '../../domain/quote-list.ts'

// Apart from what reads an address, so that the list does not carry the validator to the browser.

export const listPath = '/admin/cotizations'

/** The query of an address that holds these filters, and a place in the list; empty for none. */
export function queryOf(filters: QuoteFilters & { after?: string }): string {
  const query = new URLSearchParams(filters).toString()
  return query && `?${query}`
}
