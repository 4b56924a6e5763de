import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { paymentMachine, seesPayments } from '../../domain/payments/payment.ts'
import {
  datesOfAge,
  daysOverdue,
  mayRemind,
  type ReceivableAge,
  receivableAges,
} from '../../domain/payments/receivable.ts'
import { localDate, minuteAt, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { holds, keyset, listPage, record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { getPayment, lockPayment, lockProject, newestQuoteOf, pathOf, visiblePayments } from './rows.ts'

/** When a charge is due; without a date, when it was made. */
const dueOf = ({ createdAt, dueAt }: typeof payments) => sql`coalesce(${dueAt}, ${createdAt})`
const longestFirst = keyset(payments, {
  direction: 'asc',
  key: (of) => [dueOf(of), of.id],
  id: payments.id,
})

/** When the customer was last reminded of a charge, by the office or the system. */
const lastReminder = sql<Date | null>`greatest(${payments.remindedAt}, (select max(told.at) from events told
  where told.entity = 'payment' and told.entity_id = ${payments.id} and told.name = 'remind'))`.mapWith(
  payments.remindedAt,
)

const isOfAge = (age: ReceivableAge, now: Date): SQL => {
  const { before, from } = datesOfAge(age, localDate(toMinutes(now)))
  const midnight = (date: string) => toDate(minuteAt(date, '00:00'))
  return sql`(${from ? sql`${dueOf(payments)} >= ${midnight(from)}` : sql`true`}
    and ${before ? sql`${dueOf(payments)} < ${midnight(before)}` : sql`true`})`
}

/** The charges that wait for their money, the longest overdue first, and the sum of each age. */
export async function listReceivables(
  db: Db,
  actor: Actor,
  { age, after }: { age?: ReceivableAge | undefined; after?: string | undefined },
  now: Date,
) {
  const owed = seesPayments(actor)
    ? and(holds(payments.state, 'pending'), visiblePayments(actor))
    : sql`false`
  const within = and(owed, age && isOfAge(age, now))
  const [page, ages] = await Promise.all([
    listPage((place, limit) => rowsOf(db, and(within, place), { limit, now }), longestFirst, after),
    sumsOf(db, owed, now),
  ])
  return { ...page, ages }
}

/** A charge as the list shows it; centavos. */
export type Receivable = Awaited<ReturnType<typeof rowsOf>>[number]

async function rowsOf(db: Db, within: SQL | undefined, { limit, now }: { limit: number; now: Date }) {
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
      customerId,
      phone: users.phone,
      projectId,
      quoteId: newestQuoteOf(projectId),
      remindedAt: lastReminder,
    })
    .from(payments)
    .innerJoin(users, eq(users.id, customerId))
    .where(within)
    .orderBy(...longestFirst.orderBy)
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

/** The office reminds a customer of a charge by e-mail, once a day. */
export async function remindPayment(db: Db, actor: Actor, paymentId: string, now: Date): Promise<void> {
  const { customerId, projectId } = await getPayment(db, actor, paymentId)
  await transaction(db, async (tx) => {
    await lockProject(tx, projectId)
    const held = await lockPayment(tx, paymentId)
    const state = paymentMachine.next('remind', actor, held)
    if (!mayRemind(await lastReminderOf(tx, paymentId), now))
      refuse('already-exists', 'Hoy ya se le recordó este pago. Mañana puedes recordárselo otra vez.')
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

async function lastReminderOf(tx: Tx, id: string): Promise<Date | null> {
  const [row] = await tx
    .select({ at: lastReminder })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(eq(payments.id, id))
  return row?.at ?? null
}
