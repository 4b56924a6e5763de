import { and, asc, desc, eq, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Actor, isStaff } from '../access/rules/actor.ts'
import { customer } from '../appointments/visibility.ts'
import { ledgerFactsOf } from '../payments/rows.ts'
import { managesPayments } from '../payments/rules/payment.ts'
import { type Db, isId, type Queryable, transaction } from '../platform/database/client.ts'
import { historyOf } from '../platform/database/lists.ts'
import { oncePerPage } from '../platform/database/reads.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import { isRequoteAsked, scopeOfQuote } from '../projects/project-money.ts'
import { customerIdFor } from '../projects/rules/pipeline.ts'
import { type OptionId, optionIds } from './rules/content.ts'
import { differenceOf } from './rules/diff.ts'
import {
  type QuoteMoveName,
  quoteMachine,
  quoteStateBy,
  quoteStateFacts,
  storyOf,
  writesQuotes,
} from './rules/quote.ts'
import { unsendableFor } from './send.ts'
import {
  factsOfQuote,
  judge,
  lockQuote,
  type QuoteRow,
  quoteAffectedUserIds,
  quotesVisibleTo,
  readsOfQuotes,
  transitionQuote,
  withdrawHeld,
} from './transition.ts'

/** The fields that every kind with access reads: never an amount. */
const common = {
  id: quotes.id,
  folio: quotes.folio,
  revision: quotes.revision,
  kind: quotes.kind,
  state: quotes.state,
  sentAt: quotes.sentAt,
  validUntil: quotes.validUntil,
  acceptedAt: quotes.acceptedAt,
}

/** A quote as its staff screen shows it to an actor, by their reading right; null where they may not see it. */
export async function quoteFor(db: Db, actor: Actor, id: string, now: Date) {
  if (!isId(id) || !isStaff(actor)) return null
  const which = and(eq(quotes.id, id), quotesVisibleTo(actor))
  switch (readsOfQuotes[actor.kind]) {
    case 'all':
      return wholeQuote(db, actor, id, now)
    case 'scope': {
      const [row] = await db
        .select({ ...common, customerId: quotes.customerId, customer: customer.fullName })
        .from(quotes)
        .innerJoin(customer, eq(customer.id, quotes.customerId))
        .where(which)
      if (!row) return undefined
      const customerId = customerIdFor(actor, row.customerId)
      const scope = await scopeOfQuote(db, id)
      return { reads: 'scope' as const, ...standing(row, now), customerId, scope }
    }
    case 'state': {
      const [row] = await db
        .select({ ...common, folio: sql<string>`''`, customer: sql<string>`coalesce(${customer.name}, '')` })
        .from(quotes)
        .innerJoin(customer, eq(customer.id, quotes.customerId))
        .where(which)
      return row && { reads: 'state' as const, ...standing(row, now) }
    }
  }
}

const standing = <Row extends Parameters<typeof quoteStateBy>[0]>(row: Row, now: Date) => ({
  ...row,
  state: quoteStateBy(row, now),
})

const maker = alias(users, 'maker')
const sender = alias(users, 'sender')
const name = (person: typeof maker | typeof sender) => sql<string | null>`nullif(${person.fullName}, '')`

/** The transitions that its screen offers. */
const offered = ['withdraw', 'cancel'] as const satisfies readonly QuoteMoveName[]

const wholeRow = oncePerPage(async (db: Db, actor: Actor, id: string) => {
  const [row] = await db
    .select({
      quote: quotes,
      project: { id: projects.id, depositPaidAt: projects.depositPaidAt },
      customer: { id: customer.id, name: customer.fullName, phone: customer.phone, email: customer.email },
      visit: { id: appointments.id, folio: appointments.folio, service: appointments.service },
      appointmentState: appointments.state,
      maker: name(maker),
      sender: name(sender),
    })
    .from(quotes)
    .innerJoin(projects, eq(projects.id, quotes.projectId))
    .innerJoin(customer, eq(customer.id, quotes.customerId))
    .innerJoin(appointments, eq(appointments.id, quotes.appointmentId))
    .leftJoin(maker, eq(maker.id, quotes.madeBy))
    .leftJoin(sender, eq(sender.id, quotes.sentBy))
    .where(and(eq(quotes.id, id), quotesVisibleTo(actor)))
  return row
})

async function wholeQuote(db: Db, actor: Actor, id: string, now: Date) {
  const row = await wholeRow(db, actor, id)
  if (!row) return null
  const { project, quote, ...about } = row
  const [facts, versions, trail, undoable, money] = await Promise.all([
    factsOfQuote(db, quote, project),
    otherVersions(db, quote, now),
    historyOf(db, 'quote', id),
    unsendableFor(db, actor, quote),
    quote.state === 'accepted' ? ledgerFactsOf(db, quote.projectId) : null,
  ])
  const { acceptedIp, customerId, madeBy, projectId, sentBy, ...shown } = quote
  return {
    reads: 'all' as const,
    ...standing(shown, now),
    ...about,
    askedAnew: isRequoteAsked(quote),
    /** What its project still has to pay, in centavos, and whether the actor records payments. */
    owed: money?.ledger.owed ?? 0,
    recordsPayments: managesPayments(actor),
    moves: offered.filter((move) => quoteMachine.can(move, actor, facts, now)),
    versions,
    trail,
    /** For how many seconds who reads it can still take it back. */
    undoable,
  }
}

/** The project and the customer of a quote, for actors who read all of it; null for all others. */
export async function wholeQuoteAbout(db: Db, actor: Actor, id: string) {
  if (!isId(id) || !isStaff(actor) || readsOfQuotes[actor.kind] !== 'all') return null
  return (await wholeRow(db, actor, id))?.quote ?? null
}

/** The other quotes of its project, the newest first. */
async function otherVersions(
  db: Db,
  { id, projectId }: Pick<typeof quotes.$inferSelect, 'id' | 'projectId'>,
  now: Date,
) {
  const rows = await db
    .select({ ...common, createdAt: quotes.createdAt })
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), ne(quotes.id, id)))
    .orderBy(desc(quotes.createdAt))
  return rows.map((row) => standing(row, now))
}

export type QuoteDetail = NonNullable<Awaited<ReturnType<typeof quoteFor>>>

/** The same for those who write quotes. */
export type WholeQuote = Extract<QuoteDetail, { reads: 'all' }>

type Withdrawing = { version: number; reason: string | null }

/**
 * Withdraws a quote that was not accepted, or discards a draft. A customer who received it gets a letter; the same form
 * sent twice is one change.
 */
export async function withdrawQuote(
  db: Db,
  actor: Actor,
  id: string,
  { reason, version }: Withdrawing,
  now: Date,
): Promise<QuoteRow> {
  const withdrawn = await transaction(db, async (tx) => {
    const held = await lockQuote(tx, actor, id)
    const { quote } = held
    const isTheSame = quote.state === 'withdrawn' && quote.version > version && quote.reason === reason
    if (isTheSame && isStaff(actor)) return quote
    await judge(tx, 'withdraw', actor, held, version, now)
    return withdrawHeld(tx, actor, held, reason, now)
  })
  announce(db, { people: withdrawn.sentAt ? quoteAffectedUserIds(withdrawn) : [] })
  return withdrawn
}

/** A sent version of a quote, as its customer's page shows it; one that can no longer be answered counts as expired. */
export type OwnQuote = Awaited<ReturnType<typeof sentQuotes>>[number]

/**
 * The offers to a customer in a project: the installation, with the changes since the version before, and extra work.
 */
export async function ownQuotes(db: Queryable, actor: Actor, projectId: string, now: Date) {
  const sent = await sentQuotes(db, actor, projectId, now)
  const story = storyOf(sent.filter(({ kind }) => kind === 'installation'))
  return {
    installation: story && {
      ...story,
      earlier: story.earlier.map(namesOf),
      difference: story.before && differenceOf(story.before.content, story.current.content),
    },
    extraWork: sent.filter(({ kind }) => kind === 'extra_work').toReversed(),
  }
}

async function sentQuotes(db: Queryable, actor: Actor, projectId: string, now: Date) {
  const rows = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), quotesVisibleTo(actor)))
    .orderBy(asc(quotes.sentAt))
  return rows.flatMap((row) => {
    const { digest, sentAt, validUntil } = row
    if (!sentAt || !validUntil || digest === null) return []
    const { acceptedAddOns, acceptedAt, acceptedName, acceptedOption, acceptedTotal, depositAmount } = row
    return [
      {
        id: row.id,
        folio: row.folio,
        revision: row.revision,
        kind: row.kind,
        version: row.version,
        state: quoteStateBy(row, now),
        content: row.content,
        reason: row.reason,
        digest,
        sentAt,
        validUntil,
        isUnseen: row.state === 'sent',
        askedAnew: isRequoteAsked(row),
        accepted:
          acceptedAt && acceptedTotal !== null && isOption(acceptedOption)
            ? {
                at: acceptedAt,
                name: acceptedName,
                option: acceptedOption,
                addOns: acceptedAddOns,
                total: acceptedTotal,
                deposit: depositAmount ?? 0,
              }
            : null,
      },
    ]
  })
}

const isOption = (id: string | null): id is OptionId => optionIds.some((known) => known === id)

/** The fields by which an earlier version is listed. */
const namesOf = ({ id, folio, revision, sentAt, state }: OwnQuote) => ({ id, folio, revision, sentAt, state })

/** What one sent quote of a customer's offers; null when it is not theirs, or was never sent. */
export async function ownQuote(db: Queryable, actor: Actor, id: string) {
  const [row] = await db
    .select({ content: quotes.content, kind: quotes.kind })
    .from(quotes)
    .where(and(eq(quotes.id, id), quotesVisibleTo(actor)))
  return row ?? null
}

/** Whether a customer may cancel a quote that they accepted. */
export async function mayCancelQuote(db: Queryable, actor: Actor, id: string, now: Date): Promise<boolean> {
  const [found] = await db
    .select({ quote: quotes, project: projects })
    .from(quotes)
    .innerJoin(projects, eq(projects.id, quotes.projectId))
    .where(and(eq(quotes.id, id), quotesVisibleTo(actor)))
  return (
    found !== undefined &&
    quoteMachine.can('cancel', actor, await factsOfQuote(db, found.quote, found.project), now)
  )
}

/**
 * Records that its customer opened a quote, the first time; nothing otherwise. Call it for a document's own load only.
 */
export async function noteViewed(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  const isFirst = await transaction(db, async (tx) => {
    const held = await lockQuote(tx, actor, id)
    if (!quoteMachine.can('view', actor, held.facts, now)) return false
    await transitionQuote(tx, actor, held, 'view', now, { viewedAt: now })
    return true
  })
  if (isFirst) announce(db, { people: [] })
}

/** The quotes made from a visit or for an installation, the newest first; null for those who do not write any. */
export async function quotesFrom(db: Db, actor: Actor, appointmentId: string, now: Date) {
  if (!writesQuotes(actor)) return null
  const rows = await db
    .select({
      id: quotes.id,
      folio: quotes.folio,
      revision: quotes.revision,
      state: quotes.state,
      validUntil: quotes.validUntil,
    })
    .from(quotes)
    .where(and(eq(quotes.appointmentId, appointmentId), quotesVisibleTo(actor)))
    .orderBy(desc(quotes.createdAt))
  return rows.map(({ state, validUntil, ...row }) => ({
    ...row,
    shown: quoteStateFacts[quoteStateBy({ state, validUntil }, now)],
  }))
}

export type QuotesFrom = Awaited<ReturnType<typeof quotesFrom>>
