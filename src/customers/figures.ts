import { and, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { countedAs } from '../appointments/list-filter.ts'
import { appointmentStates, onSiteServices, services } from '../appointments/rules/appointment.ts'
import type { AppointmentFigure } from '../appointments/rules/list.ts'
import { visiblePayments } from '../payments/rows.ts'
import { seesPayments } from '../payments/rules/payment.ts'
import { countedAt, figureSum, openSums } from '../payments/sums.ts'
import type { Db } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { readsProjects } from '../projects/rules/pipeline.ts'
import { type NamedWorker, workersBetween } from '../scheduling/roster.ts'
import { shiftMinutes } from '../scheduling/rules/roster.ts'
import { shownSettings } from '../settings/queries.ts'
import {
  boundsOf,
  type ClosingCount,
  type Closings,
  type Compared,
  type DateRange,
  type FigurePeriod,
  type Income,
  type LostCount,
  type Named,
  type OfficeFigures,
  type Punctuality,
  type Reached,
  type SellerConversion,
  type StageDays,
  type TimedStage,
  type Trend,
  timedStages,
  trendMonths,
  type Workload,
  workdaysIn,
} from './rules/figures.ts'

/**
 * The figures of the office for a period, sent together: six statements, whose rows are sums. Null for those who may not
 * read them.
 */
export async function officeFigures(
  db: Db,
  actor: Actor,
  period: FigurePeriod,
  now: Date,
): Promise<OfficeFigures | null> {
  if (readsProjects(actor) !== 'all') return null
  const { arrivalWindowMinutes, holidays } = await shownSettings(db)
  const { from, to } = cutTime(period).span
  const [income, visits, journeys, workers, ends] = await Promise.all([
    seesPayments(actor) ? readIncome(db, actor, period, now) : null,
    readVisits(db, period, arrivalWindowMinutes, now),
    readJourneys(db, period),
    workersBetween(db, from, to),
    readEnds(db, period),
  ])
  const { agencies, days, reached } = journeys
  return {
    period,
    income,
    occupancy: occupancyFrom(period, workers, visits.booked, holidays),
    conversion: {
      ...inOrder(reached, noneReached),
      agencies: comparedOf(agencies ?? [], noneReached),
      sellers: comparedOf(ends.sellers ?? [], noneSent),
    },
    days: daysFrom(days ?? []),
    onTime: { ...inOrder(visits.due, noneDue), people: comparedOf(visits.people ?? [], noneDue) },
    closings: {
      ...inOrder(visits.closings, noneClosed),
      reasons: visits.reasons ?? [],
      lost: ends.lost ?? [],
    },
  }
}

const noneReached: Reached = { visited: 0, quoted: 0, accepted: 0, installed: 0 }
const noneDue: Punctuality = { due: 0, onTime: 0 }
const noneSent: SellerConversion = { sent: 0, accepted: 0 }
const noneClosed: Closings = { all: 0, cancelled: 0, noShow: 0 }
const noIncome: Income = { received: 0, returned: 0, receivable: 0, inReview: 0 }
const noDays: StageDays = { count: 0, median: null, slow: null }

/** A sum of rows in one of the windows of time: the period, the one before, a month ("m1" is the first) or a week. */
type Row<Figure> = { within: string } & Figure
/** What one statement answers: a list for each of its questions; null where it found nothing. */
type Rows<Figure> = Row<Figure>[] | null

/** All rows of a question as one value. */
const rowsOf = (question: SQL) => sql`(select json_agg(found) from (${question}) found)`

/**
 * The windows of a period in SQL. All their ends cut time into stretches; a row is summed once, within its stretch, and the
 * few sums are joined with the windows that hold their stretch.
 */
function cutTime({ before, months, now, weeks }: FigurePeriod) {
  const named: [name: string, range: DateRange][] = [
    ['now', now],
    ['before', before],
    ...months.map((range, n): [string, DateRange] => [`m${n + 1}`, range]),
    ...weeks.map((range, n): [string, DateRange] => [`w${n + 1}`, range]),
  ]
  const times = named.flatMap(([, range]) => [boundsOf(range).from.getTime(), boundsOf(range).to.getTime()])
  const cuts = [...new Set(times)].sort((one, other) => one - other)
  const moments = cuts.map((time) => new Date(time).toISOString())
  const held = named.flatMap(([name], n) => {
    const first = cuts.indexOf(times[2 * n]!)
    const last = cuts.indexOf(times[2 * n + 1]!)
    return cuts.slice(first, last).map((_, nth) => ({ name, stretch: first + nth + 1 }))
  })
  const windows = (
    where: SQL,
  ) => sql`join (select * from unnest(${sql.param(held.map(({ name }) => name))}::text[],
    ${sql.param(held.map(({ stretch }) => stretch))}::int[]) as held (name, stretch) where ${where}) windows using (stretch)`
  return {
    /** The first and the last moment that any window holds. */
    span: { from: new Date(cuts[0]!), to: new Date(cuts.at(-1)!) },
    stretchOf: (at: SQL) => sql`width_bucket(${at}, ${sql.param(moments)}::timestamptz[])`,
    compared: windows(sql`name !~ '^[mw]'`),
    monthly: windows(sql`name not like 'w%'`),
    weekly: windows(sql`name not like 'm%'`),
  }
}

const between = (at: SQL, { from, to }: { from: Date; to: Date }) => sql`${at} >= ${from} and ${at} < ${to}`

/** The figures of rows in the order of months; a window without a row holds nothing. */
function inOrder<Figure extends object>(rows: Rows<Figure>, none: Figure): Trend<Figure> {
  const found = new Map((rows ?? []).map(({ within, ...figure }) => [within, figure as unknown as Figure]))
  const of = (name: string) => found.get(name) ?? none
  return {
    now: of('now'),
    before: of('before'),
    trend: Array.from({ length: trendMonths }, (_, n) => of(`m${n + 1}`)),
  }
}

async function one<Answer>(db: Db, statement: SQL): Promise<Answer> {
  const { rows } = await db.execute(statement)
  return rows[0] as unknown as Answer
}

/**
 * The ledger's rows by the day on which they were paid or, until then, asked for; what corrects a row of a month that is
 * over counts on the day of the correction (`countsAt`), so that such a month never changes.
 */
async function readIncome(
  db: Db,
  actor: Actor,
  period: FigurePeriod,
  now: Date,
): Promise<OfficeFigures['income']> {
  const { monthly, span, stretchOf } = cutTime(period)
  const at = countedAt(payments)
  const names = Object.keys(noIncome) as (keyof Income)[]
  const each = (of: (name: keyof Income) => SQL) =>
    sql.join(
      names.map((name) => sql`${of(name)} as ${sql.identifier(name)}`),
      sql`, `,
    )
  const [sums, open] = await Promise.all([
    one<{ sums: Rows<Income> }>(
      db,
      sql`with ledger as materialized (select ${stretchOf(at)} as stretch, ${each((name) => figureSum(name, now))}
          from payments where ${and(between(at, span), visiblePayments(actor))} group by stretch)
        select ${rowsOf(sql`select windows.name as within, ${each((name) => sql`sum(${sql.identifier(name)})`)}
          from ledger ${monthly} group by windows.name`)} as sums`,
    ),
    openSums(db, actor, now),
  ])
  return open && { ...inOrder(sums.sums, noIncome), open }
}

type Visits = {
  due: Rows<Punctuality>
  people: Row<Named<Punctuality>>[] | null
  closings: Rows<Closings>
  reasons: ClosingCount[] | null
  booked: Row<{ id: string; minutes: number }>[] | null
}

/** What appointments say, each by the day it was booked for: read once, summed by person and by how they ended. */
function readVisits(db: Db, period: FigurePeriod, arrivalWindowMinutes: number, now: Date): Promise<Visits> {
  const { compared, monthly, span, stretchOf, weekly } = cutTime(period)
  const is = (figure: AppointmentFigure) => countedAs(figure, arrivalWindowMinutes, now)
  return one(
    db,
    sql`with seen as materialized (
        select ${stretchOf(sql`starts_at`)} as stretch, assignee_id, state, closing_reason, grouping(assignee_id) = 0 as by_person,
          count(*) as all, count(*) filter (where late) as late, count(*) filter (where ${is('due')}) as due,
          count(*) filter (where ${is('onTime')}) as on_time, sum(minutes) filter (where ${is('booked')}) as minutes
        from appointments
        where ${between(sql`starts_at`, span)} and state in (${listed(appointmentStates)}) and service in (${listed(services)})
        group by grouping sets ((stretch, assignee_id), (stretch, state, closing_reason)))
      select ${rowsOf(sql`select windows.name as within, sum(due)::int as due, sum(on_time)::int as "onTime"
          from seen ${monthly} where not by_person group by windows.name`)} as due,
        ${rowsOf(sql`select windows.name as within, users.id, users.full_name as name, sum(due)::int as due, sum(on_time)::int as "onTime"
          from seen ${compared} left join users on users.id = assignee_id where by_person and due > 0
          group by windows.name, users.id order by users.full_name collate es, users.id`)} as people,
        ${rowsOf(sql`select windows.name as within, sum("all")::int as all, coalesce(sum("all") filter (where state = 'cancelled'), 0)::int as cancelled,
            coalesce(sum("all") filter (where state = 'no_show'), 0)::int as "noShow"
          from seen ${monthly} where not by_person group by windows.name`)} as closings,
        ${rowsOf(sql`select closing_reason as reason, coalesce(sum("all") filter (where windows.name = 'now'), 0)::int as now,
            coalesce(sum("all") filter (where windows.name = 'before'), 0)::int as before,
            coalesce(sum(late) filter (where windows.name = 'now'), 0)::int as late
          from seen ${compared} where not by_person and state = 'cancelled' group by closing_reason order by now desc, before desc, reason`)} as reasons,
        ${rowsOf(sql`select windows.name as within, assignee_id as id, sum(minutes)::int as minutes
          from seen ${weekly} where by_person and minutes is not null group by windows.name, assignee_id`)} as booked`,
  )
}

const completed = sql`state = 'done' and coalesce(outcome, 'completed') = 'completed'`
const finished = sql`coalesce(finished_at, starts_at)`

/**
 * When each project passed from one stage to the next, derived from its parts: no log of stages is needed. Only those that
 * reached something since a moment.
 */
const journeysSince = (from: Date) => sql`journeys as materialized (
  select projects.agency_id, projects.created_at as opened, went.booked, went.visited, sold.quoted, sold.accepted,
    projects.deposit_paid_at as deposited, went.installed
  from projects
    left join (select project_id, min(created_at) filter (where service = 'technical_visit') as booked,
        min(${finished}) filter (where service = 'technical_visit' and ${completed}) as visited,
        min(${finished}) filter (where service = 'installation' and ${completed}) as installed
      from appointments where service in (${listed(onSiteServices)}) group by project_id) went on went.project_id = projects.id
    left join (select project_id, min(sent_at) as quoted, min(accepted_at) as accepted
      from quotes where kind = 'installation' and sent_at is not null group by project_id) sold on sold.project_id = projects.id
  where greatest(booked, visited, accepted, projects.deposit_paid_at, installed) >= ${from})`

const milestones: Record<TimedStage, [from: string, to: string]> = {
  intake: ['opened', 'booked'],
  visit: ['booked', 'visited'],
  quoting: ['visited', 'accepted'],
  deposit: ['accepted', 'deposited'],
  installing: ['deposited', 'installed'],
  whole: ['opened', 'installed'],
}
const stages = Object.keys(timedStages) as TimedStage[]

type DayRow = Row<StageDays & { stage: TimedStage }>
type Journeys = { reached: Rows<Reached>; agencies: Row<Named<Reached>>[] | null; days: DayRow[] | null }

const reachedCounts = sql`count(*) as visited, count(quoted) as quoted, count(accepted) as accepted, count(installed) as installed`
const reachedSums = sql`sum(visited)::int as visited, sum(quoted)::int as quoted, sum(accepted)::int as accepted,
  sum(installed)::int as installed`

const comparedSpan = ({ before, now }: FigurePeriod) => ({
  from: boundsOf(before).from,
  to: boundsOf(now).to,
})

/** How far projects came, by the day of their first completed visit, and how long stages took, by the day each ended. */
function readJourneys(db: Db, period: FigurePeriod): Promise<Journeys> {
  const { compared, monthly, span, stretchOf } = cutTime(period)
  const tenths = (share: number) =>
    sql`round(10 * percentile_cont(${sql.raw(String(share))}) within group (order by days))::int`
  const spans = stages.map((stage) => {
    const [since, at] = milestones[stage].map((name) => sql.raw(name)) as [SQL, SQL]
    return sql`select ${sql.raw(`'${stage}'`)} as stage, ${stretchOf(at)} as stretch, date_part('epoch', ${at} - ${since}) / 86400 as days
      from journeys where ${at} >= ${since} and ${between(at, stage === 'whole' ? span : comparedSpan(period))}`
  })
  const days = (
    windows: SQL,
    where: SQL,
  ) => sql`select windows.name as within, stage, count(*)::int as count, ${tenths(0.5)} as median,
    ${tenths(0.9)} as slow from spans ${windows} where ${where} group by windows.name, stage`
  return one(
    db,
    sql`with ${journeysSince(span.from)}, cohort as materialized (
        select ${stretchOf(sql`visited`)} as stretch, agency_id, ${reachedCounts}
        from journeys where ${between(sql`visited`, span)} group by stretch, agency_id), spans as materialized (${sql.join(spans, sql` union all `)})
      select ${rowsOf(sql`select windows.name as within, ${reachedSums} from cohort ${monthly} group by windows.name`)} as reached,
        ${rowsOf(sql`select windows.name as within, agencies.id, agencies.name, ${reachedSums}
          from cohort ${compared} left join agencies on agencies.id = cohort.agency_id
          group by windows.name, agencies.id order by agencies.name collate es nulls last`)} as agencies,
        ${rowsOf(sql`${days(monthly, sql`stage = 'whole'`)} union all ${days(compared, sql`stage <> 'whole'`)}`)} as days`,
  )
}

function daysFrom(rows: readonly DayRow[]): OfficeFigures['days'] {
  const of = (stage: TimedStage) =>
    inOrder(
      rows.filter((row) => row.stage === stage).map(({ stage: _, ...row }) => row),
      noDays,
    )
  return {
    ...of('whole'),
    stages: stages.map((stage) => ({ stage, now: of(stage).now, before: of(stage).before })),
  }
}

/** Hours booked of hours of shifts, of those who carry appointments out today. */
function occupancyFrom(
  period: FigurePeriod,
  workers: readonly NamedWorker[],
  booked: Visits['booked'],
  holidays: readonly string[],
): OfficeFigures['occupancy'] {
  const staff = workers.filter(({ active }) => active)
  const minutes = new Map((booked ?? []).map(({ id, minutes, within }) => [`${within} ${id}`, minutes]))
  const loads = (name: string, range: DateRange): Workload[] => {
    const days = workdaysIn(range, holidays)
    return staff.map((worker) => ({
      booked: minutes.get(`${name} ${worker.id}`) ?? 0,
      shift: shiftMinutes(worker, days),
    }))
  }
  const now = loads('now', period.now)
  const before = loads('before', period.before)
  return {
    now: sumOf(now),
    before: sumOf(before),
    trend: period.weeks.map((week, n) => sumOf(loads(`w${n + 1}`, week))),
    people: staff
      .map(({ id, name }, n) => ({ id, name, now: now[n]!, before: before[n]! }))
      .filter((one) => one.now.shift + one.now.booked + one.before.shift + one.before.booked > 0),
  }
}

const sumOf = (loads: readonly Workload[]): Workload =>
  loads.reduce((sum, { booked, shift }) => ({ booked: sum.booked + booked, shift: sum.shift + shift }), {
    booked: 0,
    shift: 0,
  })

/** Each person or agency once, with the period and the one before. */
function comparedOf<Figure extends object>(
  rows: readonly Row<Named<Figure>>[],
  none: Figure,
): Named<Compared<Figure>>[] {
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => {
    const of = (name: string): Figure => {
      const found = own.find(({ within }) => within === name)
      if (!found) return none
      const { id: _, name: __, within: ___, ...figure } = found
      return figure as unknown as Figure
    }
    return { id, name: own[0]!.name, now: of('now'), before: of('before') }
  })
}

type Ends = { sellers: Row<Named<SellerConversion>>[] | null; lost: LostCount[] | null }

/** Quotes by the author of the first sent version of each folio, and lost projects by their reason. */
function readEnds(db: Db, { before, now }: FigurePeriod): Promise<Ends> {
  const within = (range: DateRange) => between(sql`closed_at`, boundsOf(range))
  const sentWithin = (range: DateRange) => between(sql`quotes.sent_at`, boundsOf(range))
  return one(
    db,
    sql`select ${rowsOf(sql`select case when ${sentWithin(now)} then 'now' else 'before' end as within, users.id, users.full_name as name, count(*)::int as sent,
          count(*) filter (where exists (select from quotes won where won.folio = quotes.folio and won.accepted_at is not null))::int as accepted
        from quotes join users on users.id = quotes.sent_by
        where quotes.kind = 'installation' and (${sentWithin(now)} or ${sentWithin(before)})
          and not exists (select from quotes first where first.folio = quotes.folio and first.revision < quotes.revision and first.sent_at is not null)
        group by 1, users.id order by users.full_name collate es, users.id`)} as sellers,
      ${rowsOf(sql`select lost_reason as reason, count(*) filter (where ${within(now)})::int as now,
          count(*) filter (where ${within(before)})::int as before,
          count(*) filter (where ${within(now)} and exists (select from quotes where quotes.project_id = projects.id and quotes.sent_at is not null))::int as "afterQuote"
        from projects where lost_reason is not null and (${within(now)} or ${within(before)})
        group by lost_reason order by now desc, before desc, reason`)} as lost`,
  )
}
