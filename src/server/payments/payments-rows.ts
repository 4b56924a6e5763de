import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { type LedgerFacts, ledgerOf } from '../../domain/payments/ledger.ts'
import { grantedRefundStates, remindHoursBefore } from '../../domain/payments/payment.ts'
import { isQuiet, localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { payments, quotes, refunds } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'

export type PaymentRow = typeof payments.$inferSelect
export type NewPayment = Omit<typeof payments.$inferInsert, 'folio'>
export type LockedProject = typeof projects.$inferSelect

/** The project's row, locked until the transaction ends: every transaction about money locks it first. */
export async function lockProject(tx: Tx, id: string): Promise<LockedProject> {
  const [row] = await tx.select().from(projects).where(eq(projects.id, id)).for('update')
  return row ?? refuse('not-found')
}

/** A payment's row, held after its project's. */
export async function lockPayment(tx: Tx, id: string): Promise<PaymentRow> {
  const [row] = await tx.select().from(payments).where(eq(payments.id, id)).for('update')
  return row ?? refuse('not-found')
}

/** The next folio of a kind, in the year of an instant. */
export const nextFolio = (prefix: 'PAG' | 'REE', now: Date) =>
  sql<string>`next_folio(${prefix}, ${Number(localDate(toMinutes(now)).slice(0, 4))})`

/** Writes a new row of payments. */
export async function insertPayment(tx: Tx, row: NewPayment, now: Date): Promise<PaymentRow> {
  const [made] = await tx
    .insert(payments)
    .values({ ...row, folio: nextFolio('PAG', now) })
    .returning()
  return made!
}

/** Writes on a held row of payments, its version with it. */
export async function updatePayment(
  tx: Tx,
  { id, version }: PaymentRow,
  set: Partial<NewPayment>,
): Promise<PaymentRow> {
  const [written] = await tx
    .update(payments)
    .set({ ...set, version: version + 1 })
    .where(eq(payments.id, id))
    .returning()
  return written!
}

/** What the sums of a project follow from, its payments in the order they were made. */
export async function ledgerFactsOf(db: Queryable, projectId: string) {
  const rows = await db
    .select()
    .from(payments)
    .where(eq(payments.projectId, projectId))
    .orderBy(asc(payments.createdAt), asc(payments.id))
  const accepted = await db
    .select({
      id: quotes.id,
      folio: quotes.folio,
      kind: quotes.kind,
      total: sql<number>`${quotes.acceptedTotal}`.mapWith(quotes.acceptedTotal),
      deposit: sql<number>`${quotes.depositAmount}`.mapWith(quotes.depositAmount),
      acceptedAt: sql<Date>`${quotes.acceptedAt}`.mapWith(quotes.acceptedAt),
      validUntil: quotes.validUntil,
    })
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), eq(quotes.state, 'accepted')))
    .orderBy(asc(quotes.acceptedAt))
  const { amount, decidedAt, folio, materials: bought, state } = refunds
  const granted = await db
    .select({ materials: bought, decidedAt, folio, amount, state })
    .from(refunds)
    .where(and(eq(refunds.projectId, projectId), sql`${refunds.state} in (${listed(grantedRefundStates)})`))
  const kept = granted.filter((one) => one.materials > 0)
  const materials = kept.reduce((sum, one) => sum + one.materials, 0)
  const promised = granted.reduce((sum, one) => sum + (one.state === 'approved' ? one.amount : 0), 0)
  const sums = { quotes: accepted, materials, promised }
  const facts: Omit<LedgerFacts, 'rows'> & { rows: PaymentRow[] } = { ...sums, rows }
  return { facts, accepted, kept, ledger: ledgerOf(facts) }
}

/** Ends expired demands, and notifies their customers; returns how many. Those under review are excluded. */
export async function expirePayments(db: Db, now: Date): Promise<number> {
  const isOver = and(eq(payments.state, 'pending'), lte(payments.expiresAt, now))
  const { customerId, id, projectId } = payments
  const over = await db.select({ customerId, id, projectId }).from(payments).where(isOver)
  let count = 0
  for (const row of over) {
    const ended = await transaction(db, async (tx) => {
      await lockProject(tx, row.projectId)
      const [expired] = await tx
        .update(payments)
        .set({ state: 'expired', version: sql`${payments.version} + 1` })
        .where(and(isOver, eq(payments.id, row.id)))
        .returning({ id: payments.id })
      if (!expired) return false
      await record(tx, {
        entity: 'payment',
        entityId: row.id,
        actorId: null,
        name: 'expire',
        fromState: 'pending',
        toState: 'expired',
      })
      await enqueue(tx, 'letter', { letter: 'payment_expired', paymentId: row.id, to: 'customer' })
      return true
    })
    if (!ended) continue
    announce(db, { people: [row.customerId, row.projectId] })
    count++
  }
  return count
}

/** Reminds of what is due within a day, each once, by day; answers how many. Two rounds at once send each once. */
export async function remindOfPayments(db: Db, now: Date): Promise<number> {
  if (isQuiet(toMinutes(now))) return 0
  return transaction(db, async (tx) => {
    // What was requested within that day was in its e-mail.
    const { rows } = await tx.$client.query<{ id: string }>(
      `with chosen as (
         select id from payments
         where state = 'pending' and reminded_at is null and due_at <= $1::timestamptz + $2 * interval '1 hour'
           and created_at < due_at - $2 * interval '1 hour' and due_at > $1::timestamptz - interval '7 days'
         for update skip locked
       )
       update payments set reminded_at = $1 from chosen where payments.id = chosen.id returning payments.id`,
      [now, remindHoursBefore],
    )
    for (const { id } of rows)
      await enqueue(tx, 'letter', { letter: 'payment_reminder', paymentId: id, to: 'customer' })
    return rows.length
  })
}
