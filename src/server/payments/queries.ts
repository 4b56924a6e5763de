import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  notExists,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import {
  type Match,
  matchesOf,
  type OpenLine,
  reconciles,
  recordedWithinDays,
  wordsIn,
} from '../../domain/payments/bank-matching.ts'
import { openPaymentStates } from '../../domain/payments/payment.ts'
import { addDays, localDate, minuteAt, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { keyset, listPage } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { bankLines, payments } from '../platform/database/schema/payments.ts'
import { newestQuoteOf, pathOf, visiblePayments } from './refund-rows.ts'

/** As many movements as somebody looks through at once. */
const pageSize = 100
const oldestFirst = keyset(bankLines, {
  direction: 'asc',
  key: (of) => [of.bookedOn, of.id],
  id: bankLines.id,
})
/** Movements of the same amounts on other pages: far more than there are. */
const mostAlike = 1_000
/** Payments that wait for the same amounts: far more than there are. */
const mostCandidates = 2_000

/** A payment beside a movement: enough to know it by. */
export type PairedPayment = Awaited<ReturnType<typeof candidatesFor>>[number]
export type ShownMatch = Match<PairedPayment>

/**
 * A page of the movements that nobody said anything of yet, oldest first, and which payments they seem to be; the first page
 * where there is none after that movement. `next` is the one that the page after this begins behind.
 */
export async function openMovements(db: Db, actor: Actor, after?: string) {
  if (!reconciles(actor)) return { lines: [], matches: [], total: 0, isFirst: true, next: null }
  const isOpen = eq(bankLines.state, 'open')
  const page = (from: string | undefined) =>
    listPage((place, limit) => selectLines(db, and(isOpen, place), limit), oldestFirst, from, pageSize)
  const behind = after && isId(after) ? await page(after) : null
  const isFirst = !behind?.rows.length
  const { rows: lines, next } = isFirst ? await page(undefined) : behind
  const alike = isFirst && !next ? [] : await alikeElsewhere(db, lines)
  const all = [...lines, ...alike].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const matches = all.length > 0 ? matchesOf(all, await candidatesFor(db, actor, all)) : []
  return {
    ...{ lines, isFirst, next, total: await db.$count(bankLines, isOpen) },
    matches: matches.filter(({ lineId }) => lines.some(({ id }) => id === lineId)),
  }
}

const placeOf = ({ bookedOn, id }: OpenLine) => bookedOn + id

/** Those of other pages with an amount of this one: what is there twice is nobody's, wherever it is shown. */
const alikeElsewhere = (db: Db, lines: readonly OpenLine[]) => {
  const { amount, id, state } = bankLines
  const [amounts, ids] = [lines.map((line) => line.amount), lines.map((line) => line.id)]
  return selectLines(
    db,
    and(eq(state, 'open'), inArray(amount, [...new Set(amounts)]), notInArray(id, ids)),
    mostAlike,
  )
}

function selectLines(db: Db, within: SQL | undefined, most: number): Promise<OpenLine[]> {
  const { amount, bookedOn, description, id, reference, trackingKey } = bankLines
  return db
    .select({ id, bookedOn, amount, description, reference, trackingKey })
    .from(bankLines)
    .where(within)
    .orderBy(...oldestFirst.orderBy)
    .limit(most)
}

/**
 * Payments that one of these movements may be: those asked for of the same amount or key, and transfers recorded by hand
 * under that key, or of the same amount around those days.
 */
async function candidatesFor(db: Db, actor: Actor, lines: readonly OpenLine[]) {
  const amounts = [...new Set(lines.map((line) => line.amount))]
  const words = [...new Set(lines.flatMap((line) => [...wordsIn(line)]))]
  const named = inArray(sql`upper(${payments.trackingKey})`, words)
  const ofAmount = inArray(payments.amount, amounts)
  const waiting = inArray(payments.state, openPaymentStates)
  const recorded = and(
    eq(payments.state, 'paid'),
    eq(payments.method, 'spei'),
    isNull(payments.reversedAt),
    isNull(payments.reversesId),
    isUntied(db),
  )
  const within = or(
    and(waiting, or(ofAmount, named)),
    and(recorded, or(named, and(ofAmount, paidAround(lines)))),
  )
  return selectPayments(db, and(visiblePayments(actor), within), mostCandidates)
}

/** Around the days of these movements, in local time. */
function paidAround(lines: readonly OpenLine[]): SQL {
  const days = lines.map(({ bookedOn }) => bookedOn).sort()
  const [first, end] = [
    addDays(days[0]!, -recordedWithinDays),
    addDays(days.at(-1)!, recordedWithinDays + 1),
  ].map((date) => toDate(minuteAt(date, '00:00')))
  return sql`${payments.paidAt} >= ${first} and ${payments.paidAt} < ${end}`
}

/** Who has no movement yet. */
const isUntied = (db: Db): SQL =>
  notExists(db.select({ id: bankLines.id }).from(bankLines).where(eq(bankLines.paymentId, payments.id)))

async function selectPayments(db: Db, within: SQL | undefined, most: number) {
  const { amount, concept, folio, id, paidAt, projectId, state, trackingKey, version } = payments
  const rows = await db
    .select({
      ...{ id, folio, state, amount, trackingKey, concept, version, projectId, paidAt },
      ...{ customer: users.fullName, quoteId: newestQuoteOf(projectId) },
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(within)
    .orderBy(sql`${state} = 'in_review' desc`, sql`${state} = 'paid'`, asc(payments.createdAt), asc(id))
    .limit(most)
  return rows.map(({ paidAt: paid, projectId: project, quoteId, ...row }) => ({
    ...{ ...row, to: pathOf(project, quoteId) },
    paidOn: paid && localDate(toMinutes(paid)),
  }))
}

/** Payments to choose from by hand: those that are waited for, proofs first. */
export const waitingPayments = async (db: Db, actor: Actor) =>
  reconciles(actor)
    ? selectPayments(db, and(visiblePayments(actor), inArray(payments.state, openPaymentStates)), 200)
    : []

/** The movements that something was said of, the last ones first: none of a payment that the reader does not see. */
export async function decidedMovements(db: Db, actor: Actor) {
  if (!reconciles(actor)) return []
  const { amount, bookedOn, decidedAt, description, id, reason, state } = bankLines
  return db
    .select({
      ...{ id, bookedOn, amount, description, reason, state },
      ...{ by: users.fullName, folio: payments.folio, decidedAt: sql<Date>`${decidedAt}`.mapWith(decidedAt) },
    })
    .from(bankLines)
    .leftJoin(payments, eq(payments.id, bankLines.paymentId))
    .leftJoin(users, eq(users.id, bankLines.decidedBy))
    .where(and(isNotNull(decidedAt), or(isNull(bankLines.paymentId), visiblePayments(actor) ?? sql`true`)))
    .orderBy(desc(decidedAt), desc(id))
    .limit(30)
}

export type DecidedMovement = Awaited<ReturnType<typeof decidedMovements>>[number]
