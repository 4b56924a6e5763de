import { dayFilters } from '../../kit/list/filter-chips.tsx'
import { aMonth, aYear, oneOf, ordersBy, searched } from '../../kit/list/lists.tsx'
import {
  type Concept,
  conceptLabels,
  methodLabels,
  type PaymentMethod,
  type PaymentPart,
  type PaymentState,
  paymentStateFacts,
} from '../rules/payment.ts'
import type { OpenFigure } from '../rules/receivable.ts'
import { type AgeFilter, type MoneyFigure, moneyFigures, receivableAges } from '../rules/receivable.ts'

export const officePath = '/admin/payments'

/** The address of a part of the page; the first one is the page's own. */
export const paymentPartPath = (part: PaymentPart) =>
  part === 'revision' ? officePath : `${officePath}/${part}`

/** A proof among those that wait for a review. */
export const chosenProofPath = (folio: string) => `${officePath}?comprobante=${encodeURIComponent(folio)}`

export const paymentFilters = {
  ...dayFilters,
  month: aMonth,
  year: aYear,
  method: oneOf(Object.keys(methodLabels) as PaymentMethod[]),
  concept: oneOf(Object.keys(conceptLabels) as Concept[]),
  state: oneOf(Object.keys(paymentStateFacts) as PaymentState[]),
  figure: oneOf(Object.keys(moneyFigures) as MoneyFigure[]),
  text: searched(),
  order: ordersBy('amount'),
}

export const receivableFilters = {
  age: oneOf(['overdue', ...Object.keys(receivableAges)] as AgeFilter[]),
  order: ordersBy('amount'),
}

/** The list whose rows add up to a sum of all that is open. */
export const figurePath = (figure: OpenFigure) =>
  figure === 'inReview'
    ? officePath
    : paymentPartPath('cobrar') + (figure === 'overdue' ? '?age=overdue' : '')

/** The ledger of the month of a local date. */
export const monthPath = (date: string) =>
  `${paymentPartPath('libro')}?month=${Number(date.slice(5, 7)) - 1}&year=${date.slice(0, 4)}`

/** The bank's movements, from the one behind another on. */
export const bankPath = (after?: string) => `${paymentPartPath('banco')}${after ? `?after=${after}` : ''}`

/** Asks for all payments that the bank does not have, instead of the first. */
export const allLacking = 'sin-movimiento'

/** Where the columns of an uploaded file are confirmed. */
export const statementPath = (id: string) => `${paymentPartPath('banco')}?archivo=${id}`
