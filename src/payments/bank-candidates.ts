import { and, asc, desc, eq, inArray, isNull, ne, notExists, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../access/rules/actor.ts'
import type { Db, Tx } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { bankLines, bankStatements, payments } from '../platform/database/schema/payments.ts'
import { addDays, localDate, minuteAt, timeZone, toDate, toMinutes } from '../shared/calendar.ts'
import { newestQuoteOf, pathOf, visiblePayments } from './rows.ts'
import {
  type Candidate,
  foliosIn,
  matchesOf,
  type OpenLine,
  reconciles,
  recordedWithinDays,
  wordsIn,
} from './rules/bank-matching.ts'
import { openPaymentStates } from './rules/payment.ts'

/** The limit of open payments of equal amounts; real data stays far below. */
const mostCandidates = 2_000

/** A payment as it is shown beside a bank line. */
export type PairedPayment = Awaited<ReturnType<typeof candidatesFor>>[number]

/**
 * The payments that these bank lines may be: open ones of the same amount, key or folio, and recorded transfers without
 * a bank line of the same key or folio, or of the same amount around those days.
 */
export async function candidatesFor(db: Db, actor: Actor, lines: readonly OpenLine[]) {
  const amounts = [...new Set(lines.map((line) => line.amount))]
  const words = [...new Set(lines.flatMap((line) => [...wordsIn(line)]))]
  const folios = [...new Set(lines.flatMap((line) => [...foliosIn(line)]))]
  const named = or(
    inArray(sql`upper(${payments.trackingKey})`, words),
    folios.length > 0 ? inArray(payments.folio, folios) : undefined,
  )
  const waiting = inArray(payments.state, openPaymentStates)
  const within = or(
    and(waiting, or(inArray(payments.amount, amounts), named)),
    and(isUntied(db), or(named, and(inArray(booked, amounts), paidAround(lines)))),
  )
  return selectPayments(db, and(visiblePayments(actor), within), mostCandidates)
}

/** Some days before and after these bank lines, in local time. */
function paidAround(lines: readonly OpenLine[]): SQL {
  const days = lines.map(({ bookedOn }) => bookedOn).sort()
  const startOf = (date: string) => toDate(minuteAt(date, '00:00'))
  const first = startOf(addDays(days[0]!, -recordedWithinDays))
  const end = startOf(addDays(days.at(-1)!, recordedWithinDays + 1))
  return sql`${payments.paidAt} >= ${first} and ${payments.paidAt} < ${end}`
}

const copyOf = (name: string) => alias(payments, name) as unknown as typeof payments
const excess = copyOf('excess')
const booking = copyOf('booking')

/** Whether a row is the rest of a transfer: received with its first row, beyond what that asked for. */
const isExcessOf = (rest: typeof payments, of: typeof payments) => sql`${rest.projectId} = ${of.projectId}
  and ${rest.followsId} = ${of.id} and ${rest.state} = 'paid' and ${rest.trackingKey} is null
  and ${rest.method} = ${of.method} and ${rest.paidAt} = ${of.paidAt} and ${of.state} = 'paid'
  and ${rest.reversedAt} is null and ${rest.reversesId} is null and ${rest.concept} <> 'refund'`

/** All of a payment, in centavos, with its excess; in a query that joins another table. */
const booked = sql<number>`(${payments.amount} + coalesce((select sum(${excess.amount})
  from ${payments} excess where ${isExcessOf(excess, payments)}), 0))`.mapWith(Number)

/** All of a recorded payment, in centavos, with its excess. */
export async function bookedAmount(tx: Tx, { id }: { id: string }): Promise<number> {
  const rows = await tx
    .select({ amount: excess.amount })
    .from(payments)
    .innerJoin(excess, or(eq(excess.id, payments.id), isExcessOf(excess, payments)))
    .where(eq(payments.id, id))
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}

/** Recorded transfers without a bank line, each once. */
const isUntied = (db: Db): SQL | undefined =>
  and(
    eq(payments.state, 'paid'),
    eq(payments.method, 'spei'),
    ne(payments.concept, 'refund'),
    isNull(payments.reversedAt),
    isNull(payments.reversesId),
    notExists(db.select({ id: bankLines.id }).from(bankLines).where(eq(bankLines.paymentId, payments.id))),
    sql`not exists (select from ${payments} booking where ${isExcessOf(payments, booking)})`,
  )

const waitingFirst = [
  sql`${payments.state} = 'in_review' desc`,
  sql`${payments.state} = 'paid'`,
  asc(payments.createdAt),
  asc(payments.id),
]

async function selectPayments(db: Db, within: SQL | undefined, most: number, order = waitingFirst) {
  const { concept, folio, id, paidAt, projectId, state, trackingKey, version } = payments
  const rows = await db
    .select({
      id,
      folio,
      state,
      amount: booked,
      trackingKey,
      concept,
      version,
      projectId,
      paidAt,
      customer: users.fullName,
      customerId: payments.customerId,
      quoteId: newestQuoteOf(projectId),
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(within)
    .orderBy(...order)
    .limit(most)
  return rows.map(({ paidAt: paid, quoteId, ...row }) => ({
    ...row,
    to: pathOf(row.projectId, quoteId),
    paidOn: paid && localDate(toMinutes(paid)),
  }))
}

/** Open payments to choose from by hand, those with a proof first. */
export const waitingPayments = async (db: Db, actor: Actor) =>
  reconciles(actor)
    ? selectPayments(db, and(visiblePayments(actor), inArray(payments.state, openPaymentStates)), 200)
    : []

/** The payment with a folio, of those that the actor may see. */
export const paymentOfFolio = async (db: Db, actor: Actor, folio: string): Promise<PairedPayment | null> =>
  (await selectPayments(db, and(visiblePayments(actor), eq(payments.folio, folio)), 1))[0] ?? null

/** The most payments without a movement that are shown at first, and when all are asked for. */
const firstLacking = 50
const mostLacking = 1_000

/** The day on which a payment was received, in local time. */
const paidDay = sql`(${payments.paidAt} at time zone ${sql.raw(`'${timeZone}'`)})::date`

/**
 * The recorded transfers that the bank does not have, the latest first, and how many there are: received within the days of a statement that was
 * read, and no bank line is theirs, nor may an open one be by its key or amount.
 */
export async function paymentsWithoutMovement(db: Db, actor: Actor, isAll = false) {
  if (!reconciles(actor)) return { found: [], total: 0 }
  const { amount, bookedOn, state, trackingKey } = bankLines
  const { coversFrom, coversTo, readAt } = bankStatements
  const covered = sql`exists (select from ${bankStatements} where ${readAt} is not null
    and ${paidDay} between ${coversFrom} and ${coversTo})`
  const mayBeOpen = sql`exists (select from ${bankLines} where ${state} = 'open'
    and (${trackingKey} = upper(${payments.trackingKey}) or (${amount} = ${booked}
      and ${bookedOn} between ${paidDay} - ${recordedWithinDays}::int and ${paidDay} + ${recordedWithinDays}::int)))`
  // The bounds use the index by day; before any file is read they are null, and nothing is listed.
  const bound = (date: SQL) =>
    sql`(select ${date}::timestamp at time zone ${sql.raw(`'${timeZone}'`)} from ${bankStatements})`
  const within = and(
    visiblePayments(actor),
    isUntied(db),
    sql`${payments.paidAt} >= ${bound(sql`min(${coversFrom})`)}`,
    sql`${payments.paidAt} < ${bound(sql`(max(${coversTo}) + 1)`)}`,
    covered,
    sql`not ${mayBeOpen}`,
  )
  const most = isAll ? mostLacking : firstLacking
  const found = await selectPayments(db, within, most, [desc(payments.paidAt), desc(payments.id)])
  return { found, total: found.length < most ? found.length : await db.$count(payments, within) }
}

/** The most open movements of the same amounts that are compared; real data stays far below. */
const mostMovements = 1_000

/** The pending payments that an open movement of the bank is surely for: it has their amount, and their key or folio. */
export async function cameToBank(
  db: Db,
  rows: readonly Omit<Candidate, 'paidOn'>[],
): Promise<ReadonlySet<string>> {
  const amounts = rows.map(({ amount }) => amount)
  const lines = await db
    .select()
    .from(bankLines)
    .where(and(eq(bankLines.state, 'open'), inArray(bankLines.amount, amounts)))
    .limit(mostMovements)
  const pending = rows.map((row) => ({ ...row, paidOn: null }))
  return new Set(matchesOf(lines, pending).flatMap(({ payment, sure }) => (sure ? payment.id : [])))
}
