import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { bankCode } from '../../domain/payments/banks.ts'
import { sentPaymentStates } from '../../domain/payments/payment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { databaseFault, type Queryable } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { newestQuoteOf, pathOf } from './rows.ts'

/** Another payment with the same tracking key, of any bank: for the office only. */
export type SameKey = Awaited<ReturnType<typeof paymentsWith>>[number]

/** The payments that have one of these keys: received or in review, and not reversed. */
async function paymentsWith(db: Queryable, keys: readonly string[]) {
  const { bank, customerId, folio, id, projectId, trackingKey } = payments
  const rows = await db
    .select({
      id,
      folio,
      bank,
      key: sql<string>`upper(${trackingKey})`,
      customer: users.fullName,
      customerId,
      projectId,
      quoteId: newestQuoteOf(projectId),
    })
    .from(payments)
    .innerJoin(users, eq(users.id, customerId))
    .where(
      and(
        inArray(sql`upper(${trackingKey})`, [...new Set(keys.map((key) => key.toUpperCase()))]),
        inArray(payments.state, sentPaymentStates),
        isNull(payments.reversedAt),
      ),
    )
    .orderBy(payments.createdAt, id)
  return rows.map(({ projectId: project, quoteId, ...row }) => ({ ...row, to: pathOf(project, quoteId) }))
}

/** The other payments with the tracking keys of these, by payment id. */
export async function sameKeysOf(
  db: Queryable,
  asked: readonly { id: string; trackingKey: string | null }[],
): Promise<Map<string, SameKey[]>> {
  const keys = asked.flatMap(({ trackingKey }) => trackingKey ?? [])
  const all = keys.length > 0 ? await paymentsWith(db, keys) : []
  return new Map(
    asked.map(({ id, trackingKey }) => [
      id,
      all.filter((other) => other.id !== id && other.key === trackingKey?.toUpperCase()),
    ]),
  )
}

/** The refusal for a customer, who may not learn whose payment it is. */
const keyTaken = 'Esa clave de rastreo ya está en otro pago. Revísala en tu comprobante.'

type KeyAsked = {
  /** Null where it is unknown, as in lines of a bank statement. */
  bank: string | null
  /** The payment to write. */
  exceptId: string | null
  trackingKey: string
  /** Only the office is told which payment has it. */
  toOffice: boolean
}

/**
 * Refuses a tracking key that another payment of the same bank has, by whichever name of the bank; where either side
 * names no bank, the key alone is compared. Two equal keys of two banks are told to the reviewer (`sameKeysOf`).
 */
export async function assertFreeKey(
  tx: Queryable,
  { bank, exceptId, toOffice, trackingKey }: KeyAsked,
): Promise<void> {
  const [others] = (await sameKeysOf(tx, [{ id: exceptId ?? '', trackingKey }])).values()
  const taken = others?.find(
    (other) => bank === null || other.bank === null || bankCode(other.bank) === bankCode(bank),
  )
  if (!taken) return
  const message = toOffice ? `Esa clave de rastreo ya está en el pago ${taken.folio}.` : keyTaken
  refuse('already-exists', message, { errors: { trackingKey: message } })
}

/** Refuses a tracking key that another payment of the same bank got at the same moment. */
export async function keyOnce<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (databaseFault(error).constraint !== 'payments_tracking_key_once') throw error
    return refuse('already-exists', keyTaken, { errors: { trackingKey: keyTaken } })
  }
}
