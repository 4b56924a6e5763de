import { and, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/access/actor.ts'
import type { QuoteFilters } from '../../domain/quotes/quote.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/database.ts'
import { listChunks } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { payments, quotes } from '../platform/database/schema/money-schema.ts'
import { agencies } from '../platform/database/schema/office-schema.ts'
import { customers, narrowedTo, newestFirst } from './narrowed.ts'

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
      customer: customers.fullName,
      phone: customers.phone,
      email: customers.email,
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
    .innerJoin(customers, eq(customers.id, quotes.customerId))
    .innerJoin(makers, eq(makers.id, quotes.madeBy))
    .innerJoin(appointments, eq(appointments.id, quotes.appointmentId))
    .leftJoin(agencies, eq(agencies.id, quotes.agencyId))
    .where(within)
    .orderBy(...newestFirst.orderBy)
    .limit(limit)

/** One quote with what its export tells; amounts in centavos. */
export type ExportedQuote = Awaited<ReturnType<typeof rowsOf>>[number]
