import type { PaymentFilters, PaymentPart } from '../../domain/payment-list.ts'

// Apart from what reads an address, so that the screen does not carry the validator to the browser.

export const officePath = '/admin/payments'
/** The address of a part of the page; the first one is the page's own. */
export const partPath = (part: PaymentPart) =>
  part === 'revision' ? officePath : `${officePath}?parte=${part}`

/** The query of an address that holds these filters, and a place in the ledger. */
export const bookQuery = (filters: PaymentFilters & { after?: string }) =>
  `?${new URLSearchParams({ parte: 'libro', ...filters })}`
