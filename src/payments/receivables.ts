import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type Actor, exportsLists } from '../access/rules/actor.ts'
import { type Db, isId, refusedOf, type Tx, transaction } from '../platform/database/client.ts'
import { inOrder, type Keyset, keyset, listChunks, listPage, record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { homeAmong, lockProject } from '../projects/open-project.ts'
import { refuse } from '../shared/refusal.ts'
import { getPayment, lockPayment, newestQuoteOf, pathOf, visiblePayments } from './rows.ts'
import { type PaymentOrder, paymentMachine, reviewsPayments, seesPayments } from './rules/payment.ts'
import {
  type AgeFilter,
  daysOverdue,
  mayRemind,
  type ReceivableAge,
  receivableAges,
} from './rules/receivable.ts'
import { countsIn, dueOf, isOfAge } from './sums.ts'

const longestFirst = keyset(payments, {
  direction: 'asc',
  key: (of) => [dueOf(of), of.id],
  id: payments.id,
})

/** When a customer was last reminded of any of their charges, by the office or the system. */
const lastReminder =
  sql<Date | null>`(select max(greatest(charge.reminded_at, (select max(told.at) from events told
    where told.entity = 'payment' and told.entity_id = charge.id and told.name = 'remind')))
  from payments charge where charge.customer_id = users.id)`.mapWith(payments.remindedAt)

/** The largest first. */
const largestFirst = keyset(payments, {
  direction: 'desc',
  key: (of) => [of.amount, of.id],
  id: payments.id,
})

type ReceivableFilters = {
  age?: AgeFilter | undefined
  after?: string | undefined
  order?: PaymentOrder | undefined
}

/** The charges that wait for their money, the longest overdue first, and the sum of each age. */
export async function listReceivables(
  db: Db,
  actor: Actor,
  { age, after, order: asked }: ReceivableFilters,
  now: Date,
) {
  const owed = owedTo(actor, now)
  const within = and(owed, age && isOfAge(age, now))
  const order = orderOf(asked)
  const [page, ages] = await Promise.all([
    listPage((place, limit) => rowsOf(db, and(within, place), { limit, now, order }), order, after),
    sumsOf(db, owed, now),
  ])
  return { ...page, ages }
}

const owedTo = (actor: Actor, now: Date) =>
  seesPayments(actor) ? and(countsIn('receivable', now), visiblePayments(actor)) : sql`false`
const orderOf = (asked: PaymentOrder | undefined) => inOrder(longestFirst, asked, { amount: largestFirst })

/** The same rows for a file, chunk by chunk, or those of these ids; for the office only. */
export function exportReceivables(
  db: Db,
  actor: Actor,
  { age, ids, order: asked }: ReceivableFilters & { ids?: readonly string[] | undefined },
  now: Date,
) {
  if (!exportsLists(actor)) refuse('not-found')
  const chosen = ids ? inArray(payments.id, ids.filter(isId)) : age && isOfAge(age, now)
  const order = orderOf(asked)
  return listChunks(
    (place, limit) => rowsOf(db, and(owedTo(actor, now), chosen, place), { limit, now, order }),
    order,
  )
}

/** A charge as the list shows it; centavos. */
export type Receivable = Awaited<ReturnType<typeof rowsOf>>[number]

type Read = { limit: number; now: Date; order: Keyset }

async function rowsOf(db: Db, within: SQL | undefined, { limit, now, order }: Read) {
  const { amount, concept, createdAt, customerId, dueAt, folio, id, projectId } = payments
  const rows = await db
    .select({
      id,
      folio,
      concept,
      amount,
      dueAt,
      createdAt,
      customer: users.fullName,
      home: homeAmong(projectId, customerId),
      customerId,
      phone: users.phone,
      projectId,
      quoteId: newestQuoteOf(projectId),
      remindedAt: lastReminder,
    })
    .from(payments)
    .innerJoin(users, eq(users.id, customerId))
    .where(within)
    .orderBy(...order.orderBy)
    .limit(limit)
  return rows.map(({ projectId: project, quoteId, ...row }) => ({
    ...row,
    to: pathOf(project, quoteId),
    days: daysOverdue(row, now),
    mayRemind: mayRemind(row.remindedAt, now),
  }))
}

/** The sum and the number of charges of an age. */
export type AgeSum = { age: ReceivableAge; amount: number; count: number }

async function sumsOf(db: Db, owed: SQL | undefined, now: Date): Promise<AgeSum[]> {
  const ages = Object.keys(receivableAges) as ReceivableAge[]
  const age = sql<ReceivableAge>`case ${sql.join(
    ages.map((one) => sql`when ${isOfAge(one, now)} then ${one}`),
    sql` `,
  )} end`
  const rows = await db
    .select({
      age,
      amount: sql<number>`sum(${payments.amount})`.mapWith(Number),
      count: sql<number>`count(*)::int`,
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(owed)
    .groupBy(sql`1`)
  return ages.map((one) => rows.find((row) => row.age === one) ?? { age: one, amount: 0, count: 0 })
}

/**
 * The office reminds a customer of a charge by e-mail. A person is reminded once a day, whatever they owe: two of the office
 * wait for each other at the person's row.
 */
export async function remindPayment(db: Db, actor: Actor, paymentId: string, now: Date): Promise<void> {
  const { customerId, projectId } = await getPayment(db, actor, paymentId)
  await transaction(db, async (tx) => {
    await lockProject(tx, projectId)
    await tx.select({ id: users.id }).from(users).where(eq(users.id, customerId)).for('no key update')
    const held = await lockPayment(tx, paymentId)
    const state = paymentMachine.next('remind', actor, held)
    if (!mayRemind(await lastReminderOf(tx, customerId), now))
      refuse('already-exists', 'Hoy ya recibió un recordatorio de pago. Mañana puedes enviarle otro.')
    await record(tx, {
      entity: 'payment',
      entityId: paymentId,
      actorId: actor.id,
      name: 'remind',
      fromState: held.state,
      toState: state,
    })
    await enqueue(tx, 'letter', { letter: 'payment_reminder', paymentId, to: 'customer' })
  })
  announce(db, { people: [customerId, projectId] })
}

async function lastReminderOf(tx: Tx, customerId: string): Promise<Date | null> {
  const [row] = await tx.select({ at: lastReminder }).from(users).where(eq(users.id, customerId))
  return row?.at ?? null
}

/** How many customers were reminded, and for each of the other charges why not, the longest overdue first. */
type Reminded = {
  done: number
  left: { id: string; folio: string; customer: string; why: string; to: string }[]
}

/** Reminds of several charges, each as `remindPayment` does; what is refused of one is no matter of the others. */
export async function remindChosen(
  db: Db,
  actor: Actor,
  ids: readonly string[],
  now: Date,
): Promise<Reminded> {
  if (!reviewsPayments(actor)) refuse('permission-denied')
  const why = await refusedOf(ids, (id) => remindPayment(db, actor, id, now))
  return { done: ids.length - why.size, left: await leftOf(db, actor, why) }
}

async function leftOf(db: Db, actor: Actor, why: ReadonlyMap<string, string>): Promise<Reminded['left']> {
  if (why.size === 0) return []
  const { customerId, folio, id, projectId } = payments
  const rows = await db
    .select({ id, folio, projectId, customer: users.fullName, quoteId: newestQuoteOf(projectId) })
    .from(payments)
    .innerJoin(users, eq(users.id, customerId))
    .where(and(inArray(id, [...why.keys()]), visiblePayments(actor)))
    .orderBy(...longestFirst.orderBy)
  return rows.map(({ projectId: project, quoteId, ...row }) => ({
    ...row,
    why: why.get(row.id) ?? '',
    to: pathOf(project, quoteId),
  }))
}
