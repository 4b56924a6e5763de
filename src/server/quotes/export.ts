import { type AnyColumn, and, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/access/actor.ts'
import { wordsOf } from '../../domain/appointments/list.ts'
import { type QuoteFilters, type QuoteReading, quoteFiltersFor } from '../../domain/quotes/quote.ts'
import { timeZone } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { contains, keyset, listChunks } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { payments, quotes } from '../platform/database/schema/payments.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { quotesVisibleTo, readsOfQuotes } from './changes.ts'

/** Whose quote it is, where a query joins them. */
export const quoteCustomers = alias(users, 'customer')

/** The quotes of a list under an actor's filters: those they may see, and of each folio the version that counts unless another state is asked for. */
export function narrowedTo(actor: Actor, asked: QuoteFilters): SQL | undefined {
  if (!actor.kind) return sql`false`
  const reading = readsOfQuotes[actor.kind]
  const { agency, analyst, month, state, text, year } = quoteFiltersFor(reading, asked)
  return and(
    quotesVisibleTo(actor),
    state ? eq(quotes.state, state) : countingVersions,
    month === undefined ? undefined : sql`${localPart('month')} = ${Number(month) + 1}`,
    year === undefined ? undefined : sql`${localPart('year')} = ${Number(year)}`,
    analyst === undefined ? undefined : hasId(quotes.madeBy, analyst),
    agency === undefined ? undefined : hasId(quotes.agencyId, agency),
    ...wordsOf(text).map((word) => mentions(reading, word)),
  )
}

/** A version that another replaced, and a draft thrown away, are history. */
const countingVersions = sql`${quotes.state} <> 'superseded' and not (${quotes.state} = 'withdrawn' and ${quotes.sentAt} is null)`

/** When a version was made, in Mexico City. */
export const localPart = (part: 'month' | 'year') =>
  sql`extract(${sql.raw(part)} from ${quotes.createdAt} at time zone ${sql.raw(`'${timeZone}'`)})::int`

/** Whether a column holds an id as an address gave it. */
export const hasId = (column: AnyColumn, id: string) => (isId(id) ? eq(column, id) : sql`false`)

/** An ally is told a client's first name only, and finds nobody by anything else. */
const mentions = (reading: QuoteReading, word: string) =>
  contains(
    reading === 'state'
      ? sql`coalesce(${quoteCustomers.name}, '')`
      : sql`concat_ws(' ', ${quoteCustomers.name}, ${quotes.folio}, ${quoteCustomers.lastname}, ${quoteCustomers.email}, ${quoteCustomers.phone})`,
    word,
  )

/** The order of the list. */
export const newestFirst = keyset(quotes, {
  direction: 'desc',
  key: (of) => [of.createdAt, of.id],
  id: quotes.id,
})

const makers = alias(users, 'maker')

/** All quotes of a list under some filters, chunk by chunk, for the manager only. Each chunk is read when it is asked for. */
export function quoteExport(db: Db, actor: Actor, filters: QuoteFilters) {
  if (actor.kind !== 'manager') refuse('not-found')
  const within = narrowedTo(actor, filters)
  return listChunks((place, limit) => rowsOf(db, and(within, place), limit), newestFirst)
}

/** Of the whole project, what was given back taken off; centavos. */
const paidOfProject = sql`(select coalesce(sum(${payments.amount}), 0) from ${payments}
  where ${payments.projectId} = ${quotes.projectId} and ${payments.state} = 'paid')`

const rowsOf = (db: Db, within: SQL | undefined, limit: number) =>
  db
    .select({
      id: quotes.id,
      folio: quotes.folio,
      revision: quotes.revision,
      kind: quotes.kind,
      state: quotes.state,
      customer: quoteCustomers.fullName,
      phone: quoteCustomers.phone,
      email: quoteCustomers.email,
      municipality: appointments.municipality,
      agency: agencies.name,
      maker: makers.fullName,
      createdAt: quotes.createdAt,
      sentAt: quotes.sentAt,
      validUntil: quotes.validUntil,
      acceptedAt: quotes.acceptedAt,
      acceptedOption: quotes.acceptedOption,
      lowestTotal: quotes.lowestTotal,
      highestTotal: quotes.highestTotal,
      acceptedTotal: quotes.acceptedTotal,
      depositAmount: quotes.depositAmount,
      paid: paidOfProject.mapWith(Number),
      reason: quotes.reason,
    })
    .from(quotes)
    .innerJoin(quoteCustomers, eq(quoteCustomers.id, quotes.customerId))
    .innerJoin(makers, eq(makers.id, quotes.madeBy))
    .innerJoin(appointments, eq(appointments.id, quotes.appointmentId))
    .leftJoin(agencies, eq(agencies.id, quotes.agencyId))
    .where(within)
    .orderBy(...newestFirst.orderBy)
    .limit(limit)

/** One quote with what its export tells; amounts in centavos. */
export type ExportedQuote = Awaited<ReturnType<typeof rowsOf>>[number]
