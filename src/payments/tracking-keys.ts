import { and, arrayOverlaps, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { databaseFault, type Queryable } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { Refusal } from '../shared/refusal.ts'
import { newestQuoteOf, pathOf } from './rows.ts'
import { bankCode } from './rules/banks.ts'
import { sentPaymentStates } from './rules/payment.ts'

type KnownKey = Awaited<ReturnType<typeof paymentsWith>>[number]

/**
 * A payment that has a tracking key, of any bank, or whose rejected proof had it: for the office only. Of rejected
 * proofs the payment's own count, too.
 */
export type SameKey = Omit<KnownKey, 'key' | 'rejectedKeys'> & { isRejected: boolean }

/** The payments that have one of these keys, received or in review and not reversed, or had it in a rejected proof. */
async function paymentsWith(db: Queryable, keys: readonly string[]) {
  const { bank, customerId, folio, id, projectId, rejectedKeys, reversedAt, state, trackingKey } = payments
  const asked = [...new Set(keys.map((key) => key.toUpperCase()))]
  const isUsed = sql`${inArray(state, sentPaymentStates)} and ${isNull(reversedAt)}`
  const rows = await db
    .select({
      id,
      folio,
      bank,
      key: sql<string | null>`case when ${isUsed} then upper(${trackingKey}) end`,
      rejectedKeys,
      customer: users.fullName,
      customerId,
      projectId,
      quoteId: newestQuoteOf(projectId),
    })
    .from(payments)
    .innerJoin(users, eq(users.id, customerId))
    .where(
      or(
        and(inArray(sql`upper(${trackingKey})`, asked), isUsed),
        and(ne(rejectedKeys, []), arrayOverlaps(rejectedKeys, asked)),
      ),
    )
    .orderBy(payments.createdAt, id)
  return rows.map(({ projectId: project, quoteId, ...row }) => ({ ...row, to: pathOf(project, quoteId) }))
}

/** The other payments with the tracking keys of these, and the rejected proofs that had them, by payment id. */
export async function sameKeysOf(
  db: Queryable,
  asked: readonly { id: string; trackingKey: string | null }[],
): Promise<Map<string, SameKey[]>> {
  const keys = asked.flatMap(({ trackingKey }) => trackingKey ?? [])
  const all = keys.length > 0 ? await paymentsWith(db, keys) : []
  return new Map(
    asked.map(({ id, trackingKey }) => {
      const key = trackingKey?.toUpperCase() ?? null
      return [id, key === null ? [] : all.flatMap((other) => withKey(other, key, id))]
    }),
  )
}

function withKey({ key: has, rejectedKeys, ...row }: KnownKey, key: string, id: string): SameKey[] {
  if (has === key && row.id !== id) return [{ ...row, isRejected: false }]
  return rejectedKeys.includes(key) ? [{ ...row, isRejected: true }] : []
}

/** The refusal for a customer, who may not learn whose payment it is. */
const keyTaken = 'Esa clave de rastreo ya está en otro pago. Revísala en tu comprobante.'

type KeyAsked = {
  /** Null where it is unknown, as in lines of a bank statement. */
  bank: string | null
  /** The payment to write. */
  exceptId: string | null
  trackingKey: string
  /** Only the office learns which payment has it. */
  toOffice: boolean
}

/**
 * Refuses a tracking key that another payment of the same bank has, by whichever name of the bank; where either side
 * names no bank, the key alone is compared. Two equal keys of two banks are shown to the reviewer (`sameKeysOf`).
 */
export async function assertFreeKey(
  tx: Queryable,
  { bank, exceptId, toOffice, trackingKey }: KeyAsked,
): Promise<void> {
  const [others] = (await sameKeysOf(tx, [{ id: exceptId ?? '', trackingKey }])).values()
  const taken = others?.find(
    (other) =>
      !other.isRejected && (bank === null || other.bank === null || bankCode(other.bank) === bankCode(bank)),
  )
  if (!taken) return
  const message = toOffice ? `Esa clave de rastreo ya está en el pago ${taken.folio}.` : keyTaken
  throw takenKey(message)
}

const takenKey = (description: string) =>
  new Refusal('already-exists', {
    title: 'Esa clave ya está en otro pago',
    description,
    details: { errors: { trackingKey: description } },
  })

/** Refuses a tracking key that another payment of the same bank got at the same moment. */
export async function keyOnce<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (databaseFault(error).constraint !== 'payments_tracking_key_once') throw error
    throw takenKey(keyTaken)
  }
}
