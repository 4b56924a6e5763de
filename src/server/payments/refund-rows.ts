import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import { type Actor, isCustomer, seesDeleted } from '../../domain/access/actor.ts'
import { openRefundStates, seesPayments } from '../../domain/payments/payment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { isNotDeleted } from '../accounts/privacy.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { payments, quotes, refunds } from '../platform/database/schema/payments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockProject, nextFolio } from './payments-rows.ts'

/** Which refund, as the form was shown it. */
export type VersionedRefund = { refundId: string; version: number }

/** A refund that the actor may see; for all others it does not exist. */
export async function getRefund(db: Db, actor: Actor, id: string): Promise<RefundRow> {
  if (!isId(id)) refuse('not-found')
  const [row] = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.id, id), visibleRefunds(actor)))
  return row ?? refuse('not-found')
}

/** Changes a refund that a person may see, its project's row held before its own. */
export async function changeRefund(
  db: Db,
  actor: Actor,
  id: string,
  change: (tx: Tx, held: RefundRow) => Promise<void>,
): Promise<void> {
  const { customerId, projectId } = await getRefund(db, actor, id)
  await transaction(db, async (tx) => {
    await lockProject(tx, projectId)
    const [held] = await tx.select().from(refunds).where(eq(refunds.id, id)).for('update')
    await change(tx, held ?? refuse('not-found'))
  })
  announce(db, { people: [customerId, projectId] })
}

/** Writes on a held refund, its version with it. */
export const writeRefund = (tx: Tx, { id, version }: RefundRow, set: Partial<typeof refunds.$inferInsert>) =>
  tx
    .update(refunds)
    .set({ ...set, version: version + 1 })
    .where(eq(refunds.id, id))

/** Writes to its customer that a refund goes to another account: by letter, since a stolen session sees no mailbox. */
export const notifyAccountChanged = (tx: Tx, { id }: Pick<RefundRow, 'id'>) =>
  enqueue(tx, 'letter', { letter: 'refund_account', refundId: id, to: 'customer' })

/** Leaves a step of a refund in the history. */
export const traceRefund = (
  tx: Tx,
  actor: Actor,
  { id, state: fromState }: RefundRow,
  name: string,
  toState: RefundRow['state'],
  data: object,
  reason?: string,
) =>
  record(tx, {
    entity: 'refund',
    entityId: id,
    actorId: actor.id,
    name,
    fromState,
    toState,
    data,
    ...(reason && { reason }),
  })

const visibleTo = (actor: Actor, customerId: typeof payments.customerId | typeof refunds.customerId) =>
  isCustomer(actor) ? eq(customerId, actor.id) : seesPayments(actor) ? ofStaff(actor, customerId) : sql`false`

const ofStaff = (actor: Actor, customerId: Parameters<typeof isNotDeleted>[0]) =>
  seesDeleted(actor) ? undefined : isNotDeleted(customerId)

/** The payments an actor may see. For everyone else they do not exist. */
export const visiblePayments = (actor: Actor): SQL | undefined => visibleTo(actor, payments.customerId)

/** The refunds an actor may see. */
const visibleRefunds = (actor: Actor): SQL | undefined => visibleTo(actor, refunds.customerId)

/** Where the office sees a project's money: at its newest quote, or by itself before there is one. */
export async function projectAccountPath(db: Queryable, projectId: string): Promise<string> {
  const [quote] = await db
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), ne(quotes.state, 'draft'), eq(quotes.kind, 'installation')))
    .orderBy(desc(quotes.createdAt))
    .limit(1)
  return pathOf(projectId, quote?.id ?? null)
}

/** The same for a query that names its projects. */
export const newestQuoteOf = (projectId: unknown) => sql<string | null>`
  (select newest.id from quotes newest where newest.project_id = ${projectId}
    and newest.state <> 'draft' and newest.kind = 'installation' order by newest.created_at desc limit 1)`

/** The screen that shows it, given the quote that stands for it. */
export const pathOf = (projectId: string, quoteId: string | null) =>
  quoteId ? `/admin/cotizations/detail-quote/${quoteId}` : `/admin/cotizations/cobros/${projectId}`

export type RefundRow = typeof refunds.$inferSelect

/** A project's refund that is asked for or approved, its row held; there is one at most. */
export async function lockOpenRefund(tx: Tx, projectId: string): Promise<RefundRow | null> {
  const open = sql`${refunds.state} in (${listed(openRefundStates)})`
  const [row] = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.projectId, projectId), open))
    .for('update')
  return row ?? null
}

type Asking = {
  projectId: string
  customerId: string
  /** What there is too much of, in centavos. */
  amount: number
  reason: string
  quoteId?: string | null
  /** Null when the product proposes it. */
  requestedBy?: string | null
  clabe?: string | null
  beneficiary?: string | null
  accountAt?: Date
}

/** Writes a requested refund, and notifies its customer and the managers. */
export async function insertRefund(tx: Tx, asking: Asking, now: Date): Promise<RefundRow> {
  const [made] = await tx
    .insert(refunds)
    .values({ ...asking, folio: nextFolio('REE', now) })
    .returning()
  const { id, amount, reason, requestedBy } = made!
  await record(tx, {
    entity: 'refund',
    entityId: id,
    actorId: requestedBy,
    name: 'request',
    toState: 'requested',
    reason,
    data: { amount },
  })
  await enqueue(tx, 'letter', { letter: 'refund_requested', refundId: id, to: 'customer' })
  await enqueue(tx, 'letter', { letter: 'refund_requested', refundId: id, to: 'managers' })
  return made!
}

/**
 * Has a refund of what there is too much of. One that is asked for already becomes of that amount, or ends when nothing is
 * left; what was refused once is not proposed again.
 */
export async function proposeCredit(tx: Tx, asking: Asking, now: Date): Promise<void> {
  const open = await lockOpenRefund(tx, asking.projectId)
  if (open?.state === 'approved') return
  if (open) return adjust(tx, open, asking.amount, now)
  if (asking.amount > 0 && !(await wasRefused(tx, asking))) await insertRefund(tx, asking, now)
}

async function adjust(tx: Tx, { amount: before, id, version }: RefundRow, amount: number, now: Date) {
  if (before === amount) return
  const over = { state: 'refused', refusedReason: 'Ya no hay saldo a tu favor.', decidedAt: now } as const
  await tx
    .update(refunds)
    .set({ ...(amount > 0 ? { amount } : over), version: version + 1 })
    .where(eq(refunds.id, id))
  await record(tx, {
    entity: 'refund',
    entityId: id,
    actorId: null,
    name: amount > 0 ? 'adjust' : 'refuse',

    fromState: 'requested',
    toState: amount > 0 ? 'requested' : 'refused',
    data: { from: before, to: amount },
  })
}

async function wasRefused(tx: Tx, { amount, projectId }: Asking): Promise<boolean> {
  const [last] = await tx
    .select({
      amount: sql<number>`${refunds.amount} + ${refunds.materials}`.mapWith(refunds.amount),
      decidedBy: refunds.decidedBy,
      state: refunds.state,
    })
    .from(refunds)
    .where(eq(refunds.projectId, projectId))
    .orderBy(sql`${refunds.createdAt} desc`)
    .limit(1)
  return last?.state === 'refused' && last.decidedBy !== null && last.amount >= amount
}
