import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Actor, exportsLists, isCustomer } from '../access/rules/actor.ts'
import { yearOptions } from '../appointments/rules/appointment.ts'
import { type Db, isId } from '../platform/database/client.ts'
import {
  contains,
  countBeside,
  holds,
  inOrder,
  type Keyset,
  keyset,
  listChunks,
  listPage,
  onDays,
} from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { documents, payments, quotes, refunds } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { homeAmongAll, openProjectOf, projectRow } from '../projects/open-project.ts'
import { minuteAt, timeZone, toDate } from '../shared/calendar.ts'
import { type Count, countOf } from '../shared/count.ts'
import { refuse } from '../shared/refusal.ts'
import { searchWords } from '../shared/search.ts'
import { cameToBank } from './bank-candidates.ts'
import { refundTermsOf } from './refunds.ts'
import { ledgerFactsOf, newestQuoteOf, type PaymentRow, pathOf, visiblePayments } from './rows.ts'
import { isOwnCharge } from './rules/ledger.ts'
import {
  type Concept,
  conceptLabels,
  conceptOf,
  decidesRefunds,
  type RefundState,
  reviewsPayments,
  seesPayments,
} from './rules/payment.ts'
import { type LedgerTotals, type MoneyFigure, moneyFigures, type PaymentFilters } from './rules/receivable.ts'
import { countedAt, countsIn, figureSum, withBooks } from './sums.ts'
import { sameKeysOf } from './tracking-keys.ts'

/** One line of a project's account, a charge or a payment, in centavos. */
export type LedgerLine = {
  id: string
  at: Date
  label: string
  folio: string
  charge: number
  payment: number
}

/** Everything about the money of a project, for actors who may see it; null for actors who may not. */
export async function accountOf(db: Db, actor: Actor, projectId: string) {
  if (!isId(projectId)) return null
  const [project, { accepted, facts, kept, ledger }, back] = await Promise.all([
    projectRow(db, projectId),
    ledgerFactsOf(db, projectId),
    refundsOf(db, projectId),
  ])
  const isTheirs = isCustomer(actor) ? project?.customerId === actor.id : seesPayments(actor)
  if (!project || !isTheirs) return null
  const inReview = facts.rows.filter(({ state }) => state === 'in_review')
  const [papers, used, terms] = await Promise.all([
    papersOf(
      db,
      [...facts.rows, ...back].map(({ proofId }) => proofId),
    ),
    seesPayments(actor) ? sameKeysOf(db, inReview) : null,
    Promise.all(back.map(({ quoteId }) => refundTermsOf(db, quoteId))),
  ])
  const withProof = <Row extends { proofId: string | null }>(row: Row) => ({
    ...row,
    proof: papers.find(({ id }) => id === row.proofId) ?? null,
  })
  return {
    ledger,
    lines: linesOf(accepted, facts.rows, kept),
    payments: facts.rows.map((row) => ({ ...withProof(row), sameKeys: used?.get(row.id) ?? [] })),
    refunds: back.map((refund, at) => ({ ...withProof(refund), terms: terms[at] ?? null })),
  }
}

const refundsOf = (db: Db, projectId: string) =>
  db.select().from(refunds).where(eq(refunds.projectId, projectId)).orderBy(desc(refunds.createdAt))

async function papersOf(db: Db, ids: readonly (string | null)[]) {
  const known = ids.filter((id) => id !== null)
  if (known.length === 0) return []
  const { bytes, id, name, type } = documents
  return db.select({ id, name, bytes, type }).from(documents).where(inArray(id, known))
}

type Facts = Awaited<ReturnType<typeof ledgerFactsOf>>

const quoteLabels = { installation: 'Instalación', extra_work: conceptLabels.extra_work } as const

/** Charges and payments, the oldest first. Their sums are the ledger's. */
function linesOf(
  accepted: Facts['accepted'],
  rows: readonly PaymentRow[],
  kept: Facts['kept'],
): LedgerLine[] {
  const charge = (id: string, at: Date, folio: string, label: string, amount: number): LedgerLine => {
    return { id, at, folio, label, charge: amount, payment: 0 }
  }
  const lines = [
    ...accepted.map((of) => charge(of.id, of.acceptedAt, of.folio, quoteLabels[of.kind], of.total)),
    ...rows
      .filter((row) => isOwnCharge(row) && !row.reversedAt && !row.reversesId)
      .map((of) => charge(`charge-${of.id}`, of.createdAt, of.folio, conceptLabels[of.concept], of.amount)),
    ...kept.map(({ decidedAt, folio, materials }) =>
      charge(`materials-${folio}`, decidedAt ?? new Date(0), folio, 'Material comprado', materials),
    ),
    ...rows.flatMap(({ amount: payment, folio, id, paidAt: at, ...row }) =>
      at ? [{ id, at, folio, charge: 0, payment, label: conceptOf(row) }] : [],
    ),
  ]
  return lines.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** The project whose account a customer is shown: the open one that is meant, or else the newest. */
export async function ownProjectId(db: Db, actor: Actor): Promise<string | null> {
  const open = await openProjectOf(db, actor)
  if (open) return open.id
  const [row] = await db
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.customerId, actor.id))
    .orderBy(desc(projects.createdAt))
    .limit(1)
  return row?.id ?? null
}

/** The refund terms of a project's accepted quote; null where there is none. */
export async function agreedTermsOf(db: Db, projectId: string): Promise<string | null> {
  const agreed = and(
    eq(quotes.projectId, projectId),
    eq(quotes.state, 'accepted'),
    eq(quotes.kind, 'installation'),
  )
  const [quote] = await db.select({ content: quotes.content }).from(quotes).where(agreed)
  return quote?.content.refundTerms ?? null
}

/** The owner of an account, by name; the caller has checked access. */
export async function payerOf(db: Db, projectId: string): Promise<string> {
  const [row] = await db
    .select({ name: users.fullName })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.customerId))
    .where(eq(projects.id, projectId))
  return row?.name ?? ''
}

const day = countedAt(payments)
const latestFirst = keyset(payments, {
  direction: 'desc',
  key: (of) => [countedAt(of), of.id],
  id: payments.id,
})
/** The largest first. */
const largestFirst = keyset(payments, {
  direction: 'desc',
  key: (of) => [of.amount, of.id],
  id: payments.id,
})
const orderOf = ({ order }: PaymentFilters) => inOrder(latestFirst, order, { amount: largestFirst })

const local = (part: 'month' | 'year', of: SQL = day) =>
  sql<number | null>`extract(${sql.raw(part)} from ${of} at time zone ${sql.raw(`'${timeZone}'`)})::int`

/** A page of all payments, the latest first, with the totals of all rows under the filters. */
export async function listPayments(db: Db, actor: Actor, asked: PaymentFilters, now: Date, after?: string) {
  const within = narrowed(actor, asked, now)
  const order = orderOf(asked)
  const [page, totals, years] = await Promise.all([
    listPage((place, limit) => rowsOf(db, and(within, place), limit, order), order, after),
    totalsOf(db, within, now),
    yearsOf(db, actor),
  ])
  return { ...page, totals, years }
}

/** All payments under some filters, or those of these ids, for an export, chunk by chunk; for the office only. */
export function exportPayments(
  db: Db,
  actor: Actor,
  asked: PaymentFilters,
  now: Date,
  ids?: readonly string[],
) {
  if (!exportsLists(actor)) refuse('not-found')
  const order = orderOf(asked)
  const within = ids
    ? and(narrowed(actor, {}, now), inArray(payments.id, ids.filter(isId)))
    : narrowed(actor, asked, now)
  return listChunks(
    async (place, limit) => withBooks(db, await rowsOf(db, and(within, place), limit, order)),
    order,
  )
}

async function rowsOf(db: Db, within: SQL | undefined, most: number, order: Keyset) {
  const { amount, bank, concept, folio, id, method, projectId, reversedAt, reversesId, state, trackingKey } =
    payments
  const rows = await db
    .select({
      id,
      folio,
      concept,
      method,
      state,
      amount,
      bank,
      trackingKey,
      projectId,
      reversedAt,
      reversesId,
      at: sql<Date>`${day}`.mapWith(payments.createdAt),
      customer: users.fullName,
      customerId: payments.customerId,
      phone: users.phone,
      home: homeAmongAll(projectId, payments.customerId),
      quoteId: newestQuoteOf(projectId),
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(within)
    .orderBy(...order.orderBy)
    .limit(most)
  return rows.map(({ projectId: project, quoteId, ...row }) => ({ ...row, to: pathOf(project, quoteId) }))
}

/** A payment as the ledger shows it; centavos. */
export type LedgerListRow = Awaited<ReturnType<typeof rowsOf>>[number]

async function totalsOf(db: Db, within: SQL | undefined, now: Date): Promise<LedgerTotals> {
  const names = Object.keys(moneyFigures) as MoneyFigure[]
  const sums = Object.fromEntries(names.map((name) => [name, figureSum(name, now)]))
  const [row] = await db
    .select({ ...(sums as Record<MoneyFigure, SQL<number>>), count: sql<number>`count(*)::int` })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(within)
  return row!
}

/** The years with payments that the filter does not offer by default. */
async function yearsOf(db: Db, actor: Actor): Promise<number[]> {
  if (!seesPayments(actor)) return []
  const [row] = await db
    .select({ first: local('year', sql`min(${day})`), last: local('year', sql`max(${day})`) })
    .from(payments)
  if (!row?.first || !row.last) return []
  const { first, last } = row
  const all = Array.from({ length: last - first + 1 }, (_, n) => first + n)
  return all.filter((year) => !yearOptions.some((offered) => offered === year))
}

function narrowed(
  actor: Actor,
  { concept, figure, method, month, state, text, year, ...days }: PaymentFilters,
  now: Date,
) {
  if (!seesPayments(actor)) return sql`false`
  const { concept: what, folio, method: how, state: stands, trackingKey } = payments
  return and(
    visiblePayments(actor),
    figure && countsIn(figure, now),
    state && eq(stands, state),
    concept && eq(what, concept),
    method && eq(how, method),
    inTime(year, month),
    onDays(day, days),
    ...searchWords(text).map((word) =>
      contains(sql`concat_ws(' ', ${folio}, ${users.name}, ${users.lastname}, ${trackingKey})`, word),
    ),
  )
}

/** A year as a range of time, which uses the index. */
function inTime(year: string | undefined, month: string | undefined): SQL | undefined {
  if (year === undefined)
    return month === undefined ? undefined : sql`${local('month')} = ${Number(month) + 1}`
  const first = Temporal.PlainYearMonth.from({ year: Number(year), month: Number(month ?? 0) + 1 })
  const next = first.add(month === undefined ? { years: 1 } : { months: 1 })
  const midnight = (of: Temporal.PlainYearMonth) => toDate(minuteAt(`${of}-01`, '00:00'))
  return sql`${day} >= ${midnight(first)} and ${day} < ${midnight(next)}`
}

/** The rows of a queue on a page. */
const shownAtOnce = 20

type Waits = {
  id: string
  folio: string
  amount: number
  customer: string
  customerId: string
  home: string | null
  since: Date | null
  to: string
}
type Queue<More> = { rows: (Waits & More)[]; count: Count }

/** The proofs in review, the longest wait first; null for users who review none. */
export async function proofsToReview(
  db: Db,
  actor: Actor,
  most = shownAtOnce,
): Promise<Queue<{ concept: Concept }> | null> {
  if (!reviewsPayments(actor)) return null
  const { amount, concept, folio, id, projectId, proofSentAt } = payments
  const rows = await db
    .select({ id, folio, amount, concept, projectId, ...toReview(projectId, actor), since: proofSentAt })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(inReviewFor(actor))
    .orderBy(asc(proofSentAt), asc(id))
    .limit(most)
  return queueOf(rows)
}

const inReviewFor = (actor: Actor) => and(holds(payments.state, 'in_review'), visiblePayments(actor))!
const toReview = (projectId: AnyPgColumn, actor: Actor) => ({
  ...told(projectId),
  total: countBeside(payments, inReviewFor(actor)),
})

/** The same with all that a review needs. */
export async function proofQueue(db: Db, actor: Actor) {
  if (!reviewsPayments(actor)) return { rows: [], count: countOf(0) }
  const { amount, bank, concept, folio, id, projectId, proofSentAt, state, trackingKey, version } = payments
  const rows = await db
    .select({
      id,
      folio,
      amount,
      concept,
      projectId,
      bank,
      trackingKey,
      version,
      state,
      proofSentAt,
      ...toReview(projectId, actor),
      since: proofSentAt,
      proof: { id: documents.id, name: documents.name, bytes: documents.bytes, type: documents.type },
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .leftJoin(documents, eq(documents.id, payments.proofId))
    .where(inReviewFor(actor))
    .orderBy(asc(proofSentAt), asc(id))
    .limit(shownAtOnce)
  const [used, came] = await Promise.all([sameKeysOf(db, rows), cameToBank(db, rows)])
  return queueOf(rows.map((row) => ({ ...row, inBank: came.has(row.id), sameKeys: used.get(row.id) ?? [] })))
}

/**
 * The refunds that wait for a decision or a payment, the longest wait first; null for users who decide none. A refund
 * to a card waits for the card provider only.
 */
export async function refundsToSettle(
  db: Db,
  actor: Actor,
  most = shownAtOnce,
): Promise<Queue<{ state: RefundState }> | null> {
  if (!decidesRefunds(actor)) return null
  const { amount, createdAt, decidedAt, folio, id, projectId, state } = refunds
  const isOpen = sql`(${state} = 'requested' or (${state} = 'approved' and ${refunds.method} is distinct from 'card'))`
  const total = countBeside(refunds, isOpen)
  const waitsSince = sql<Date>`coalesce(${decidedAt}, ${createdAt})`.mapWith(createdAt)
  const rows = await db
    .select({ id, folio, amount, state, projectId, ...told(projectId), total, since: waitsSince })
    .from(refunds)
    .innerJoin(users, eq(users.id, refunds.customerId))
    .where(isOpen)
    .orderBy(asc(waitsSince), asc(id))
    .limit(most)
  return queueOf(rows)
}

const told = (projectId: AnyPgColumn) => ({
  customer: users.fullName,
  customerId: users.id,
  home: homeAmongAll(projectId, users.id),
  quoteId: newestQuoteOf(projectId),
})

type Read = Omit<Waits, 'to'> & { projectId: string; quoteId: string | null; total: number }

const queueOf = <Row extends Read>(rows: readonly Row[]) => ({
  rows: rows.map(({ projectId, quoteId, total, ...row }) => ({ ...row, to: pathOf(projectId, quoteId) })),
  count: countOf(rows[0]?.total ?? 0),
})
