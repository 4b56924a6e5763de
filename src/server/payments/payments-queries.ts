import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { isOwnCharge } from '../../domain/payments/ledger.ts'
import { conceptLabels, conceptOf } from '../../domain/payments/payment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, isId, type Queryable } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { documents, payments, quotes, refunds } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { ledgerFactsOf, type PaymentRow } from './payments-rows.ts'
import { refundTermsOf } from './refund-decisions.ts'
import { seesPayments, visiblePayments } from './refund-rows.ts'
import { sameKeysOf } from './review-queue.ts'

/** A payment somebody may see; for everybody else it does not exist. */
export async function getPayment(db: Queryable, actor: Actor, id: string): Promise<PaymentRow> {
  if (!isId(id)) refuse('not-found')
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), visiblePayments(actor)))
  return row ?? refuse('not-found')
}

/** One line of a project's account: what is charged, or what came in, in centavos. */
export type LedgerLine = {
  id: string
  at: Date
  label: string
  folio: string
  charge: number
  payment: number
}

/** Everything about the money of a project, for whoever may see it; null for whoever may not. */
export async function accountOf(db: Db, actor: Actor, projectId: string) {
  const [project] = isId(projectId) ? await db.select().from(projects).where(eq(projects.id, projectId)) : []
  const isTheirs = actor.role === 'customer' ? project?.customerId === actor.id : seesPayments(actor)
  if (!project || !isTheirs) return null
  const [{ accepted, facts, kept, ledger }, back] = await Promise.all([
    ledgerFactsOf(db, projectId),
    refundsOf(db, projectId),
  ])
  const papers = await papersOf(db, [
    ...facts.rows.map(({ proofId }) => proofId),
    ...back.map(({ proofId }) => proofId),
  ])
  const inReview = facts.rows.filter(({ state }) => state === 'in_review').map(({ id }) => id)
  const used = seesPayments(actor) ? await sameKeysOf(db, inReview) : null
  const withProof = <Row extends { proofId: string | null }>(row: Row) => ({
    ...row,
    proof: papers.find(({ id }) => id === row.proofId) ?? null,
  })
  return {
    ledger,
    lines: linesOf(accepted, facts.rows, kept),
    payments: facts.rows.map((row) => ({ ...withProof(row), sameKey: used?.get(row.id) ?? null })),
    refunds: await Promise.all(
      back.map(async (refund) => ({ ...withProof(refund), terms: await refundTermsOf(db, refund.quoteId) })),
    ),
  }
}

const refundsOf = (db: Db, projectId: string) =>
  db.select().from(refunds).where(eq(refunds.projectId, projectId)).orderBy(desc(refunds.createdAt))

async function papersOf(db: Db, ids: readonly (string | null)[]) {
  const known = ids.filter((id) => id !== null)
  if (known.length === 0) return []
  const { bytes, id, name } = documents
  return db.select({ id, name, bytes }).from(documents).where(inArray(id, known))
}

type Facts = Awaited<ReturnType<typeof ledgerFactsOf>>

const quoteLabels = { installation: 'Instalación', extra_work: conceptLabels.extra_work } as const

/** Charges and payments as they came, the oldest first. Their sums are the ledger's. */
function linesOf(
  accepted: Facts['accepted'],
  rows: readonly PaymentRow[],
  kept: Facts['kept'],
): LedgerLine[] {
  const charged = { payment: 0 }
  const lines: LedgerLine[] = [
    ...accepted.map(({ acceptedAt: at, folio, id, kind, total: charge }) => ({
      ...{ id, at, folio, charge, label: quoteLabels[kind], ...charged },
    })),
    ...rows
      .filter((row) => isOwnCharge(row) && !row.reversedAt && !row.reversesId)
      .map(({ amount: charge, concept, createdAt: at, folio, id }) => ({
        ...{ id: `charge-${id}`, at, folio, charge, label: conceptLabels[concept], ...charged },
      })),
    ...kept.map(({ decidedAt, folio, materials: charge }) => ({
      ...{
        id: `materials-${folio}`,
        at: decidedAt ?? new Date(0),
        folio,
        charge,
        label: 'Material comprado',
        ...charged,
      },
    })),
    ...rows.flatMap(({ amount: payment, folio, id, paidAt: at, ...row }) =>
      at ? [{ id, at, folio, charge: 0, payment, label: conceptOf(row) }] : [],
    ),
  ]
  return lines.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** The project whose account a customer is shown: the open one, or else the last one that money moved in. */
export async function ownProjectId(db: Db, actor: Actor): Promise<string | null> {
  const [row] = await db
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.customerId, actor.id))
    .orderBy(sql`${projects.closedAt} is null desc`, desc(projects.createdAt))
    .limit(1)
  return row?.id ?? null
}

/** What is given back when, as the quote that a project's customer accepted says. */
export async function agreedTermsOf(db: Db, projectId: string): Promise<string | null> {
  const agreed = and(
    eq(quotes.projectId, projectId),
    eq(quotes.state, 'accepted'),
    eq(quotes.kind, 'installation'),
  )
  const [quote] = await db.select({ content: quotes.content }).from(quotes).where(agreed)
  return quote?.content.refundTerms ?? null
}

/** Whose account it is, by name; whoever asks has been let see it. */
export async function payerOf(db: Db, projectId: string): Promise<string> {
  const [row] = await db
    .select({ name: users.fullName })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.customerId))
    .where(eq(projects.id, projectId))
  return row?.name ?? ''
}

/** The project that a quote is for; whoever asks has been let see both. */
export async function projectIdOfQuote(db: Db, quoteId: string): Promise<string | null> {
  if (!isId(quoteId)) return null
  const [row] = await db.select({ id: quotes.projectId }).from(quotes).where(eq(quotes.id, quoteId))
  return row?.id ?? null
}
