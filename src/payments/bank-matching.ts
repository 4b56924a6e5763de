import { and, desc, eq, inArray, isNotNull, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, databaseFault, isId, type Tx, transaction } from '../platform/database/client.ts'
import { keyset, listPage, record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { bankLines, payments } from '../platform/database/schema/payments.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockProject } from '../projects/open-project.ts'
import { localDate, minuteAt, toDate, toMinutes } from '../shared/calendar.ts'
import { lowerFirst, money } from '../shared/format.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { bookedAmount, candidatesFor, type PairedPayment, paymentOfFolio } from './bank-candidates.ts'
import { assertSure } from './proofs.ts'
import { recordPayment } from './record-payment.ts'
import { getPayment, ledgerFactsOf, lockPayment, type PaymentRow, visiblePayments } from './rows.ts'
import {
  type BankLineMove,
  bankLineMachine,
  type Match,
  matchesOf,
  type OpenLine,
  reconciles,
} from './rules/bank-matching.ts'
import {
  type Consequence,
  conceptLabels,
  consequenceOf,
  consequenceWords,
  paymentMachine,
} from './rules/payment.ts'
import { keyOnce } from './tracking-keys.ts'

/** A bank line and the payment it is matched with. */
type Pair = {
  lineId: string
  paymentId: string
  /** The version of the payment on the screen, null where none was shown. */
  version: number | null
  /** The amount whose effect was shown, in centavos. */
  sure: number | null
}

/**
 * Matches a bank line with a payment: an open one is settled with the bank's data, one recorded before is only linked.
 * The same pair sent twice is one match.
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
      if (pair.version !== null) await assertVersion(tx, actor, 'payment', held, pair.version)
      if (held.state === 'paid') await tie(tx, actor, held, line, now)
      else await recordMatch(tx, actor, held, { line, sure: pair.sure }, now)
    }),
  )
  announce(db, { people: [customerId, projectId] })
}

type Settling = { line: LineRow } & Pick<Pair, 'sure'>

async function recordMatch(
  tx: Tx,
  actor: Actor,
  held: PaymentRow,
  { line, sure }: Settling,
  now: Date,
): Promise<void> {
  paymentMachine.next('matchBankLine', actor, held)
  if (line.state !== 'open') return moveLine(tx, actor, line, 'settle', {}, now)
  const { ledger } = await ledgerFactsOf(tx, held.projectId)
  const consequence = consequenceOf(line.amount, held.amount, ledger.owed)
  assertSure({ amount: line.amount, consequence, isTyped: false }, { sure, again: null, sureKey: null })
  const came = {
    amount: line.amount,
    method: 'spei',
    paidAt: cameAt(line.bookedOn, now),
    reviewed: true,
  } as const
  // The customer may have mistyped the key: the bank's is used.
  const key = line.trackingKey ?? held.trackingKey
  const about = { projectId: held.projectId, paymentId: held.id, actorId: actor.id, trackingKey: key }
  const { row } = await keyOnce(() => recordPayment(tx, { ...about, ...came }, now))
  await moveLine(tx, actor, line, 'settle', { paymentId: row.id }, now)
}

/** Noon of the bank's day; now for today and later days: on weekends banks date ahead. */
const cameAt = (bookedOn: string, now: Date) =>
  bookedOn >= localDate(toMinutes(now)) ? now : toDate(minuteAt(bookedOn, '12:00'))

async function tie(tx: Tx, actor: Actor, held: PaymentRow, line: LineRow, now: Date): Promise<void> {
  if (held.reversedAt)
    refuse('failed-precondition', 'Ese pago se corrigió: asigna el movimiento al que quedó.')
  if (held.method !== 'spei' || (await bookedAmount(tx, held)) !== line.amount)
    refuse('failed-precondition', otherAmount)
  await moveLine(tx, actor, line, 'tie', { paymentId: held.id }, now)
}

const otherAmount = 'Ese pago ya está registrado, y no es una transferencia de esta cantidad.'

/** Refuses a payment that is matched with another bank line already. */
async function tiedOnce(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (databaseFault(error).constraint !== 'bank_lines_one_of_payment') throw error
    refuse('already-exists', 'Ese pago ya tiene su movimiento del banco.')
  }
}

/** Confirms several pairs, each in its own transaction; refused ones are skipped. Returns how many were confirmed and skipped. */
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

type Tying = Pick<Pair, 'lineId' | 'sure'> & {
  folio: string
  /** The payment whose customer and amount were shown before. */
  seen: Pick<PairedPayment, 'id' | 'version'> | null
}

/**
 * Matches a bank line by hand with the payment of a folio: refused once, with whose it is; the form confirms it.
 * Returns the payment's id.
 */
export async function tieByFolio(
  db: Db,
  actor: Actor,
  { folio, lineId, seen, sure }: Tying,
  now: Date,
): Promise<string> {
  if (!reconciles(actor)) refuse('permission-denied')
  const payment = await paymentOfFolio(db, actor, folio)
  if (!payment || payment.amount < 0) {
    const message = 'No hay un pago con ese folio. Búscalo en el libro de pagos.'
    return refuse('invalid-argument', message, { errors: { folio: message } })
  }
  if (seen?.id !== payment.id) await askWhose(db, lineId, payment)
  await confirmPair(db, actor, { lineId, paymentId: payment.id, version: seen?.version ?? null, sure }, now)
  return payment.id
}

/** A payment chosen by its folio, as it is shown before a bank line is matched with it. */
export type ChosenPayment = Pick<PairedPayment, 'id' | 'version' | 'folio' | 'state'>

/** Refuses an open line, and says whose payment it would be and what that does. */
async function askWhose(db: Db, lineId: string, payment: PairedPayment): Promise<void> {
  const [line] = isId(lineId) ? await db.select().from(bankLines).where(eq(bankLines.id, lineId)) : []
  // Its own refusal follows, or it is this payment's already.
  if (line?.state !== 'open') return
  const { amount, concept, customer, folio, id, projectId, state, version } = payment
  if (state === 'paid' && amount !== line.amount) refuse('failed-precondition', otherAmount)
  const { ledger } = await ledgerFactsOf(db, projectId)
  const consequence = state === 'paid' ? null : consequenceOf(line.amount, amount, ledger.owed)
  const then = consequence ? consequenceWords(consequence) : wouldBe[state === 'paid' ? 'tied' : 'recorded']
  const chosen: ChosenPayment = { id, version, folio, state }
  throw new Refusal('failed-precondition', {
    title: '¿Es este pago?',
    description: `${folio}, de ${customer}: ${lowerFirst(conceptLabels[concept])} por ${money(amount)}. ${then}`,
    details: { chosen, confirm: { amount: line.amount, twice: false, used: null } },
  })
}

const wouldBe = {
  tied: 'Ya está registrado: el movimiento solo se le asigna.',
  recorded: 'Queda registrado como pagado.',
}

/** Marks a bank line as none of our payments, with a reason. The same form sent twice is one change. */
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

/** Undoes that mark. */
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

/** The row of a bank line, locked until the transaction ends; lock the project and the payment before it. */
export async function lockLine(tx: Tx, id: string): Promise<LineRow> {
  if (!isId(id)) refuse('not-found')
  const [row] = await tx.select().from(bankLines).where(eq(bankLines.id, id)).for('update')
  return row ?? refuse('not-found')
}

/** Makes a transition of a locked bank line, and records the event. */
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

/** The bank lines on a page. */
const pageSize = 50
const oldestFirst = keyset(bankLines, {
  direction: 'asc',
  key: (of) => [of.bookedOn, of.id],
  id: bankLines.id,
})

/** The limit of bank lines of equal amounts on other pages; real data stays far below. */
const mostAlike = 1_000

/**
 * A page of the open bank lines, oldest first, each with the payments it may be; the first page where none follows the
 * given line. `next` is the cursor of the next page.
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
  const shown = matches.filter(({ lineId }) => lines.some(({ id }) => id === lineId))
  return {
    lines,
    isFirst,
    next,
    total: await db.$count(bankLines, isOpen),
    matches: await Promise.all(
      shown.map(async (match) => ({ ...match, consequence: await effectOf(db, match, lines) })),
    ),
  }
}

/** What a movement of another amount than its payment's does; null for the others. */
async function effectOf(
  db: Db,
  { lineId, payment: { amount, projectId, state } }: Match<PairedPayment>,
  lines: readonly OpenLine[],
): Promise<Consequence | null> {
  const came = lines.find(({ id }) => id === lineId)!.amount
  if (state === 'paid' || came === amount) return null
  const { ledger } = await ledgerFactsOf(db, projectId)
  return consequenceOf(came, amount, ledger.owed)
}

export type ShownMatch = Match<PairedPayment> & { consequence: Consequence | null }

const placeOf = ({ bookedOn, id }: OpenLine) => bookedOn + id

/** The bank lines of other pages with an amount of this page: an amount that occurs twice is not matched by itself. */
const alikeElsewhere = (db: Db, lines: readonly OpenLine[]) => {
  const { amount, id, state } = bankLines
  const amounts = lines.map((line) => line.amount)
  const ids = lines.map((line) => line.id)
  return selectLines(
    db,
    and(eq(state, 'open'), inArray(amount, [...new Set(amounts)]), notInArray(id, ids)),
    mostAlike,
  )
}

/** The open bank lines with a tracking key in capitals, each with the line before it in the list. */
export async function openMovementsByKey(db: Db, actor: Actor, key: string, most: number) {
  if (!reconciles(actor)) return []
  const { amount, bookedOn, description, id, state, trackingKey } = bankLines
  const before = sql<string | null>`(select earlier.id from bank_lines earlier where earlier.state = 'open'
    and (earlier.booked_on, earlier.id) < (bank_lines.booked_on, bank_lines.id)
    order by earlier.booked_on desc, earlier.id desc limit 1)`
  return db
    .select({ id, amount, bookedOn, description, trackingKey, before })
    .from(bankLines)
    .where(sql`${state} = 'open' and upper(${trackingKey}) = ${key}`)
    .orderBy(...oldestFirst.orderBy)
    .limit(most)
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

/** The decided bank lines, the latest first, without those of payments that the actor may not see. */
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
