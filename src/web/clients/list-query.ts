import type { ClientFilters } from '../../domain/client.ts'

// Apart from what reads an address, so that the list does not carry the validator to the browser.

export const listPath = '/admin/alliate/clients'
/** Where an ally registers somebody at the counter: a part of the list's own address, which is what guards know. */
export const registerPath = `${listPath}?registrar`
/** Where one client is. */
export const clientPath = (id: string) => `${listPath}?cliente=${id}`

/** The query of an address that holds these filters, and a place in the list; empty for none. */
export function queryOf(filters: ClientFilters & { after?: string }): string {
  const query = new URLSearchParams(filters).toString()
  return query && `?${query}`
}
