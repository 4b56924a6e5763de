import { and, eq, inArray, sql } from 'drizzle-orm'
import { monthsFor, takesCard, takesOxxo } from '../../../domain/payments/payment.ts'
import type { PaymentRow } from '../../payments/rows.ts'
import type { Db } from '../../platform/database/database.ts'
import { checkouts } from '../../platform/database/schema/money-schema.ts'
import type { Cards } from './client.ts'

/** How a payment can be made by card. */
export type CardOffer = {
  /** Also in cash, at an OXXO. */
  oxxo: boolean
  /** Without interest; none where they are not offered. */
  months: readonly number[]
}

/** A voucher of OXXO that waits for its money. */
export type Voucher = { url: string | null; expiresAt: Date | null }

export type CardStanding = { offer: CardOffer | null; voucher: Voucher | null }

type Payable = Pick<PaymentRow, 'id' | 'amount' | 'state' | 'voucherExpiresAt'>

/** What screens need of cards, for each of a customer's payments, by its id. */
export async function cardStandings(
  db: Db,
  cards: Cards | null,
  payments: readonly Payable[],
): Promise<Map<string, CardStanding>> {
  const pending = payments.filter(({ state }) => state === 'pending')
  const waiting = await vouchersOf(
    db,
    pending.map(({ id }) => id),
  )
  return new Map(
    pending.map(({ amount, id, voucherExpiresAt: expiresAt }) => {
      const url = waiting.get(id)
      return [id, { offer: offerOf(cards, amount), voucher: url === undefined ? null : { url, expiresAt } }]
    }),
  )
}

function offerOf(cards: Cards | null, amount: number): CardOffer | null {
  if (!cards || !takesCard(amount)) return null
  return { oxxo: takesOxxo(amount), months: cards.installments ? monthsFor(amount) : [] }
}

/** The last voucher of each payment that has one. */
async function vouchersOf(db: Db, ids: string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ paymentId: checkouts.paymentId, url: checkouts.url })
    .from(checkouts)
    .where(and(inArray(checkouts.paymentId, ids), eq(checkouts.state, 'waiting')))
    .orderBy(sql`${checkouts.createdAt}`)
  return new Map(rows.map(({ paymentId, url }) => [paymentId, url]))
}
