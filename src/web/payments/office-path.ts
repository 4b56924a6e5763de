import {
  type Concept,
  conceptLabels,
  methodLabels,
  type PaymentMethod,
  type PaymentPart,
  type PaymentState,
  paymentStateFacts,
} from '../../domain/payments/payment.ts'
import { type ReceivableAge, receivableAges } from '../../domain/payments/receivable.ts'
import { dayFilters } from '../lib/date-range.tsx'
import { aMonth, aYear, oneOf, ordersBy, searched } from '../lib/lists.tsx'

export const officePath = '/admin/payments'

/** The address of a part of the page; the first one is the page's own. */
export const paymentPartPath = (part: PaymentPart) =>
  part === 'revision' ? officePath : `${officePath}/${part}`

/** A proof among those that wait for a review. */
export const chosenProofPath = (folio: string) => `${officePath}?comprobante=${folio}`

export const paymentFilters = {
  ...dayFilters,
  month: aMonth,
  year: aYear,
  method: oneOf(Object.keys(methodLabels) as PaymentMethod[]),
  concept: oneOf(Object.keys(conceptLabels) as Concept[]),
  state: oneOf(Object.keys(paymentStateFacts) as PaymentState[]),
  text: searched(),
  order: ordersBy('amount'),
}

export const receivableFilters = {
  age: oneOf(Object.keys(receivableAges) as ReceivableAge[]),
  order: ordersBy('amount'),
}

/** The bank's movements, from the one behind another on. */
export const bankPath = (after?: string) => `${paymentPartPath('banco')}${after ? `?after=${after}` : ''}`

/** Asks for all payments that the bank does not have, instead of the first. */
export const allLacking = 'sin-movimiento'

/** The account of a project, from the page of its customer, to which it leads back. */
export const customersAccountPath = (projectId: string) =>
  `/admin/cotizations/cobros/${projectId}?${fromCustomer}`
/** What the address of an account says then. */
export const fromCustomer = 'de=cliente'

/** Where the columns of an uploaded file are confirmed. */
export const statementPath = (id: string) => `${paymentPartPath('banco')}?archivo=${id}`
