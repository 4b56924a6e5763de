import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { onSiteServices } from '../../domain/appointments/appointment.ts'
import {
  type Conversion,
  isCallDue,
  type LostReasonCount,
  type Punctuality,
  readsProjects,
  type SellerConversion,
  type StageDays,
  type TimedStage,
  timedStages,
} from '../../domain/projects/pipeline.ts'
import { isOpenQuote, quoteStateBy, writesQuotes } from '../../domain/quotes/quote.ts'
import { minuteAt, toDate } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, isId, transaction } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { tasks } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import { quotesVisibleTo } from '../quotes/transition.ts'
import { shownSettings } from '../settings/queries.ts'

/** The reason of a task that records a call about a quote; it is done when it is written. */
const reason = 'quote_call'

/** As many as the office calls in a day. */
const shownAtOnce = 100

/** The last call about a quote, as JSON: when, by whom, and its outcome. */
type LastCall = { id: string; at: string; byId: string; by: string; result: string }
const lastCall = sql<LastCall | null>`(
  select json_build_object('id', call.id, 'at', call.done_at, 'result', call.result, 'byId', call.taken_by, 'by', caller.full_name)
  from tasks call left join users caller on caller.id = call.taken_by
  where call.quote_id = quotes.id and call.reason = ${reason} order by call.done_at desc, call.id desc limit 1)`

/**
 * The customers of viewed quotes without an answer, the first to expire at the top: never called, or not for two days;
 * and those called recently.
 */
export async function quotesToCall(db: Db, actor: Actor, now: Date) {
  if (!writesQuotes(actor)) return { due: [], called: [] }
  const { customerId, folio, highestTotal, id, lowestTotal, validUntil, viewedAt } = quotes
  const rows = await db
    .select({
      id,
      folio,
      lowestTotal,
      highestTotal,
      customerId,
      validUntil,
      viewedAt,
      lastCall,
      customer: users.fullName,
      phone: users.phone,
    })
    .from(quotes)
    .innerJoin(users, eq(users.id, quotes.customerId))
    .where(and(eq(quotes.state, 'viewed'), sql`${validUntil} > ${now}`, quotesVisibleTo(actor)))
    .orderBy(asc(validUntil), asc(id))
    .limit(shownAtOnce)
  const told = rows.map(({ lastCall: last, ...row }) => ({
    ...row,
    last: last && { ...last, at: new Date(last.at) },
  }))
  const isDue = ({ last }: (typeof told)[number]) => isCallDue(last?.at ?? null, now)
  return { due: told.filter(isDue), called: told.filter((row) => !isDue(row)) }
}

export type QuoteToCall = Awaited<ReturnType<typeof quotesToCall>>['due'][number]

/** The outcome of a call about a quote; `seen` is the last call that was shown, or blank. Sent twice, it is one. */
export async function noteCall(
  db: Db,
  actor: Actor,
  { quoteId, result, seen }: { quoteId: string; result: string; seen: string },
  now: Date,
): Promise<void> {
  if (!writesQuotes(actor)) refuse('permission-denied')
  if (!isId(quoteId)) refuse('not-found')
  await transaction(db, async (tx) => {
    const [quote] = await tx
      .select()
      .from(quotes)
      .where(and(eq(quotes.id, quoteId), quotesVisibleTo(actor)))
      .for('no key update')
    if (!quote) return refuse('not-found')
    if (!isOpenQuote(quoteStateBy(quote, now)))
      refuse('failed-precondition', 'Esta cotización ya tiene respuesta, o terminó. No hace falta llamar.')
    const [last] = await tx.select({ last: lastCall }).from(quotes).where(eq(quotes.id, quoteId))
    if (isSame(last?.last ?? null, { seen, result, byId: actor.id }, now)) return
    if ((last?.last?.id ?? '') !== seen)
      refuse('aborted', 'Alguien más anotó una llamada a este cliente. Léela antes de anotar la tuya.')
    const about = { personId: quote.customerId, projectId: quote.projectId, quoteId, phone: null }
    const done = { doneAt: now, takenBy: actor.id, result }
    const subject = `Llamada por la cotización ${quote.folio}`
    const [made] = await tx
      .insert(tasks)
      .values({ ...about, ...done, subject, reason })
      .returning({ id: tasks.id })
    await record(tx, { entity: 'task', entityId: made!.id, actorId: actor.id, name: 'close', reason: result })
  })
  announce(db, { people: [] })
}

const minute = 60_000

/** The same words by the same user a moment ago: the form was sent twice. */
const isSame = (last: LastCall | null, sent: { seen: string; result: string; byId: string }, now: Date) =>
  last !== null &&
  last.id !== sent.seen &&
  last.byId === sent.byId &&
  last.result === sent.result &&
  now.getTime() - new Date(last.at).getTime() < minute

/** All of the office's figures for consecutive months; null for those who may not read them. */
export async function officeFigures(db: Db, actor: Actor, months: readonly string[]) {
  if (readsProjects(actor) !== 'all') return null
  const [days, byAgency, bySeller, punctuality, lost] = await Promise.all([
    stageDays(db, months),
    conversionByAgency(db, months),
    conversionBySeller(db, months),
    punctualityOf(db, months),
    lostByReason(db, months),
  ])
  return { days, byAgency, bySeller, punctuality, lost }
}

export type OfficeFigures = NonNullable<Awaited<ReturnType<typeof officeFigures>>>

function within(at: SQL, months: readonly string[]): SQL {
  const midnight = (month: string) => toDate(minuteAt(`${month}-01`, '00:00'))
  const end = Temporal.PlainYearMonth.from(months.at(-1)!).add({ months: 1 }).toString()
  return sql`${at} >= ${midnight(months[0]!)} and ${at} < ${midnight(end)}`
}

const completed = sql`state = 'done' and coalesce(outcome, 'completed') = 'completed'`
const finished = sql`coalesce(finished_at, starts_at)`

/** When each project passed from one stage to the next, derived from its parts: no log of stages is needed. */
const milestones = sql`
  select projects.id, projects.agency_id, projects.created_at as opened,
    (select min(created_at) from appointments where project_id = projects.id and service = 'technical_visit') as booked,
    (select min(${finished}) from appointments where project_id = projects.id and service = 'technical_visit' and ${completed}) as visited,
    (select min(accepted_at) from quotes where project_id = projects.id and kind = 'installation') as accepted,
    projects.deposit_paid_at as deposited,
    (select min(${finished}) from appointments where project_id = projects.id and service = 'installation' and ${completed}) as installed
  from projects`

const spans: Record<TimedStage, [from: string, to: string]> = {
  intake: ['opened', 'booked'],
  visit: ['booked', 'visited'],
  quoting: ['visited', 'accepted'],
  deposit: ['accepted', 'deposited'],
  installing: ['deposited', 'installed'],
}

async function stageDays(db: Db, months: readonly string[]): Promise<StageDays[]> {
  const one = (stage: TimedStage) => {
    const [from, to] = spans[stage].map((column) => sql.raw(column)) as [SQL, SQL]
    return sql`select ${stage} as stage, extract(epoch from ${to} - ${from}) / 86400 as days from milestones
      where ${to} >= ${from} and ${within(to, months)}`
  }
  const stages = Object.keys(timedStages) as TimedStage[]
  const { rows } = await db.execute<{ stage: TimedStage; count: number; median: number; slow: number }>(sql`
    with milestones as (${milestones}), spans as (${sql.join(stages.map(one), sql` union all `)})
    select stage, count(*)::int as count,
      round(10 * percentile_cont(0.5) within group (order by days))::int as median,
      round(10 * percentile_cont(0.9) within group (order by days))::int as slow
    from spans group by stage`)
  return stages.map(
    (stage) => rows.find((row) => row.stage === stage) ?? { stage, count: 0, median: null, slow: null },
  )
}

async function conversionByAgency(db: Db, months: readonly string[]): Promise<Conversion[]> {
  const { rows } = await db.execute<Conversion>(sql`
    with milestones as (${milestones})
    select agencies.id, agencies.name, count(*)::int as projects, count(visited)::int as visited,
      count(*) filter (where accepted is not null)::int as accepted, count(installed)::int as installed
    from milestones left join agencies on agencies.id = milestones.agency_id
    where ${within(sql`opened`, months)} group by agencies.id, agencies.name order by agencies.name collate es nulls last`)
  return rows
}

/** Each folio once, under the author of its first sent version. */
async function conversionBySeller(db: Db, months: readonly string[]): Promise<SellerConversion[]> {
  const { rows } = await db.execute<SellerConversion>(sql`
    with sent as (select distinct on (folio) folio, sent_by, sent_at from quotes
      where sent_at is not null and kind = 'installation' order by folio, revision)
    select users.id, users.full_name as name, count(*)::int as sent,
      count(*) filter (where exists (select 1 from quotes won where won.folio = sent.folio and won.accepted_at is not null))::int as accepted
    from sent join users on users.id = sent.sent_by
    where ${within(sql`sent.sent_at`, months)} group by users.id order by name collate es, users.id`)
  return rows
}

async function punctualityOf(db: Db, months: readonly string[]): Promise<Punctuality[]> {
  const { arrivalWindowMinutes } = await shownSettings(db)
  const isLate = sql`started_at > starts_at + make_interval(mins => ${arrivalWindowMinutes})`
  const { rows } = await db.execute<Punctuality>(sql`
    select users.id, users.full_name as name, count(*)::int as began,
      count(*) filter (where not (${isLate}))::int as "onTime", count(*) filter (where ${isLate})::int as late
    from appointments join users on users.id = appointments.assignee_id
    where service in (${listed(onSiteServices)}) and started_at is not null and ${within(sql`starts_at`, months)}
    group by users.id order by name collate es, users.id`)
  return rows
}

/** A reopened project is not among them. */
async function lostByReason(db: Db, months: readonly string[]): Promise<LostReasonCount[]> {
  const { rows } = await db.execute<LostReasonCount>(sql`
    select lost_reason as reason, count(*)::int as lost,
      count(*) filter (where exists (select from quotes where quotes.project_id = projects.id and quotes.sent_at is not null))::int as "afterQuote"
    from projects where lost_reason is not null and ${within(sql`closed_at`, months)}
    group by lost_reason order by lost desc, lost_reason`)
  return rows
}
