import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/access/actor.ts'
import { type QuoteMoveName, quoteMachine, quoteStateBy } from '../../domain/quotes/quote.ts'
import { customer } from '../appointments/own-day.ts'
import { type Db, isId, transaction } from '../platform/database/client.ts'
import { historyOf } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import {
  factsOfQuote,
  judge,
  lockQuote,
  type QuoteRow,
  quoteAffectedUserIds,
  quotesVisibleTo,
  readsOfQuotes,
  transitionQuote,
} from './changes.ts'
import { isRequoteAsked, scopeOfQuote } from './project-money.ts'

/** What every kind that sees a quote reads of it: never an amount. */
const common = {
  ...{ id: quotes.id, folio: quotes.folio, revision: quotes.revision, kind: quotes.kind },
  ...{ state: quotes.state, sentAt: quotes.sentAt, validUntil: quotes.validUntil },
  ...{ acceptedAt: quotes.acceptedAt },
}

/** A quote as its staff screen shows it to an actor, by what they read of quotes; null where it does not exist for them. */
export async function quoteFor(db: Db, actor: Actor, id: string, now: Date) {
  if (!isId(id) || actor.role !== 'staff') return null
  const which = and(eq(quotes.id, id), quotesVisibleTo(actor))
  switch (readsOfQuotes[actor.kind]) {
    case 'all':
      return wholeQuote(db, actor, id, now)
    case 'scope': {
      const [row] = await db
        .select({ ...common, customer: customer.fullName })
        .from(quotes)
        .innerJoin(customer, eq(customer.id, quotes.customerId))
        .where(which)
      return row && { reads: 'scope' as const, ...standing(row, now), scope: await scopeOfQuote(db, id) }
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

/** The moves that its screen offers. */
const offered = ['withdraw', 'cancel'] as const satisfies readonly QuoteMoveName[]

async function wholeQuote(db: Db, actor: Actor, id: string, now: Date) {
  const [row] = await db
    .select({
      quote: quotes,
      project: { id: projects.id, depositPaidAt: projects.depositPaidAt },
      customer: { name: customer.fullName, phone: customer.phone, email: customer.email },
      visit: { id: appointments.id, folio: appointments.folio, service: appointments.service },
      ...{ appointmentState: appointments.state, maker: name(maker), sender: name(sender) },
    })
    .from(quotes)
    .innerJoin(projects, eq(projects.id, quotes.projectId))
    .innerJoin(customer, eq(customer.id, quotes.customerId))
    .innerJoin(appointments, eq(appointments.id, quotes.appointmentId))
    .leftJoin(maker, eq(maker.id, quotes.madeBy))
    .leftJoin(sender, eq(sender.id, quotes.sentBy))
    .where(and(eq(quotes.id, id), quotesVisibleTo(actor)))
  if (!row) return null
  const { project, quote, ...about } = row
  const facts = await factsOfQuote(db, quote, project)
  const { acceptedIp, customerId, madeBy, projectId, sentBy, ...shown } = quote
  return {
    ...{ reads: 'all' as const, ...standing(shown, now), ...about },
    askedAnew: isRequoteAsked(quote),
    moves: offered.filter((move) => quoteMachine.can(move, actor, facts, now)),
    versions: await otherVersions(db, quote, now),
    trail: await historyOf(db, 'quote', id),
  }
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
 * Takes a quote back that nobody accepted, or throws a draft away. Whoever was sent it gets a letter; the same form sent
 * twice is one change.
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
    if (isTheSame && actor.role === 'staff') return quote
    judge('withdraw', actor, held, version, now)
    const moved = await transitionQuote(
      tx,
      actor,
      held,
      'withdraw',
      now,
      { endedAt: now, reason },
      { reason },
    )
    if (moved.sentAt) await enqueue(tx, 'letter', { letter: 'quote_withdrawn', quoteId: id, to: 'customer' })
    return moved
  })
  announce(db, { people: withdrawn.sentAt ? quoteAffectedUserIds(withdrawn) : [] })
  return withdrawn
}
