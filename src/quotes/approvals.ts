import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { countedBefore, holds, record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { quoteApprovals, quotes } from '../platform/database/schema/payments.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { announce } from '../platform/live/announcements.ts'
import { refuse } from '../shared/refusal.ts'
import {
  type ApprovalAnswer,
  approvalReason,
  approvesQuotes,
  asksApproval,
  mostDiscountShare,
} from './rules/quote.ts'
import { type LockedQuote, lockQuote, type QuoteRow } from './transition.ts'

type Asking = { quoteId: string; version: number; reason: string }

/** An author asks the manager to approve a draft that only the manager may send. The same form sent twice asks once. */
export async function askApproval(db: Db, actor: Actor, { quoteId, ...input }: Asking): Promise<void> {
  if (!asksApproval(actor)) refuse('permission-denied')
  await transaction(db, async (tx) => {
    const { facts, quote } = await lockDraft(tx, actor, quoteId, input.version)
    if (approvalReason(facts) === null)
      refuse('failed-precondition', 'No necesita autorización: ya puedes enviarla.')
    const [asked] = await tx
      .insert(quoteApprovals)
      .values({ quoteId, reason: input.reason, askedBy: actor.id })
      .onConflictDoNothing()
      .returning()
    if (asked) await trace(tx, actor, quote, 'ask_approval')
  })
  announce(db, { people: [] })
}

type Answering = { quoteId: string; version: number } & (
  | { answer: Extract<ApprovalAnswer, 'approved'>; discountShare: number }
  | { answer: Extract<ApprovalAnswer, 'returned'>; words: string }
)

/** The manager approves a draft as they read it, or returns it with a reason; its author then sends or changes it. */
export async function answerApproval(
  db: Db,
  actor: Actor,
  { quoteId, version, ...answered }: Answering,
  now: Date,
): Promise<void> {
  if (!approvesQuotes(actor)) refuse('permission-denied')
  const { answer } = answered
  const askedBy = await transaction(db, async (tx) => {
    const { quote } = await lockDraft(tx, actor, quoteId, version)
    if (answered.answer === 'approved' && answered.discountShare !== quote.discountShare) refuse('aborted')
    const words = answered.answer === 'returned' ? answered.words : null
    const [asked] = await tx
      .update(quoteApprovals)
      .set({ answer, words, answeredBy: actor.id, answeredAt: now, quoteVersion: version })
      .where(and(eq(quoteApprovals.quoteId, quoteId), isNull(quoteApprovals.answer)))
      .returning()
    if (!asked) return refuse('failed-precondition', 'Alguien más ya la respondió.')
    await trace(tx, actor, quote, answer === 'approved' ? 'give_approval' : 'return_draft')
    return asked.askedBy
  })
  announce(db, { people: [askedBy] })
}

async function lockDraft(tx: Tx, actor: Actor, id: string, version: number): Promise<LockedQuote> {
  const held = await lockQuote(tx, actor, id)
  if (held.quote.state !== 'draft') refuse('failed-precondition', 'Este borrador ya se envió o se descartó.')
  await assertVersion(tx, actor, 'quote', held.quote, version)
  return held
}

/** Its words stay with the request: the history of a quote is its customer's to read. */
const trace = (tx: Tx, actor: Actor, { id, state }: QuoteRow, name: string) =>
  record(tx, { entity: 'quote', entityId: id, actorId: actor.id, name, fromState: state, toState: state })

/** Whether the manager approved a quote just as it is. */
export async function isApproved(db: Queryable, { id, version }: Pick<QuoteRow, 'id' | 'version'>) {
  const approved = and(
    eq(quoteApprovals.quoteId, id),
    eq(quoteApprovals.quoteVersion, version),
    holds(quoteApprovals.answer, 'approved'),
  )
  return (await db.select({ id: quoteApprovals.id }).from(quoteApprovals).where(approved).limit(1)).length > 0
}

/** The approval of a draft holds for the same draft, which was sent and taken back meanwhile. */
export async function keepApproval(
  tx: Tx,
  { after, before, id }: { id: string; before: number; after: number },
): Promise<void> {
  await tx
    .update(quoteApprovals)
    .set({ quoteVersion: after })
    .where(and(eq(quoteApprovals.quoteId, id), eq(quoteApprovals.quoteVersion, before)))
}

const asker = alias(users, 'asker')
const answerer = alias(users, 'answerer')

/** What was last asked about a draft, and the answer as long as it holds; null where it needs none, or there is no draft. */
export async function approvalOf(db: Db, draft: QuoteRow | null) {
  const why = draft && approvalReason(draft)
  if (!draft || !why) return null
  const { answer, askedAt, quoteId, quoteVersion, reason, words } = quoteApprovals
  const [last] = await db
    .select({
      answer,
      askedAt,
      quoteVersion,
      reason,
      words,
      asker: asker.fullName,
      answerer: answerer.fullName,
    })
    .from(quoteApprovals)
    .innerJoin(asker, eq(asker.id, quoteApprovals.askedBy))
    .leftJoin(answerer, eq(answerer.id, quoteApprovals.answeredBy))
    .where(eq(quoteId, draft.id))
    .orderBy(desc(askedAt))
    .limit(1)
  const stands = last && (last.answer === null || last.quoteVersion === draft.version)
  const { discountShare, id, version } = draft
  return { why, quoteId: id, version, discountShare, last: stands ? last : null }
}

export type DraftApproval = NonNullable<Awaited<ReturnType<typeof approvalOf>>>

/** How many a home shows. */
const SHOWN = 20

const customer = alias(users, 'customer')

const atDesk = (db: Db) =>
  db
    .select({
      id: quoteApprovals.id,
      appointmentId: quotes.appointmentId,
      folio: quotes.folio,
      customer: customer.fullName,
      asker: asker.fullName,
      askedAt: quoteApprovals.askedAt,
      answeredAt: quoteApprovals.answeredAt,
      answer: quoteApprovals.answer,
      reason: quoteApprovals.reason,
      words: quoteApprovals.words,
      discountShare: quotes.discountShare,
      counted: countedBefore,
    })
    .from(quoteApprovals)
    .innerJoin(quotes, eq(quotes.id, quoteApprovals.quoteId))
    .innerJoin(customer, eq(customer.id, quotes.customerId))
    .innerJoin(asker, eq(asker.id, quoteApprovals.askedBy))
    .$dynamic()

const isDraft = holds(quotes.state, 'draft')
/** As `approvalReason` says. */
const needsOne = sql`(${quotes.discountShare} > ${sql.raw(String(mostDiscountShare))} or ${quotes.belowCost}
  or ${quotes.belowList} > ${sql.raw(String(mostDiscountShare))})`

/** What waits for the manager's approval, the longest first; for authors, what the manager answered about drafts as they are. */
export async function approvalsAtDesk(db: Db, actor: Actor, most = SHOWN) {
  if (approvesQuotes(actor))
    return atDesk(db)
      .where(and(isNull(quoteApprovals.answer), isDraft, needsOne))
      .orderBy(asc(quoteApprovals.askedAt), asc(quoteApprovals.id))
      .limit(most)
  if (!asksApproval(actor)) return []
  const isAnswered = and(
    eq(quoteApprovals.askedBy, actor.id),
    isNotNull(quoteApprovals.answer),
    eq(quoteApprovals.quoteVersion, quotes.version),
    isDraft,
  )
  return atDesk(db).where(isAnswered).orderBy(desc(quoteApprovals.answeredAt)).limit(most)
}
