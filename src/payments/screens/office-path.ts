import type { PaymentPart } from '../rules/payment.ts'
import type { OpenFigure } from '../rules/receivable.ts'

export const officePath = '/admin/payments'

/** The address of a part of the page; the first one is the page's own. */
export const paymentPartPath = (part: PaymentPart) =>
  part === 'revision' ? officePath : `${officePath}/${part}`

/** A proof among those that wait for a review. */
export const chosenProofPath = (folio: string) => `${officePath}?comprobante=${encodeURIComponent(folio)}`

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
