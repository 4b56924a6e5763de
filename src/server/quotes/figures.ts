import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import {
  type MonthFigures,
  monthsOf,
  type QuoteFilters,
  type QuoteState,
  quoteStates,
  writesQuotes,
} from '../../domain/quotes/quote.ts'
import { localDate, minuteAt, timeZone, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { payments, quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { hasId, isQuoteCustomer, narrowedTo, quoteCustomers } from './list.ts'

/** The number of quotes in a state, and their sum in centavos. */
export type StateFigures = { state: QuoteState; count: number; total: number }
export type QuoteFigures = { states: StateFigures[]; months: MonthFigures[] }

/** The amount of a quote: what was accepted, before that its cheapest option. */
const worth = sql`coalesce(${quotes.acceptedTotal}, ${quotes.lowestTotal})`

// A sum of bigint is numeric, which arrives as text: safe as a number, since every centavo of Mexico's budget would be.
const summed = (amount: SQL) => sql`coalesce(sum(${amount}), 0)`.mapWith(Number)

/** Totals by state and by month under the filters of a list. By state none but the state's own filter is left out; by month, year, analyst and agency count. */
export async function quoteFigures(
  db: Db,
  actor: Actor,
  { state: _, ...asked }: QuoteFilters,
  now: Date,
): Promise<QuoteFigures> {
  if (!writesQuotes(actor)) refuse('not-found')
  const [states, months] = await Promise.all([
    statesOf(db, actor, asked),
    figuresOf(db, actor, asked, monthsOf(asked.year, localDate(toMinutes(now)))),
  ])
  const order = (one: StateFigures) => quoteStates.indexOf(one.state)
  return { states: states.toSorted((a, b) => order(a) - order(b)), months }
}

function statesOf(db: Db, actor: Actor, asked: QuoteFilters): Promise<StateFigures[]> {
  const figures = db
    .select({ state: quotes.state, count: sql<number>`count(*)::int`, total: summed(worth) })
    .from(quotes)
    .where(narrowedTo(actor, asked))
    .groupBy(quotes.state)
    .$dynamic()
  return asked.text ? figures.innerJoin(quoteCustomers, isQuoteCustomer) : figures
}

async function figuresOf(db: Db, actor: Actor, asked: QuoteFilters, months: readonly string[]) {
  const [quoted, accepted, paid] = await Promise.all([
    quotedIn(db, actor, asked, months),
    acceptedIn(db, actor, asked, months),
    paidIn(db, asked, months),
  ])
  return months.map((month) => ({
    month,
    quoted: quoted.get(month) ?? 0,
    accepted: accepted.get(month) ?? 0,
    paid: paid.get(month) ?? 0,
  }))
}

const monthOf = (at: SQL) => sql<string>`to_char(${at} at time zone ${sql.raw(`'${timeZone}'`)}, 'YYYY-MM')`

const within = (at: SQL, months: readonly string[]) => {
  const end = Temporal.PlainYearMonth.from(months.at(-1)!).add({ months: 1 })
  const midnight = (month: string) => toDate(minuteAt(`${month}-01`, '00:00'))
  return sql`${at} >= ${midnight(months[0]!)} and ${at} < ${midnight(end.toString())}`
}

type Sums = ReadonlyMap<string, number>
const byMonth = (rows: readonly { month: string; total: number }[]): Sums =>
  new Map(rows.map(({ month, total }) => [month, total]))

/** The last sent version of each folio. */
async function quotedIn(db: Db, actor: Actor, { analyst, agency }: QuoteFilters, months: readonly string[]) {
  const at = sql`${quotes.sentAt}`
  return byMonth(
    await db
      .select({ month: monthOf(at), total: summed(worth) })
      .from(quotes)
      .where(and(narrowedTo(actor, given({ analyst, agency })), within(at, months)))
      .groupBy(sql`1`),
  )
}

/** The accepted quotes that are not cancelled. */
async function acceptedIn(
  db: Db,
  actor: Actor,
  { analyst, agency }: QuoteFilters,
  months: readonly string[],
) {
  const at = sql`${quotes.acceptedAt}`
  return byMonth(
    await db
      .select({ month: monthOf(at), total: summed(worth) })
      .from(quotes)
      .where(and(narrowedTo(actor, given({ analyst, agency, state: 'accepted' })), within(at, months)))
      .groupBy(sql`1`),
  )
}

/** Payments less refunds; for an analyst those of their quotes. */
async function paidIn(db: Db, { analyst, agency }: QuoteFilters, months: readonly string[]) {
  const at = sql`coalesce(${payments.countsAt}, ${payments.paidAt})`
  return byMonth(
    await db
      .select({ month: monthOf(at), total: summed(sql`${payments.amount}`) })
      .from(payments)
      .innerJoin(projects, eq(projects.id, payments.projectId))
      .leftJoin(quotes, eq(quotes.id, payments.quoteId))
      .where(
        and(
          eq(payments.state, 'paid'),
          within(at, months),
          analyst ? hasId(quotes.madeBy, analyst) : undefined,
          agency ? hasId(projects.agencyId, agency) : undefined,
        ),
      )
      .groupBy(sql`1`),
  )
}

const given = (filters: { [Name in keyof QuoteFilters]: QuoteFilters[Name] | undefined }) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as QuoteFilters

/** A visit with an approved report and no quote yet. */
export type ToQuote = {
  appointmentId: string
  folio: string
  customer: string
  municipality: string | null
  approvedAt: Date
}

const shown = 8

/**
 * The visits that wait for a quote, the longest wait first: the last visit of an open project, its report approved and
 * the place viable, and no quote of the project yet. A visit about a fault is excluded.
 */
export async function listToQuote(db: Db, actor: Actor): Promise<{ total: number; rows: ToQuote[] }> {
  if (!writesQuotes(actor)) return { total: 0, rows: [] }
  const { rows } = await db.execute<Row>(sql`
    select visit.id, visit.folio, visit.municipality, visit.reviewed_at,
      customer.full_name as customer, count(*) over ()::int as total
    from projects join users customer on customer.id = projects.customer_id
      join lateral (select appointments.id, folio, municipality, reviewed_at, sheets.kind, sheets.state
        from appointments join sheets on sheets.appointment_id = appointments.id
        where appointments.project_id = projects.id and service = 'technical_visit'
        order by starts_at desc limit 1) visit on visit.kind = 'visit' and visit.state = 'approved'
    where projects.closed_at is null
      and not exists (select from quotes where quotes.project_id = projects.id and quotes.kind = 'installation'
        and not (quotes.state = 'withdrawn' and quotes.sent_at is null))
      and not exists (select from sheet_answers where appointment_id = visit.id and name = 'feasibility' and value = '"not_viable"')
      and not exists (select from faults where faults.visit_id = visit.id)
    order by visit.reviewed_at, visit.id limit ${sql.raw(String(shown))}`)
  return { total: rows[0]?.total ?? 0, rows: rows.map(toQuote) }
}

type Row = {
  id: string
  folio: string
  municipality: string | null
  reviewed_at: Date
  customer: string
  total: number
}

const toQuote = ({ id, folio, municipality, reviewed_at, customer }: Row): ToQuote => ({
  appointmentId: id,
  folio,
  municipality,
  customer,
  approvedAt: new Date(reviewed_at),
})

/** The authors of quotes, by name, for those who write them. */
export async function quoteMakers(db: Db, actor: Actor): Promise<{ id: string; name: string }[]> {
  if (!writesQuotes(actor)) return []
  return db
    .select({ id: users.id, name: users.fullName })
    .from(users)
    .where(sql`exists (select from quotes where ${eq(quotes.madeBy, users.id)})`)
    .orderBy(sql`${users.fullName} collate es`, users.id)
}
