import { and, asc, desc, eq, isNull, lte, ne, type SQL, sql } from 'drizzle-orm'
import { type Actor, isCustomer, seesDeleted } from '../access/rules/actor.ts'
import { isNotDeleted } from '../accounts/privacy.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { payments, quotes, refunds } from '../platform/database/schema/payments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockProject } from '../projects/open-project.ts'
import { quotePartPath } from '../quotes/rules/quote-path.ts'
import { isQuiet, localDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { type LedgerFacts, ledgerOf } from './rules/ledger.ts'
import { grantedRefundStates, openRefundStates, remindHoursBefore, seesPayments } from './rules/payment.ts'

export type PaymentRow = typeof payments.$inferSelect
export type NewPayment = Omit<typeof payments.$inferInsert, 'folio'>

/** A payment's row, locked; lock its project's before. */
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

/** Updates a locked payment, and its version. */
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

/** The facts of a project's ledger; its payments in the order of their creation. */
export async function ledgerFactsOf(db: Queryable, projectId: string) {
  const { amount, decidedAt, folio, materials: bought, state } = refunds
  const [rows, accepted, granted] = await Promise.all([
    db
      .select()
      .from(payments)
      .where(eq(payments.projectId, projectId))
      .orderBy(asc(payments.createdAt), asc(payments.id)),
    db
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
      .orderBy(asc(quotes.acceptedAt)),
    db
      .select({ materials: bought, decidedAt, folio, amount, state })
      .from(refunds)
      .where(
        and(eq(refunds.projectId, projectId), sql`${refunds.state} in (${listed(grantedRefundStates)})`),
      ),
  ])
  const kept = granted.filter((one) => one.materials > 0)
  const materials = kept.reduce((sum, one) => sum + one.materials, 0)
  const promised = granted.reduce((sum, one) => sum + (one.state === 'approved' ? one.amount : 0), 0)
  const sums = { quotes: accepted, materials, promised }
  const facts: Omit<LedgerFacts, 'rows'> & { rows: PaymentRow[] } = { ...sums, rows }
  return { facts, accepted, kept, ledger: ledgerOf(facts) }
}

/** Marks overdue charges as expired, and notifies their customers; returns how many. Those in review are excluded. */
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

/** Sends the reminders of charges due within a day, outside quiet hours; returns how many. Concurrent runs send each once. */
export async function remindOfPayments(db: Db, now: Date): Promise<number> {
  if (isQuiet(toMinutes(now))) return 0
  return transaction(db, async (tx) => {
    // A charge made within that day: its e-mail named the date. One that the office reminds of waits for a day.
    const { rows } = await tx.$client.query<{ id: string }>(
      `with chosen as (
         select id from payments
         where state = 'pending' and reminded_at is null and due_at <= $1::timestamptz + $2 * interval '1 hour'
           and created_at < due_at - $2 * interval '1 hour' and due_at > $1::timestamptz - interval '7 days'
           and not exists (select from events told where told.entity = 'payment' and told.entity_id = payments.id
             and told.name = 'remind' and told.at > $1::timestamptz - interval '1 day')
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

const visibleTo = (actor: Actor, customerId: typeof payments.customerId | typeof refunds.customerId) =>
  isCustomer(actor) ? eq(customerId, actor.id) : seesPayments(actor) ? ofStaff(actor, customerId) : sql`false`

const ofStaff = (actor: Actor, customerId: Parameters<typeof isNotDeleted>[0]) =>
  seesDeleted(actor) ? undefined : isNotDeleted(customerId)

/** The payments an actor may see. For everyone else they do not exist. */
export const visiblePayments = (actor: Actor): SQL | undefined => visibleTo(actor, payments.customerId)

/** The refunds an actor may see. */
export const visibleRefunds = (actor: Actor): SQL | undefined => visibleTo(actor, refunds.customerId)

/** The office's page of a project's account: its newest quote's, or its own before there is one. */
export async function projectAccountPath(db: Queryable, projectId: string): Promise<string> {
  const [quote] = await db
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), ne(quotes.state, 'draft'), eq(quotes.kind, 'installation')))
    .orderBy(desc(quotes.createdAt))
    .limit(1)
  return pathOf(projectId, quote?.id ?? null)
}

/** The same as a column of a query. */
export const newestQuoteOf = (projectId: unknown) => sql<string | null>`
  (select newest.id from quotes newest where newest.project_id = ${projectId}
    and newest.state <> 'draft' and newest.kind = 'installation' order by newest.created_at desc limit 1)`

/** The page of a project's account, given its newest quote. */
export const pathOf = (projectId: string, quoteId: string | null) =>
  quoteId ? quotePartPath(quoteId, 'cuenta') : `/admin/cotizations/cobros/${projectId}`

/** A refund, in the version that the form showed. */
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

/** Changes a refund that the actor may see; locks its project's row, then its own. */
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

/** Updates a locked refund, and its version. */
export const writeRefund = (tx: Tx, { id, version }: RefundRow, set: Partial<typeof refunds.$inferInsert>) =>
  tx
    .update(refunds)
    .set({ ...set, version: version + 1 })
    .where(eq(refunds.id, id))

/** Notifies the customer of a refund's new account by e-mail: a stolen session does not see the mailbox. */
export const notifyAccountChanged = (tx: Tx, { id }: Pick<RefundRow, 'id'>) =>
  enqueue(tx, 'letter', { letter: 'refund_account', refundId: id, to: 'customer' })

/** Records an event of a refund. */
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

export type RefundRow = typeof refunds.$inferSelect

/** A project's open refund, locked; there is one at most. */
export async function lockOpenRefund(tx: Tx, projectId: string): Promise<RefundRow | null> {
  const open = sql`${refunds.state} in (${listed(openRefundStates)})`
  const [row] = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.projectId, projectId), open))
    .for('update')
  return row ?? null
}

/** The refunds of the project that a customer's pages show, or else of any, which wait for the account that they go to. */
export const refundsWithoutAccount = (db: Db, { id, projectId }: Actor) =>
  db
    .select({ amount: refunds.amount })
    .from(refunds)
    .where(
      and(
        sql`${refunds.projectId} in (select id from projects where customer_id = ${id})`,
        projectId ? eq(refunds.projectId, projectId) : undefined,
        eq(refunds.state, 'requested'),
        isNull(refunds.clabe),
      ),
    )

type Asking = {
  projectId: string
  customerId: string
  /** The excess, in centavos. */
  amount: number
  reason: string
  quoteId?: string | null
  /** Null when the system proposes it. */
  requestedBy?: string | null
  clabe?: string | null
  beneficiary?: string | null
  accountAt?: Date
  /** Another e-mail of this event says so to the customer. */
  isMailed?: boolean
}

/** Writes a requested refund, and notifies its customer and the managers. */
export async function insertRefund(
  tx: Tx,
  { isMailed = false, ...asking }: Asking,
  now: Date,
): Promise<RefundRow> {
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
  if (!isMailed) await enqueue(tx, 'letter', { letter: 'refund_requested', refundId: id, to: 'customer' })
  await enqueue(tx, 'letter', { letter: 'refund_requested', refundId: id, to: 'managers' })
  return made!
}

/**
 * Proposes the refund of an excess. A requested refund is set to the new amount, or ends when nothing is left; a refused
 * one is not proposed again. Answers whether it is a new one.
 */
export async function proposeCredit(tx: Tx, asking: Asking, now: Date): Promise<boolean> {
  const open = await lockOpenRefund(tx, asking.projectId)
  if (open?.state === 'requested') await adjust(tx, open, asking.amount, now)
  if (open || asking.amount === 0 || (await wasRefused(tx, asking))) return false
  await insertRefund(tx, asking, now)
  return true
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

/** A payment that the actor may see; for all others it does not exist. */
export async function getPayment(db: Queryable, actor: Actor, id: string): Promise<PaymentRow> {
  if (!isId(id)) refuse('not-found')
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), visiblePayments(actor)))
  return row ?? refuse('not-found')
}
