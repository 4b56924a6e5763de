import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { activeStates } from '../appointments/rules/appointment.ts'
import type { Db } from '../platform/database/client.ts'
import { cutPage, listed } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { payments, quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { type Vehicle, vehicleInWords } from '../projects/rules/equipment.ts'
import { customerPath } from '../projects/rules/pipeline.ts'
import { hasId, isQuoteCustomer, namedBy, narrowedTo, quoteCustomers } from '../quotes/list.ts'
import {
  type MonthFigures,
  monthsOf,
  openQuoteStates,
  type QuoteFilters,
  type QuoteState,
  quoteMachine,
  quoteStates,
  type ToQuoteFilters,
  writesQuotes,
} from '../quotes/rules/quote.ts'
import { notTaken } from '../quotes/rules/quote-tabs.ts'
import { localDate, minuteAt, timeZone, toDate, toMinutes } from '../shared/calendar.ts'
import { rowsPerPage } from '../shared/count.ts'
import { refuse } from '../shared/refusal.ts'
import { searchWords } from '../shared/search.ts'
import { requoteReasons } from './tasks.ts'

/** The number of quotes in a state, and their sum in centavos. */
export type StateFigures = { state: QuoteState; count: number; total: number }

/** The amount of a quote: what was accepted, before that its cheapest option. */
const worth = sql`coalesce(${quotes.acceptedTotal}, ${quotes.lowestTotal})`

// A sum of bigint is numeric, which arrives as text: safe as a number, since every centavo of Mexico's budget would be.
const summed = (amount: SQL) => sql`coalesce(sum(${amount}), 0)`.mapWith(Number)

/** How many quotes of each state, and their sum, under the filters of the list but its own state and tab. */
export async function quoteStateFigures(
  db: Db,
  actor: Actor,
  { state: _, view: __, ...asked }: QuoteFilters,
): Promise<StateFigures[]> {
  if (!writesQuotes(actor)) refuse('not-found')
  const states = await statesOf(db, actor, asked)
  const order = (one: StateFigures) => quoteStates.indexOf(one.state)
  return states.toSorted((a, b) => order(a) - order(b))
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

/** The sums of the months of a year, or of the last twelve; of the filters of the list only analyst and agency count. */
export async function quoteMonthFigures(
  db: Db,
  actor: Actor,
  asked: QuoteFilters,
  now: Date,
): Promise<MonthFigures[]> {
  if (!writesQuotes(actor)) refuse('not-found')
  const months = monthsOf(asked.year, localDate(toMinutes(now)))
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

/** How many of them a home shows. */
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

/** The two lists of such visits: those to quote, and those whose report is missing first. */
export type ToQuoteList = 'to_quote' | 'no_report'
const toQuoteLists: readonly ToQuoteList[] = ['to_quote', 'no_report']
const listOf = ({ cause }: Row): ToQuoteList => (cause === 'no_report' ? cause : 'to_quote')

/**
 * The projects in whose quoting it is the office's turn, as `projectStatusOf` says, the longest wait first: those whose
 * last visit has an approved and viable report, or whose customer needs another quote, unless a task asks for it already;
 * and those whose last visit ended without a report. The first of each list, and how many there are.
 */
export async function firstToQuote(db: Db, actor: Actor, most = shown) {
  const rows = await readToQuote(db, actor, {}, sql`nth <= ${sql.raw(String(most))}`)
  return toQuoteLists.map((kind) => {
    const own = rows.filter((row) => listOf(row) === kind)
    return { kind, total: own[0]?.total ?? 0, rows: own.map(toQuote) }
  })
}

/** A page of one of the lists, under its filters. */
export async function listToQuote(
  db: Db,
  actor: Actor,
  list: ToQuoteList,
  { after, ...asked }: ToQuoteFilters & { after?: string },
) {
  const place =
    after === undefined ? sql`true` : sql`nth > coalesce((select nth from numbered where id = ${after}), 0)`
  const within = sql`(cause = 'no_report') = ${list === 'no_report'} and ${place}`
  const rows = await readToQuote(
    db,
    actor,
    asked,
    sql`${within} order by nth limit ${sql.raw(String(rowsPerPage + 1))}`,
  )
  return cutPage(rows.map(toQuote))
}

/** How many each of the lists holds under the filters. */
export async function countToQuote(db: Db, actor: Actor, asked: ToQuoteFilters) {
  const rows = await readToQuote(db, actor, asked, sql`nth = 1`)
  const of = (kind: ToQuoteList) => rows.find((row) => listOf(row) === kind)?.total ?? 0
  return { to_quote: of('to_quote'), no_report: of('no_report') }
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

const orderColumns = { zone: sql`municipality`, agency: sql`agency collate es`, taker: sql`taker collate es` }

function orderOf({ order }: ToQuoteFilters) {
  const [column, turned] = order === 'reverse' ? ['', order] : (order ?? '').split('-')
  const by = orderColumns[column as keyof typeof orderColumns] ?? sql`since`
  return sql`${by} ${sql.raw(turned ? 'desc' : 'asc')}, since, id`
}

function narrowed({ agency, analyst, text, zone }: ToQuoteFilters) {
  return and(
    ...searchWords(text).map((word) => namedBy(sql`visit.folio`, word)),
    agency === undefined ? undefined : hasId(projects.agencyId, agency),
    zone === undefined ? undefined : sql`visit.municipality = ${zone}`,
    analyst === notTaken ? sql`draft.made_by is null` : undefined,
    analyst === undefined || analyst === notTaken ? undefined : hasId(sql`draft.made_by`, analyst),
  )
}

/** Those who write no quotes find none. */
async function readToQuote(db: Db, actor: Actor, asked: ToQuoteFilters, which: SQL): Promise<Row[]> {
  if (!writesQuotes(actor)) return []
  const { rows } = await db.execute<Row>(sql`with waiting as (
      select visit.id, visit.folio, visit.municipality, projects.customer_id, customer.full_name as customer,
        projects.vehicle, agencies.name as agency, taker.full_name as taker,
        coalesce(requote.since, visit.since) as since,
        coalesce(requote.cause, case when visit.report = 'approved' then 'approved' else 'no_report' end) as cause
      from projects join users customer on customer.id = projects.customer_id
        left join agencies on agencies.id = projects.agency_id
        left join quotes draft on draft.project_id = projects.id and draft.kind = 'installation' and draft.state = 'draft'
        left join users taker on taker.id = draft.made_by
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
        and requote.cause is distinct from 'customer' and ${isNotAsked} and ${narrowed(asked) ?? sql`true`}
        and (requote.cause is not null or visit.report = 'approved' and not ${isNotViable}
          or coalesce(visit.report, 'draft') = 'draft' and not ${isBooked(sql`service = 'technical_visit'`)})
        and not ${isBooked(sql`service = 'installation'`)}
        and not exists (select from appointments where project_id = projects.id and service = 'installation' and ${isCarriedOut})
    ), numbered as (
      select *, (count(*) over (partition by cause = 'no_report'))::int as total,
        (row_number() over (partition by cause = 'no_report' order by ${orderOf(asked)}))::int as nth from waiting
    ) select * from numbered where ${which}`)
  return rows.toSorted((a, b) => a.nth - b.nth)
}

type Row = {
  id: string
  folio: string
  municipality: string | null
  customer: string
  customer_id: string
  agency: string | null
  vehicle: Vehicle | null
  taker: string | null
  since: Date
  cause: Cause
  total: number
  nth: number
}

/** A visit of whose project the office writes the next quote, or whose report is missing. */
export type ToQuote = ReturnType<typeof toQuote>

function toQuote({ customer_id: customerId, vehicle, ...row }: Row) {
  const { cause, id, since, taker } = row
  const isOurs = cause !== 'no_report' && cause !== 'rejected'
  const about = {
    ...row,
    car: vehicleInWords(vehicle),
    /** Why it is the office's turn, in words, and since when. */
    why: causes[cause],
    since: new Date(since),
    isFree: isOurs && taker === null,
  }
  if (cause === 'no_report') return { ...about, act: 'Ver visita', to: `/admin/appointments-done/${id}` }
  return isOurs
    ? { ...about, act: 'Cotizar', to: `/admin/cotizations/add-quote/${id}` }
    : { ...about, act: 'Ver cliente', to: customerPath(customerId) }
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
