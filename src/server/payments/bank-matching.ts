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
  type BankLineMove,
  bankLineMachine,
  type Match,
  matchesOf,
  type OpenLine,
  reconciles,
  recordedWithinDays,
  wordsIn,
} from '../../domain/payments/bank-matching.ts'
import { openPaymentStates, paymentMachine } from '../../domain/payments/payment.ts'
import { addDays, localDate, minuteAt, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { type Db, databaseFault, isId, type Tx, transaction } from '../platform/database/client.ts'
import { keyset, listPage, record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { bankLines, payments } from '../platform/database/schema/payments.ts'
import { announce } from '../platform/live/announcements.ts'
import { keyOnce } from './proofs.ts'
import { recordPayment } from './record-payment.ts'
import {
  getPayment,
  lockPayment,
  lockProject,
  newestQuoteOf,
  type PaymentRow,
  pathOf,
  visiblePayments,
} from './rows.ts'

/** A movement and the payment that it is; the version is that of the payment as it was shown, null where none was. */
type Pair = { lineId: string; paymentId: string; version: number | null }

/**
 * The movement is this payment: one that is waited for is settled with what the bank says, one that was recorded before is
 * only tied to it. The same pair sent twice is one.
 */
export async function confirmPair(db: Db, actor: Actor, pair: Pair, now: Date): Promise<void> {
  if (!reconciles(actor)) refuse('permission-denied')
  const { customerId, projectId } = await getPayment(db, actor, pair.paymentId)
  await tiedOnce(() =>
    transaction(db, async (tx) => {
      await lockProject(tx, projectId)
      const held = await lockPayment(tx, pair.paymentId)
      const line = await lockLine(tx, pair.lineId)
      if (line.paymentId === held.id) return
      if (pair.version !== null && held.version !== pair.version) refuse('aborted')
      if (held.state === 'paid') await tie(tx, actor, held, line, now)
      else await recordMatch(tx, actor, held, line, now)
    }),
  )
  announce(db, { people: [customerId, projectId] })
}

async function recordMatch(tx: Tx, actor: Actor, held: PaymentRow, line: LineRow, now: Date): Promise<void> {
  paymentMachine.next('matchBankLine', actor, held)
  if (line.state !== 'open') return moveLine(tx, actor, line, 'settle', {}, now)
  const came = {
    amount: line.amount,
    method: 'spei',
    paidAt: cameAt(line.bookedOn, now),
    reviewed: true,
  } as const
  // What its customer typed may be wrong; what the bank says is what happened.
  const key = line.trackingKey ?? held.trackingKey
  const about = { projectId: held.projectId, paymentId: held.id, actorId: actor.id, trackingKey: key }
  const { row } = await keyOnce(() => recordPayment(tx, { ...about, ...came }, now))
  await moveLine(tx, actor, line, 'settle', { paymentId: row.id }, now)
}

/** Of the bank's day; what it dates today or, as on weekends, ahead came now. */
const cameAt = (bookedOn: string, now: Date) =>
  bookedOn >= localDate(toMinutes(now)) ? now : toDate(minuteAt(bookedOn, '12:00'))

async function tie(tx: Tx, actor: Actor, held: PaymentRow, line: LineRow, now: Date): Promise<void> {
  if (held.reversedAt) refuse('failed-precondition', 'Ese pago se corrigió: une el movimiento al que quedó.')
  if (held.method !== 'spei' || held.amount !== line.amount)
    refuse('failed-precondition', 'Ese pago ya está registrado, y no es una transferencia de esta cantidad.')
  await moveLine(tx, actor, line, 'tie', { paymentId: held.id }, now)
}

/** A payment is one movement of the bank. */
async function tiedOnce(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (databaseFault(error).constraint !== 'bank_lines_one_of_payment') throw error
    refuse('already-exists', 'Ese pago ya tiene su movimiento del banco.')
  }
}

/** Confirms several pairs, each by itself: what can't be any more is left as it is. Answers how many were, and how many were not. */
export async function confirmPairs(db: Db, actor: Actor, pairs: readonly Pair[], now: Date) {
  if (!reconciles(actor)) refuse('permission-denied')
  let confirmed = 0
  for (const pair of pairs)
    try {
      await confirmPair(db, actor, pair, now)
      confirmed++
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  return { confirmed, left: pairs.length - confirmed }
}

/** The same by hand: the payment is named by its folio. */
export async function tieByFolio(
  db: Db,
  actor: Actor,
  { folio, lineId }: { lineId: string; folio: string },
  now: Date,
): Promise<void> {
  if (!reconciles(actor)) refuse('permission-denied')
  const [payment] = await db
    .select({ id: payments.id, amount: payments.amount })
    .from(payments)
    .where(and(eq(payments.folio, folio), visiblePayments(actor)))
  if (!payment || payment.amount < 0) {
    const message = 'No hay un pago con ese folio. Búscalo en el libro de pagos.'
    return refuse('invalid-argument', message, { errors: { folio: message } })
  }
  await confirmPair(db, actor, { lineId, paymentId: payment.id, version: null }, now)
}

/** The movement is none of our payments, and why. Said twice, it is the same. */
export const ignoreLine = (
  db: Db,
  actor: Actor,
  { lineId, reason }: { lineId: string; reason: string },
  now: Date,
) =>
  changed(db, actor, lineId, (tx, line) =>
    line.state === 'ignored' && line.reason === reason
      ? Promise.resolve()
      : moveLine(tx, actor, line, 'ignore', { reason }, now),
  )

/** It is one after all. */
export const reopenLine = (db: Db, actor: Actor, lineId: string, now: Date) =>
  changed(db, actor, lineId, (tx, line) => moveLine(tx, actor, line, 'reopen', {}, now))

async function changed(
  db: Db,
  actor: Actor,
  lineId: string,
  change: (tx: Tx, line: LineRow) => Promise<void>,
): Promise<void> {
  if (!reconciles(actor)) refuse('permission-denied')
  await transaction(db, async (tx) => change(tx, await lockLine(tx, lineId)))
  announce(db, { people: [] })
}

type LineRow = typeof bankLines.$inferSelect

/** A movement's row, held until the transaction ends; after the project's and the payment's, where these are held too. */
export async function lockLine(tx: Tx, id: string): Promise<LineRow> {
  if (!isId(id)) refuse('not-found')
  const [row] = await tx.select().from(bankLines).where(eq(bankLines.id, id)).for('update')
  return row ?? refuse('not-found')
}

/** Carries out a move of a held movement, and leaves its trace. */
export async function moveLine(
  tx: Tx,
  actor: Actor,
  line: LineRow,
  move: BankLineMove,
  { paymentId = null, reason = null }: { paymentId?: string | null; reason?: string | null },
  now: Date,
): Promise<void> {
  const state = bankLineMachine.next(move, actor, line)
  const decided =
    state === 'open' ? { decidedBy: null, decidedAt: null } : { decidedBy: actor.id, decidedAt: now }
  await tx
    .update(bankLines)
    .set({ state, paymentId, reason, ...decided, version: line.version + 1 })
    .where(eq(bankLines.id, line.id))
  await record(tx, {
    entity: 'bank_line',
    entityId: line.id,
    actorId: actor.id,
    name: move,
    reason,
    fromState: line.state,
    toState: state,
    data: paymentId && { paymentId },
  })
}

/** As many movements as a person looks through at once. */
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
 * A page of the movements that no one said anything of yet, oldest first, and which payments they seem to be; the first page
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
    lines,
    isFirst,
    next,
    total: await db.$count(bankLines, isOpen),
    matches: matches.filter(({ lineId }) => lines.some(({ id }) => id === lineId)),
  }
}

const placeOf = ({ bookedOn, id }: OpenLine) => bookedOn + id

/** Those of other pages with an amount of this one: what is there twice is no person's, wherever it is shown. */
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
      id,
      folio,
      state,
      amount,
      trackingKey,
      concept,
      version,
      projectId,
      paidAt,
      customer: users.fullName,
      quoteId: newestQuoteOf(projectId),
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(within)
    .orderBy(sql`${state} = 'in_review' desc`, sql`${state} = 'paid'`, asc(payments.createdAt), asc(id))
    .limit(most)
  return rows.map(({ paidAt: paid, projectId: project, quoteId, ...row }) => ({
    ...row,
    to: pathOf(project, quoteId),
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
      id,
      bookedOn,
      amount,
      description,
      reason,
      state,
      by: users.fullName,
      folio: payments.folio,
      decidedAt: sql<Date>`${decidedAt}`.mapWith(decidedAt),
    })
    .from(bankLines)
    .leftJoin(payments, eq(payments.id, bankLines.paymentId))
    .leftJoin(users, eq(users.id, bankLines.decidedBy))
    .where(and(isNotNull(decidedAt), or(isNull(bankLines.paymentId), visiblePayments(actor) ?? sql`true`)))
    .orderBy(desc(decidedAt), desc(id))
    .limit(30)
}

export type DecidedMovement = Awaited<ReturnType<typeof decidedMovements>>[number]
