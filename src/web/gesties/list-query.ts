import type { CaseFilters } from '../../domain/cfe-list.ts'

// Apart from what reads an address, so that the list does not carry the validator to the browser.

export const casesPath = '/admin/gesties'

/** The query of an address that holds these filters, and a place in the list; empty for none. */
export function queryOf({ over, ...filters }: CaseFilters & { after?: string }): string {
  const query = new URLSearchParams({ ...filters, ...(over && { over: '1' }) }).toString()
  return query && `?${query}`
}
