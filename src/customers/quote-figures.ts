import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { activeStates } from '../appointments/rules/appointment.ts'
import type { Db } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { payments, quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { customerPath } from '../projects/rules/pipeline.ts'
import { hasId, isQuoteCustomer, narrowedTo, quoteCustomers } from '../quotes/list.ts'
import {
  type MonthFigures,
  monthsOf,
  openQuoteStates,
  type QuoteFilters,
  type QuoteState,
  quoteMachine,
  quoteStates,
  writesQuotes,
} from '../quotes/rules/quote.ts'
import { localDate, minuteAt, timeZone, toDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { requoteReasons } from './tasks.ts'

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

/** A visit of whose project the office writes the next quote, or whose report is missing. */
export type ToQuote = {
  appointmentId: string
  folio: string
  customer: string
  municipality: string | null
  /** Why it is the office's turn, in words, and since when. */
  why: string
  since: Date
  /** What is done next, and where. */
  act: string
  to: string
}

type ToQuoteList = { total: number; rows: ToQuote[] }

const shown = 8

const requotes = {
  changes_requested: 'Pidió cambios',
  rejected: 'Rechazó su cotización',
  withdrawn: 'Cotización retirada',
  asked: 'Pide otra cotización',
} as const
/** Of a visit without a quote: its report, or none. */
const firstQuotes = { approved: 'Reporte aprobado', no_report: 'Terminó sin reporte' } as const
const causes = { ...requotes, ...firstQuotes }
type Cause = keyof typeof causes

/**
 * The projects in whose quoting it is the office's turn, as `projectStatusOf` says, the longest wait first: those whose
 * last visit has an approved and viable report, or whose customer answered a quote so that it needs another; and, as
 * `unreported`, those whose last visit ended without a report. `withoutTasks` leaves out what an open task asks for already.
 */
export async function listToQuote(
  db: Db,
  actor: Actor,
  { most = shown, withoutTasks = false } = {},
): Promise<ToQuoteList & { unreported: ToQuoteList }> {
  const none = { total: 0, rows: [] }
  if (!writesQuotes(actor)) return { ...none, unreported: none }
  const { rows } = await db.execute<Row>(waitingForQuote(withoutTasks ? isNotAsked : sql`true`, most))
  const listOf = (isReported: boolean): ToQuoteList => {
    const own = rows.filter(({ cause }) => (cause !== 'no_report') === isReported)
    return { total: own[0]?.total ?? 0, rows: own.map(toQuote) }
  }
  return { ...listOf(true), unreported: listOf(false) }
}

const isCarriedOut = sql`appointments.state = 'done' and coalesce(outcome, 'completed') = 'completed'`
const ended = quoteMachine.from('askAnew')
const answerable = [...openQuoteStates, ...ended]
const isAskedAnew = sql`state in (${listed(ended)}) and answered_at > ended_at`
const isNotViable = sql`exists (select from sheet_answers
  where appointment_id = visit.id and name = 'feasibility' and value = '"not_viable"')`
const isBooked = (which: SQL) => sql`exists (select from appointments
  where project_id = projects.id and ${which} and state in (${listed(activeStates)}))`

const isNotAsked = sql`not exists (select from tasks
  where quote_id = requote.id and done_at is null and reason in (${listed(requoteReasons)}))`

const waitingForQuote = (also: SQL, most: number) => sql`with waiting as (
      select visit.id, visit.folio, visit.municipality, projects.customer_id, customer.full_name as customer,
        coalesce(requote.since, visit.since) as since,
        coalesce(requote.cause, case when visit.report = 'approved' then 'approved' else 'no_report' end) as cause
      from projects join users customer on customer.id = projects.customer_id
        join lateral (select appointments.id, folio, municipality, sheets.state as report,
          coalesce(reviewed_at, finished_at, starts_at) as since
          from appointments left join sheets on sheets.appointment_id = appointments.id
          where appointments.project_id = projects.id and service = 'technical_visit' and ${isCarriedOut}
          order by starts_at desc limit 1) visit on true
        left join lateral (select id, state, case when state in (${listed(Object.keys(requotes))}) then state
            when ${isAskedAnew} then 'asked' when state in (${listed(answerable)}) then 'customer' end as cause,
            coalesce(answered_at, ended_at, sent_at) as since
          from quotes where project_id = projects.id and kind = 'installation' and sent_at is not null
          order by sent_at desc limit 1) requote on true
      where projects.closed_at is null and projects.quote_accepted_at is null
        and requote.cause is distinct from 'customer' and ${also}
        and (requote.cause is not null or visit.report = 'approved' and not ${isNotViable}
          or coalesce(visit.report, 'draft') = 'draft' and not ${isBooked(sql`service = 'technical_visit'`)})
        and not ${isBooked(sql`service = 'installation'`)}
        and not exists (select from appointments where project_id = projects.id and service = 'installation' and ${isCarriedOut})
    ), numbered as (
      select *, (count(*) over (partition by cause = 'no_report'))::int as total,
        row_number() over (partition by cause = 'no_report' order by since, id) as nth from waiting
    ) select * from numbered where nth <= ${sql.raw(String(most))} order by nth`

type Row = {
  id: string
  folio: string
  municipality: string | null
  customer: string
  customer_id: string
  since: Date
  cause: Cause
  total: number
}

function toQuote({ cause, customer, customer_id, folio, id, municipality, since }: Row): ToQuote {
  const about = {
    appointmentId: id,
    folio,
    customer,
    municipality,
    why: causes[cause],
    since: new Date(since),
  }
  if (cause === 'no_report') return { ...about, act: 'Ver visita', to: `/admin/appointments-done/${id}` }
  return cause === 'rejected'
    ? { ...about, act: 'Ver cliente', to: customerPath(customer_id) }
    : { ...about, act: 'Cotizar', to: `/admin/cotizations/add-quote/${id}` }
}

/** The authors of quotes, by name, for those who write them. */
export async function quoteMakers(db: Db, actor: Actor): Promise<{ id: string; name: string }[]> {
  if (!writesQuotes(actor)) return []
  return db
    .select({ id: users.id, name: users.fullName })
    .from(users)
    .where(sql`exists (select from quotes where ${eq(quotes.madeBy, users.id)})`)
    .orderBy(sql`${users.fullName} collate es`, users.id)
}
