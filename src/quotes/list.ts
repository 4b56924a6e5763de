import { type AnyColumn, and, eq, inArray, isNotNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../access/rules/actor.ts'
import { exportsLists } from '../access/rules/actor.ts'
import { yearOptions } from '../appointments/rules/appointment.ts'
import { type Db, isId, queryRows } from '../platform/database/client.ts'
import {
  contains,
  countRows,
  eachRow,
  escapeLike,
  holds,
  inOrder,
  type Keyset,
  keyset,
  listChunks,
  listed,
  listPage,
  onDays,
  type Page,
} from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { payments, quotes } from '../platform/database/schema/payments.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { homeAmongAll } from '../projects/open-project.ts'
import { readsProjects } from '../projects/rules/pipeline.ts'
import { timeZone } from '../shared/calendar.ts'
import type { Count } from '../shared/count.ts'
import type { DayFilters } from '../shared/day-range.ts'
import { refuse } from '../shared/refusal.ts'
import { searchWords } from '../shared/search.ts'
import { type QuoteFilters, type QuoteReading, quoteFiltersFor, writesQuotes } from './rules/quote.ts'
import { statesOfTab } from './rules/quote-tabs.ts'
import { quotesVisibleTo, readsOfQuotes } from './transition.ts'

/** Whose quote it is, where a query joins them. */
export const quoteCustomers = alias(users, 'customer')
export const isQuoteCustomer = eq(quoteCustomers.id, quotes.customerId)

/**
 * The quotes of a list under an actor's filters: those they may see, and of each folio the current version unless
 * another state is requested.
 */
export function narrowedTo(actor: Actor, asked: QuoteFilters): SQL | undefined {
  if (!actor.kind) return sql`false`
  const reading = readsOfQuotes[actor.kind]
  const { agency, analyst, date, month, state, text, view, year, ...days } = quoteFiltersFor(reading, asked)
  const states = statesOfTab(view)
  return and(
    quotesVisibleTo(actor),
    state ? holds(quotes.state, state) : states ? undefined : countingVersions,
    states && sql`${quotes.state} in (${listed(states)})`,
    month === undefined ? undefined : sql`${localPart('month')} = ${Number(month) + 1}`,
    year === undefined ? undefined : sql`${localPart('year')} = ${Number(year)}`,
    analyst === undefined ? undefined : hasId(quotes.madeBy, analyst),
    agency === undefined ? undefined : hasId(quotes.agencyId, agency),
    date === undefined ? sentOn(days) : onDays(quotes.validUntil, days),
    ...searchWords(text).map((word) => mentions(reading, word)),
  )
}

const sentAt = (of: typeof quotes) => sql`coalesce(${of.sentAt}, '-infinity'::timestamptz)`
const sentOn = (days: DayFilters) => {
  const within = onDays(sentAt(quotes), days)
  return within && and(within, isNotNull(quotes.sentAt))
}

/** Replaced versions and discarded drafts are history. */
export const countingVersions = sql`${quotes.state} <> 'superseded' and not (${quotes.state} = 'withdrawn' and ${quotes.sentAt} is null)`

const zone = sql.raw(`'${timeZone}'`)

/** When a version was created, in Mexico City. */
const localPart = (part: 'month' | 'year') =>
  sql`extract(${sql.raw(part)} from ${quotes.createdAt} at time zone ${zone})::int`

/** Whether a column holds an id as an address gave it. */
export const hasId = (column: AnyColumn | SQL, id: string) => (isId(id) ? sql`${column} = ${id}` : sql`false`)

/**
 * Allies read a client's first name only, and find no client by anything else. For the others names, mailbox and phone
 * stand plain in one column: a thousand quotes are looked through without making each name plain.
 */
const mentions = (reading: QuoteReading, word: string) => {
  if (reading === 'state') return contains(sql`coalesce(${quoteCustomers.name}, '')`, word)
  return namedBy(quotes.folio, word)
}

/** Whether a row of this folio, or its customer, is meant by a word. */
export function namedBy(folio: SQLWrapper, word: string) {
  const part = sql`(select '%' || plain_text(${escapeLike(word)}) || '%')`
  return sql`(${quoteCustomers}.searchable like ${part} or lower(${folio}) like ${part})`
}

/** The usual order of quotes in a list. */
export const newestFirst = keyset(quotes, {
  direction: 'desc',
  key: (of) => [of.createdAt, of.id],
  id: quotes.id,
})

/** The last sent first; what was not sent, last. */
const lastSentFirst = keyset(quotes, {
  direction: 'desc',
  key: (of) => [sentAt(of), of.id],
  id: quotes.id,
})

/** What ends first at the head; what was not sent has no end. */
const firstToEnd = keyset(quotes, {
  direction: 'asc',
  key: (of) => [sql`coalesce(${of.validUntil}, 'infinity'::timestamptz)`, of.id],
  id: quotes.id,
})

/** What was accepted, or the option of the lowest price; the largest first. */
const largestFirst = keyset(quotes, {
  direction: 'desc',
  key: (of) => [sql`coalesce(${of.acceptedTotal}, ${of.lowestTotal})`, of.id],
  id: quotes.id,
})

/** The order of an actor's list: those who read no amounts have none by them. */
function orderOf(actor: Actor, asked: QuoteFilters): Keyset {
  const { order } = quoteFiltersFor(readsOfQuotes[actor.kind ?? refuse('not-found')], asked)
  return inOrder(newestFirst, order, { sent: lastSentFirst, end: firstToEnd, worth: largestFirst })
}

/** All quotes of a list under some filters, or those of these ids, chunk by chunk, for the office only. Each chunk is read when it is asked for. */
export function quoteExport(db: Db, actor: Actor, filters: QuoteFilters, ids?: readonly string[]) {
  if (!exportsLists(actor)) refuse('not-found')
  // A ticked row may be of a version that only its own state lists.
  const chosen = ids && and(quotesVisibleTo(actor), inArray(quotes.id, ids.filter(isId)))
  const within = chosen ?? narrowedTo(actor, filters)
  const order = orderOf(actor, filters)
  return listChunks((place, limit) => rowsOf(db, and(within, place), limit, order), order)
}

/** Payments of the whole project, less refunds; centavos. */
const paidOfProject = sql`(select coalesce(sum(${payments.amount}), 0) from ${payments}
  where ${payments.projectId} = ${quotes.projectId} and ${payments.state} = 'paid')`

const rowsOf = (db: Db, within: SQL | undefined, limit: number, order: Keyset) =>
  db
    .select(full)
    .from(quotes)
    .innerJoin(quoteCustomers, isQuoteCustomer)
    .innerJoin(makers, eq(makers.id, quotes.madeBy))
    .innerJoin(appointments, eq(appointments.id, quotes.appointmentId))
    .leftJoin(agencies, eq(agencies.id, quotes.agencyId))
    .where(within)
    .orderBy(...order.orderBy)
    .limit(limit)

const makers = alias(users, 'maker')

/** The fields that every actor with access reads in a list. */
const progress = {
  id: quotes.id,
  folio: quotes.folio,
  revision: quotes.revision,
  kind: quotes.kind,
  state: quotes.state,
  createdAt: quotes.createdAt,
  sentAt: quotes.sentAt,
}
const work = { ...progress, customer: quoteCustomers.fullName, municipality: appointments.municipality }
const full = {
  ...work,
  customerId: quotes.customerId,
  phone: quoteCustomers.phone,
  email: quoteCustomers.email,
  home: homeAmongAll(quotes.projectId, quotes.customerId),
  agency: agencies.name,
  maker: makers.fullName,
  validUntil: quotes.validUntil,
  acceptedAt: quotes.acceptedAt,
  acceptedOption: quotes.acceptedOption,
  lowestTotal: quotes.lowestTotal,
  highestTotal: quotes.highestTotal,
  acceptedTotal: quotes.acceptedTotal,
  depositAmount: quotes.depositAmount,
  paid: paidOfProject.mapWith(Number),
  reason: quotes.reason,
  belowList: quotes.belowList,
  belowCost: quotes.belowCost,
}

/** A quote with what it comes to, in centavos, as list and file hold it. */
export type PricedQuote = Awaited<ReturnType<typeof rowsOf>>[number]

/** A quote without any amount; of an ally's client the first name only, and no address. */
export type ListedQuote = Awaited<ReturnType<typeof plainRows>>[number]

type Paged<Row> = Page<Row> & Count & { years: number[] }

/** A page of the list for those who read amounts, newest first. */
export async function listPriced(db: Db, actor: Actor, asked: QuoteFilters, from?: string) {
  if (!writesQuotes(actor)) refuse('not-found')
  const within = narrowedTo(actor, asked)
  return paged(db, actor, asked, from, (place, limit, order) => rowsOf(db, and(within, place), limit, order))
}

/** A page of the list for all other actors: no amount leaves the database. */
export async function listPlain(db: Db, actor: Actor, asked: QuoteFilters, from?: string) {
  const within = narrowedTo(actor, asked)
  return paged(db, actor, asked, from, (place, limit, order) =>
    plainRows(db, actor, and(within, place), limit, order),
  )
}

async function paged<Row extends { id: string }>(
  db: Db,
  actor: Actor,
  asked: QuoteFilters,
  from: string | undefined,
  read: (place: SQL | undefined, limit: number, order: Keyset) => Promise<Row[]>,
): Promise<Paged<Row>> {
  const counted = db.select(eachRow).from(quotes).where(narrowedTo(actor, asked)).$dynamic()
  // Only words are looked for in customers.
  const rows = asked.text ? counted.innerJoin(quoteCustomers, isQuoteCustomer) : counted
  const order = orderOf(actor, asked)
  const [page, count, years] = await Promise.all([
    listPage((place, limit) => read(place, limit, order), order, from),
    countRows(db, rows, asked.text),
    yearsOf(db, actor),
  ])
  return { ...page, ...count, years }
}

const plainRows = (db: Db, { kind }: Actor, within: SQL | undefined, limit: number, order: Keyset) => {
  const isTold = kind !== null && readsOfQuotes[kind] !== 'state'
  const opensFile = readsProjects({ kind }) !== 'none'
  // Nor a folio, by which one could act for a client.
  const firstName = {
    ...progress,
    folio: sql<string>`''`,
    customer: sql<string>`${quoteCustomers.name}`,
    municipality: sql<null>`null`,
  }
  return db
    .select({
      ...(isTold ? work : firstName),
      customerId: opensFile ? quotes.customerId : sql<null>`null`,
    })
    .from(quotes)
    .innerJoin(quoteCustomers, isQuoteCustomer)
    .innerJoin(appointments, eq(appointments.id, quotes.appointmentId))
    .where(within)
    .orderBy(...order.orderBy)
    .limit(limit)
}

/** The years with quotes that no filter offers by default: each is looked for in the index of the list's order. */
async function yearsOf(db: Db, actor: Actor): Promise<number[]> {
  const yearOf = (at: SQL) => sql`extract(year from ${at} at time zone ${zone})::int`
  const begins = (year: SQL) => sql`make_timestamptz(${year}, 1, 1, 0, 0, 0, ${zone})`
  const inYear = sql`${quotes.createdAt} >= ${begins(sql`year`)} and ${quotes.createdAt} < ${begins(sql`year + 1`)}`
  const rows = await queryRows<[year: number]>(
    db,
    sql`with span as (
        select ${yearOf(sql`min(${quotes.createdAt})`)} as first, ${yearOf(sql`max(${quotes.createdAt})`)} as last from ${quotes}
      ) select year from span, generate_series(first, last) year
      where year <> all(${sql.param(yearOptions)}::int[])
        and exists (select from ${quotes} where ${and(inYear, narrowedTo(actor, {}))}) order by year`,
  )
  return rows.map(([year]) => year)
}
