import { and, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../../../domain/access/actor.ts'
import { customer } from '../../appointments/people.ts'
import { visiblePayments } from '../../payments/visible.ts'
import { quotesVisibleTo, readsOfQuotes } from '../../quotes/visible.ts'
import type { Db } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { payments, quotes } from '../database/schema/money-schema.ts'
import { addresses } from '../database/schema/project-schema.ts'

/** A version as it was sent; null when it does not exist for them, or they may not read its amounts. */
export async function sentQuote(db: Db, actor: Actor, id: string) {
  if (!isId(id) || (actor.kind !== null && readsOfQuotes[actor.kind] !== 'all')) return null
  const [row] = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, id), quotesVisibleTo(actor)))
  if (!row?.sentAt || !row.validUntil || row.digest === null) return null
  const { acceptedAddOns, acceptedAt, acceptedName, acceptedOption, acceptedTotal } = row
  return {
    ...{ folio: row.folio, revision: row.revision, state: row.state, content: row.content },
    ...{ addressee: row.addressee, address: row.address, digest: row.digest },
    ...{ sentAt: row.sentAt, validUntil: row.validUntil },
    accepted:
      acceptedAt && acceptedOption !== null && acceptedTotal !== null
        ? {
            ...{ at: acceptedAt, name: acceptedName ?? '', option: acceptedOption },
            ...{ addOns: acceptedAddOns, total: acceptedTotal },
          }
        : null,
  }
}

export type SentQuote = NonNullable<Awaited<ReturnType<typeof sentQuote>>>

/** A payment that came in, or was given back; null when it does not exist for them, or nothing was paid yet. */
export async function paidPayment(db: Db, actor: Actor, id: string) {
  if (!isId(id)) return null
  const [row] = await db
    .select({ payment: payments, quote: quotes, customer: customer.fullName, address: addresses })
    .from(payments)
    .innerJoin(customer, eq(customer.id, payments.customerId))
    .leftJoin(quotes, eq(quotes.id, payments.quoteId))
    .leftJoin(addresses, and(eq(addresses.projectId, payments.projectId), isNull(addresses.archivedAt)))
    .where(
      and(
        eq(payments.id, id),
        eq(payments.state, 'paid'),
        isNull(payments.reversedAt),
        isNull(payments.reversesId),
        visiblePayments(actor),
      ),
    )
  if (!row?.payment.paidAt) return null
  const { amount, concept, folio, method, paidAt, trackingKey } = row.payment
  const { address, customer: name, quote } = row
  return { amount, concept, folio, method, paidAt, trackingKey, address, quote, customer: name }
}

export type PaidPayment = NonNullable<Awaited<ReturnType<typeof paidPayment>>>
