import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type BankLineMove, bankLineMachine, reconciles } from '../../domain/payments/bank-matching.ts'
import { paymentMachine } from '../../domain/payments/payment.ts'
import { localDate, minuteAt, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { type Db, databaseFault, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { bankLines, payments } from '../platform/database/schema/payments.ts'
import { announce } from '../platform/live/announcements.ts'
import { getPayment } from './payments-queries.ts'
import { lockPayment, lockProject, type PaymentRow } from './payments-rows.ts'
import { keyOnce } from './proofs.ts'
import { recordPayment } from './record-payment.ts'
import { visiblePayments } from './refund-rows.ts'

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
  paymentMachine.next('confirm', actor, held)
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
    ...{ entity: 'bank_line', entityId: line.id, actorId: actor.id, name: move, reason },
    ...{ fromState: line.state, toState: state, data: paymentId && { paymentId } },
  })
}
