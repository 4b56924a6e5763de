import { and, asc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/access/actor.ts'
import {
  type Concept,
  type RefundState,
  refundMachine,
  reviewsPayments,
  sentPaymentStates,
} from '../../domain/payments/payment.ts'
import type { Db, Queryable } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { documents, payments, refunds } from '../platform/database/schema/payments.ts'
import { newestQuoteOf, pathOf } from './refund-rows.ts'

/** As many as somebody looks through at once; `total` counts all of them. */
const shownAtOnce = 20

type Waits = { id: string; folio: string; amount: number; customer: string; since: Date | null; to: string }
type Queue<More> = { rows: (Waits & More)[]; total: number }

/** The proofs of transfers that nobody looked at yet, the longest wait first; null for whom that is no matter of. */
export async function proofsToReview(db: Db, actor: Actor): Promise<Queue<{ concept: Concept }> | null> {
  if (!reviewsPayments(actor)) return null
  const { amount, concept, folio, id, projectId, proofSentAt } = payments
  const rows = await db
    .select({ ...{ id, folio, amount, concept, projectId }, ...told(projectId), since: proofSentAt })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(eq(payments.state, 'in_review'))
    .orderBy(asc(proofSentAt), asc(id))
    .limit(shownAtOnce)
  return queueOf(rows)
}

/** The same with all that a review asks for, and how many of them. */
export async function proofQueue(db: Db, actor: Actor) {
  if (!reviewsPayments(actor)) return { rows: [], total: 0 }
  const { amount, bank, concept, folio, id, projectId, proofSentAt, state, trackingKey, version } = payments
  const rows = await db
    .select({
      ...{ id, folio, amount, concept, projectId, bank, trackingKey, version, state, proofSentAt },
      ...{ ...told(projectId), since: proofSentAt },
      proof: { id: documents.id, name: documents.name, bytes: documents.bytes },
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .leftJoin(documents, eq(documents.id, payments.proofId))
    .where(eq(state, 'in_review'))
    .orderBy(asc(proofSentAt), asc(id))
    .limit(shownAtOnce)
  const used = await sameKeysOf(
    db,
    rows.map((row) => row.id),
  )
  return queueOf(rows.map((row) => ({ ...row, sameKey: used.get(row.id) ?? null })))
}

/**
 * The refunds that wait for a decision, or for being paid, the longest wait first; null for whoever decides none. What
 * goes back to a card waits for the cards' provider, and for nobody here.
 */
export async function refundsToSettle(db: Db, actor: Actor): Promise<Queue<{ state: RefundState }> | null> {
  if (!refundMachine.can('approve', actor, { state: 'requested' })) return null
  const { amount, createdAt, decidedAt, folio, id, projectId, state } = refunds
  const waitsSince = sql<Date>`coalesce(${decidedAt}, ${createdAt})`.mapWith(createdAt)
  const rows = await db
    .select({ ...{ id, folio, amount, state, projectId }, ...told(projectId), since: waitsSince })
    .from(refunds)
    .innerJoin(users, eq(users.id, refunds.customerId))
    .where(
      or(eq(state, 'requested'), sql`${state} = 'approved' and ${refunds.method} is distinct from 'card'`),
    )
    .orderBy(asc(waitsSince), asc(id))
    .limit(shownAtOnce)
  return queueOf(rows)
}

const told = (projectId: unknown) => ({
  customer: users.fullName,
  quoteId: newestQuoteOf(projectId),
  total: sql<number>`count(*) over ()::int`,
})

type Read = Omit<Waits, 'to'> & { projectId: string; quoteId: string | null; total: number }

const queueOf = <Row extends Read>(rows: readonly Row[]) => ({
  rows: rows.map(({ projectId, quoteId, total, ...row }) => ({ ...row, to: pathOf(projectId, quoteId) })),
  total: rows[0]?.total ?? 0,
})

/** Another payment that says the same tracking key, under whatever bank. */
type SameKey = { folio: string; customer: string }

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
