import type { Filters } from '../../server/appointments/lists.ts'

// Apart from what reads an address, so that a list does not carry the validator to the browser.

/** The query of an address that holds these filters; empty for none. */
export function queryOf(filters: Filters): string {
  const query = new URLSearchParams(filters as Record<string, string>).toString()
  return query && `?${query}`
}
