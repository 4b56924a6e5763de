import {
  type Concept,
  conceptLabels,
  methodLabels,
  type PaymentFilters,
  type PaymentMethod,
  type PaymentPart,
  type PaymentState,
  paymentParts,
  paymentStateFacts,
} from '../../domain/payments/payment.ts'
import { aMonth, aYear, listQuery, oneOf, searched } from '../lib/lists.tsx'

export const officePath = '/admin/payments'

/** The address of a part of the page; the first one is the page's own. */
export const paymentPartPath = (part: PaymentPart) =>
  part === 'revision' ? officePath : `${officePath}?parte=${part}`

/** The part of the page that an address asks for. */
export function paymentPartIn(url: URL): PaymentPart {
  const asked = url.searchParams.get('parte') ?? ''
  return Object.hasOwn(paymentParts, asked) ? (asked as PaymentPart) : 'revision'
}

export const paymentFilters = {
  month: aMonth,
  year: aYear,
  method: oneOf(Object.keys(methodLabels) as PaymentMethod[]),
  concept: oneOf(Object.keys(conceptLabels) as Concept[]),
  state: oneOf(Object.keys(paymentStateFacts) as PaymentState[]),
  text: searched(),
}

/** What the address of the ledger says, whatever it is narrowed by. */
export const ledgerPart = { parte: 'libro' }

/** The query of an address that holds these filters of the ledger. */
export const ledgerQuery = (filters: PaymentFilters) => listQuery({ ...ledgerPart, ...filters })

/** The bank's movements, from the one behind another on. */
export const bankPath = (after?: string) => `${paymentPartPath('banco')}${after ? `&after=${after}` : ''}`

/** Where the columns of an uploaded file are confirmed. */
export const statementPath = (id: string) => `/admin/payments?parte=banco&archivo=${id}`
