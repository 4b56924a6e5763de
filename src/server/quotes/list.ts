import { and, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/access/actor.ts'
import { yearOptions } from '../../domain/appointments/appointment.ts'
import { type QuoteFilters, writesQuotes } from '../../domain/quotes/quote.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/client.ts'
import { listPage, type Page } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { readsOfQuotes } from './changes.ts'
import { localPart, narrowedTo, newestFirst, quoteCustomers } from './export.ts'

const makers = alias(users, 'maker')

/** What anybody who sees a quote reads of it in a list. */
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
  validUntil: quotes.validUntil,
  maker: makers.fullName,
  lowestTotal: quotes.lowestTotal,
  highestTotal: quotes.highestTotal,
  acceptedTotal: quotes.acceptedTotal,
  discountShare: quotes.discountShare,
  belowList: quotes.belowList,
  belowCost: quotes.belowCost,
}

/** A quote with what it comes to, in centavos. */
export type PricedQuote = Awaited<ReturnType<typeof pricedRows>>[number]
/** A quote without a word of what it costs; of an ally's client the first name only, and nothing of where they live. */
export type ListedQuote = Awaited<ReturnType<typeof plainRows>>[number]

type Paged<Row> = Page<Row> & { total: number; years: number[] }

/** A page of the list for those who read amounts, newest first. */
export async function listPriced(db: Db, actor: Actor, asked: QuoteFilters, from?: string) {
  if (!writesQuotes(actor)) refuse('not-found')
  const within = narrowedTo(actor, asked)
  return paged(db, actor, within, from, (place, limit) => pricedRows(db, and(within, place), limit))
}

/** A page of the list for everybody else: no amount leaves the database. */
export async function listPlain(db: Db, actor: Actor, asked: QuoteFilters, from?: string) {
  const within = narrowedTo(actor, asked)
  return paged(db, actor, within, from, (place, limit) => plainRows(db, actor, and(within, place), limit))
}

async function paged<Row extends { id: string }>(
  db: Db,
  actor: Actor,
  within: SQL | undefined,
  from: string | undefined,
  read: (place: SQL | undefined, limit: number) => Promise<Row[]>,
): Promise<Paged<Row>> {
  const [page, total, years] = await Promise.all([
    listPage(read, newestFirst, from),
    countOf(db, within),
    yearsOf(db, actor),
  ])
  return { ...page, total, years }
}

const pricedRows = (db: Db, within: SQL | undefined, limit: number) =>
  db
    .select(full)
    .from(quotes)
    .innerJoin(quoteCustomers, eq(quoteCustomers.id, quotes.customerId))
    .innerJoin(makers, eq(makers.id, quotes.madeBy))
    .innerJoin(appointments, eq(appointments.id, quotes.appointmentId))
    .where(within)
    .orderBy(...newestFirst.orderBy)
    .limit(limit)

const plainRows = (db: Db, { kind }: Actor, within: SQL | undefined, limit: number) => {
  const isTold = kind !== null && readsOfQuotes[kind] !== 'state'
  // Nor a folio, which is what one speaks for somebody with.
  const firstName = {
    ...{ ...progress, folio: sql<string>`''`, customer: sql<string>`${quoteCustomers.name}` },
    municipality: sql<null>`null`,
  }
  return db
    .select(isTold ? work : firstName)
    .from(quotes)
    .innerJoin(quoteCustomers, eq(quoteCustomers.id, quotes.customerId))
    .innerJoin(appointments, eq(appointments.id, quotes.appointmentId))
    .where(within)
    .orderBy(...newestFirst.orderBy)
    .limit(limit)
}

async function countOf(db: Db, within: SQL | undefined): Promise<number> {
  const [row] = await db
    .select({ total: sql<number>`count(*)::int` })
    .from(quotes)
    .innerJoin(quoteCustomers, eq(quoteCustomers.id, quotes.customerId))
    .where(within)
  return row?.total ?? 0
}

/** The years with quotes that no filter offers by itself. */
async function yearsOf(db: Db, actor: Actor): Promise<number[]> {
  const rows = await db
    .selectDistinct({ year: localPart('year').mapWith(Number) })
    .from(quotes)
    .innerJoin(quoteCustomers, eq(quoteCustomers.id, quotes.customerId))
    .where(narrowedTo(actor, {}))
  return rows.map(({ year }) => year).filter((year) => !yearOptions.some((offered) => offered === year))
}
