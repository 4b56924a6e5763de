import { and, inArray, isNull, ne, sql } from 'drizzle-orm'
import { sentPaymentStates } from '../../domain/payments/payment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Queryable } from '../platform/database/database.ts'
import { payments } from '../platform/database/schema/money-schema.ts'

/** What a customer hears, who may not know whose payment it is. */
export const keyTaken = 'Esa clave de rastreo ya está en otro pago. Revísala en tu comprobante.'

type KeyAsked = { bank: string | null; exceptId: string | null; toOffice: boolean; trackingKey: string }

/**
 * Refuses a tracking key that another payment has. Of one bank the index sees to it; where either side does not say which
 * bank, as what the bank's own file settled, the key alone has to do. `exceptId` is the payment it is written on; the other
 * one is named to the office only, since it may be anybody's.
 */
export async function demandFreeKey(
  tx: Queryable,
  { bank, exceptId, toOffice, trackingKey }: KeyAsked,
): Promise<void> {
  const [other] = await tx
    .select({ folio: payments.folio })
    .from(payments)
    .where(
      and(
        sql`upper(${payments.trackingKey}) = upper(${trackingKey})`,
        inArray(payments.state, sentPaymentStates),
        isNull(payments.reversedAt),
        bank === null ? undefined : sql`${payments.bank} is null`,
        exceptId === null ? undefined : ne(payments.id, exceptId),
      ),
    )
    .limit(1)
  if (!other) return
  const message = toOffice ? `Esa clave de rastreo ya está en el pago ${other.folio}.` : keyTaken
  refuse('already-exists', message, { errors: { trackingKey: message } })
}
