import { and, inArray, isNull, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { sentPaymentStates } from '../../domain/payments/payment.ts'
import type { Queryable } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { payments } from '../platform/database/schema/money-schema.ts'

/** Another payment that says the same tracking key, under whatever bank. */
export type SameKey = { folio: string; customer: string }

/** Of payments that are reviewed, those whose tracking key another payment said before or since; by id. */
export async function sameKeysOf(db: Queryable, ids: readonly string[]): Promise<Map<string, SameKey>> {
  if (ids.length === 0) return new Map()
  const other = alias(payments, 'other')
  const rows = await db
    .select({
      id: payments.id,
      folio: other.folio,
      customer: users.fullName,
    })
    .from(payments)
    .innerJoin(
      other,
      and(
        ne(other.id, payments.id),
        sql`upper(${other.trackingKey}) = upper(${payments.trackingKey})`,
        inArray(other.state, sentPaymentStates),
        isNull(other.reversedAt),
      ),
    )
    .innerJoin(users, sql`${users.id} = ${other.customerId}`)
    .where(inArray(payments.id, [...ids]))
  return new Map(rows.map(({ id, ...used }) => [id, used]))
}
