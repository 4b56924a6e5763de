import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { benefitFrom } from '../agencies/rules/codes.ts'
import { snapshot } from '../appointments/book.ts'
import type { Queryable, Tx } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quoteApprovals, quotes } from '../platform/database/schema/payments.ts'
import { type AddressSnapshot, addresses } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { addDays, minuteAt, toDate } from '../shared/calendar.ts'
import { fullName } from '../shared/format.ts'
import { measuredWorth } from './catalogue.ts'
import type { QuoteContent } from './rules/content.ts'
import { openQuoteStates, quoteMachine } from './rules/quote.ts'
import { benefitLine, benefitOf, type GivenBenefit, offerOf, withBenefit } from './rules/totals.ts'
import { askDesk, type LockedQuote, lockQuote, type QuoteRow, transitionQuote } from './transition.ts'

/**
 * The benefit of a customer's code in a project, or, without one, in the next; null where it gives none, or gave it in
 * another project already: a benefit is for one installation. A customer who used a code keeps its benefit, whatever
 * happens to the code.
 */
export async function benefitOfCustomer(
  db: Queryable,
  customerId: string,
  projectId: string | null,
): Promise<GivenBenefit | null> {
  const [row] = await db
    .select({ codeText: codes.code, kind: codes.benefitKind, value: codes.benefitValue })
    .from(clients)
    .innerJoin(codes, eq(codes.id, clients.codeId))
    .where(and(eq(clients.customerId, customerId), isNull(clients.endedAt)))
  if (!row || row.kind === 'none' || (await wasUsedElsewhere(db, customerId, projectId))) return null
  return { codeText: row.codeText, benefit: benefitFrom(row) }
}

/**
 * Whether a customer received a code's benefit in another project. Ended attributions count too: one customer, one
 * benefit.
 */
async function wasUsedElsewhere(db: Queryable, customerId: string, projectId: string | null) {
  const [used] = await db
    .select({ id: clients.id })
    .from(clients)
    .where(
      and(
        eq(clients.customerId, customerId),
        isNotNull(clients.benefitProjectId),
        projectId ? ne(clients.benefitProjectId, projectId) : undefined,
      ),
    )
    .limit(1)
  return used !== undefined
}

type BenefitSubject = Pick<QuoteRow, 'kind' | 'customerId' | 'projectId'>

/** The same for a quote's source; no code applies to extra work. */
export const benefitOfSource = async (db: Queryable, { customerId, kind, projectId }: BenefitSubject) =>
  kind === 'installation' ? benefitOfCustomer(db, customerId, projectId) : null

/** A quote's content with its customer's current benefit. */
export const fittingBenefit = async (db: Queryable, quote: BenefitSubject & Pick<QuoteRow, 'content'>) =>
  withBenefit(quote.content, await benefitOfSource(db, quote))

/**
 * A customer now has a code: drafts for their installations include it at once, and quotes that they could accept are
 * replaced by a version with it. Called inside the transaction that attributes them, their projects locked. Where it
 * raises the discounts above what the office may send, the manager is asked, and the sent version stands meanwhile.
 */
export async function syncBenefit(tx: Tx, customerId: string, now: Date): Promise<void> {
  for (const { id, projectId } of await openQuotes(tx, customerId)) {
    const given = await benefitOfCustomer(tx, customerId, projectId)
    if (!benefitLine(given)) continue
    const held = await lockQuote(tx, 'system', id)
    const content = withBenefit(held.quote.content, given)
    if (isDeepStrictEqual(content, held.quote.content)) continue
    if (held.quote.state === 'draft') await putIn(tx, held.quote, content)
    else if (quoteMachine.can('improve', 'system', held.facts, now)) await improve(tx, held, content, now)
  }
}

/** Drafts last: the version sent in between takes their number. */
const openQuotes = (tx: Tx, customerId: string) =>
  tx
    .select({ id: quotes.id, projectId: quotes.projectId })
    .from(quotes)
    .where(
      and(
        eq(quotes.customerId, customerId),
        eq(quotes.kind, 'installation'),
        inArray(quotes.state, [...openQuoteStates, 'draft']),
      ),
    )
    .orderBy(asc(quotes.projectId), sql`${quotes.state} = 'draft'`)

/** The form of a draft does not carry this line, so an open form stays valid; an approval was of less. */
async function putIn(tx: Tx, quote: QuoteRow, content: QuoteContent): Promise<void> {
  const { folio, id, revision } = quote
  await tx
    .update(quotes)
    .set({ content, ...offerOf(content), ...(await measuredWorth(tx, { ...quote, content })) })
    .where(eq(quotes.id, id))
  await tx
    .update(quoteApprovals)
    .set({ quoteVersion: noVersion })
    .where(and(eq(quoteApprovals.quoteId, id), isNotNull(quoteApprovals.answer)))
  await record(tx, {
    entity: 'quote',
    entityId: id,
    actorId: null,
    name: 'benefit',
    data: { folio, revision },
    fromState: 'draft',
    toState: 'draft',
  })
}

/** Drafts begin with version 1. */
const noVersion = 0

const judgedBefore = { belowList: 0, belowCost: false }

/** Sends the same quote with the benefit, replacing the customer's version. */
async function improve(tx: Tx, held: LockedQuote, content: QuoteContent, now: Date): Promise<void> {
  const { facts, quote } = held
  if (facts.installationStarted) return
  const offer = offerOf(content)
  // The shortfall below the catalogue was judged when it was sent; the new deduction counts as a discount.
  const sending = { ...facts, ...judgedBefore, state: 'draft' as const, discountShare: offer.discountShare }
  if (offer.lowestTotal <= 0 || !quoteMachine.can('send', 'system', sending, now))
    return askManager(tx, quote)
  await transitionQuote(tx, 'system', held, 'improve', now, { endedAt: now })
  const { appointmentId, customerId, folio, kind, madeBy, projectId, sentBy, validUntil } = quote
  const revision = await nextRevision(tx, folio)
  const sent = { customerId, folio, appointmentId, content, revision }
  const [next] = await tx
    .insert(quotes)
    .values({
      ...sent,
      ...offer,
      ...(await addressed(tx, sent)),
      ...(await measuredWorth(tx, { appointmentId, content, kind })),
      kind,
      projectId,
      madeBy,
      sentBy,
      validUntil,
      sentAt: now,
      replacesId: quote.id,
      reminded3dAt: quote.reminded3dAt,
      reminded1dAt: quote.reminded1dAt,
      state: quoteMachine.next('send', 'system', sending, now),
    })
    .returning()
  await followed(tx, next!)
}

/** The number after the last sent version; a draft moves up. */
async function nextRevision(tx: Tx, folio: string): Promise<number> {
  const [last] = await tx
    .select({ revision: sql<number>`max(${quotes.revision})` })
    .from(quotes)
    .where(and(eq(quotes.folio, folio), ne(quotes.state, 'draft')))
  const next = (last?.revision ?? 0) + 1
  await tx
    .update(quotes)
    .set({ revision: next + 1 })
    .where(and(eq(quotes.folio, folio), eq(quotes.state, 'draft')))
  return next
}

/** The event of the sent version, its letters, and the draft that follows it. */
async function followed(tx: Tx, { folio, id, revision }: QuoteRow): Promise<void> {
  await tx
    .update(quotes)
    .set({ replacesId: id })
    .where(and(eq(quotes.folio, folio), eq(quotes.state, 'draft')))
  await record(tx, {
    entity: 'quote',
    entityId: id,
    actorId: null,
    name: 'send',
    fromState: null,
    toState: 'sent',
    data: { folio, revision },
  })
  await enqueue(tx, 'letter', { letter: 'quote_sent', quoteId: id, to: 'customer' })
  await enqueue(tx, 'letter', { letter: 'quote_code_used', quoteId: id, to: 'maker' })
}

const askManager = (tx: Tx, quote: QuoteRow) =>
  askDesk(tx, quote, {
    subject: `Usó un código y sus descuentos pasan del 20 %: la gerencia envía la versión nueva (${quote.folio}, versión ${quote.revision})`,
    reason: 'quote_benefit',
    urgent: true,
  })

/** The last second of a local day. */
export const endOfDay = (day: string) => new Date(toDate(minuteAt(addDays(day, 1), '00:00')).getTime() - 1000)

type Sent = Pick<QuoteRow, 'appointmentId' | 'customerId' | 'folio' | 'revision'> & { content: QuoteContent }

/** The recipient and home of a version, as both are now, and the digest of the whole. */
export async function addressed(tx: Tx, { appointmentId, content, customerId, folio, revision }: Sent) {
  const [customer] = await tx
    .select({ name: users.name, lastname: users.lastname })
    .from(users)
    .where(eq(users.id, customerId))
  const [visit] = await tx
    .select({ address: appointments.address, approved: addresses })
    .from(appointments)
    .leftJoin(
      addresses,
      and(
        eq(addresses.projectId, appointments.projectId),
        isNull(addresses.archivedAt),
        // An address that the manager approved in place of the visited home.
        gt(addresses.approvedAt, appointments.startsAt),
      ),
    )
    .where(eq(appointments.id, appointmentId))
  const addressee = fullName(customer ?? {})
  const address = visit?.approved ? snapshot(visit.approved) : (visit?.address ?? null)
  return { addressee, address, digest: digestOf({ folio, revision, addressee, address, content }) }
}

/** The whole content sent to a customer. */
type Offered = {
  folio: string
  revision: number
  addressee: string
  address: AddressSnapshot | null
  content: QuoteContent
}

/** The SHA-256 of the offer, in hexadecimal: of its JSON with every object's keys in order and no spaces. */
export const digestOf = ({ address, addressee, content, folio, revision }: Offered): string =>
  createHash('sha256')
    .update(JSON.stringify(inKeyOrder({ folio, revision, addressee, address, content })))
    .digest('hex')

/** PostgreSQL keeps the keys of an object in an order of its own. */
function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, inKeyOrder(one)]),
  )
}

/** Records that an accepted quote used the benefit of a code: the customer's next project does not get it. */
export async function takeBenefit(
  tx: Tx,
  { content, customerId, projectId }: Pick<QuoteRow, 'content' | 'customerId' | 'projectId'>,
): Promise<void> {
  if (!benefitOf(content)) return
  await tx
    .update(clients)
    .set({ benefitProjectId: projectId })
    .where(eq(clients.id, latestTie(customerId)))
}

/** The current attribution, or else the last one: the offer made by it is kept. */
const latestTie = (
  customerId: string,
) => sql`(select tie.id from clients tie where tie.customer_id = ${customerId}
  order by tie.ended_at is null desc, tie.created_at desc limit 1)`

/** An accepted quote was cancelled: its customer may use the benefit elsewhere. */
export const freeBenefit = (tx: Tx, projectId: string) =>
  tx.update(clients).set({ benefitProjectId: null }).where(eq(clients.benefitProjectId, projectId))
