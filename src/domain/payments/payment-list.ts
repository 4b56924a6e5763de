import type { Concept, PaymentMethod, PaymentState } from './payment.ts'

/** The parts of /admin/payments, as its address names them. */
export const paymentParts = { revision: 'Por revisar', libro: 'Libro', banco: 'Banco' } as const
export type PaymentPart = keyof typeof paymentParts

/** What narrows the ledger, as its address holds it. */
export type PaymentFilters = {
  /** '0' to '11', of when it was paid or, before that, asked for; without a year, of every year. */
  month?: string
  year?: string
  method?: PaymentMethod
  concept?: Concept
  state?: PaymentState
  text?: string
}

/** What the rows of a ledger come to, in centavos: together exactly the sum of all of them. */
export type LedgerTotals = {
  count: number
  received: number
  /** Negative. */
  refunded: number
  /** Asked for, and not in yet. */
  waiting: number
  /** Asked for, and no more. */
  ended: number
}
