import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import {
  type Conversion,
  type Punctuality,
  readsProjects,
  type SellerConversion,
  type StageDays,
  type TimedStage,
  timedStages,
} from '../../domain/projects/pipeline.ts'
import { minuteAt, toDate } from '../../domain/shared/calendar.ts'
import type { Db } from '../platform/database/client.ts'
import { shownSettings } from '../settings/queries.ts'

/** Everything that the office counts, of months that follow one another; null for those who may not read it. */
export async function officeFigures(db: Db, actor: Actor, months: readonly string[]) {
  if (readsProjects(actor) !== 'all') return null
  const [days, byAgency, bySeller, punctuality] = await Promise.all([
    stageDays(db, months),
    conversionByAgency(db, months),
    conversionBySeller(db, months),
    punctualityOf(db, months),
  ])
  return { days, byAgency, bySeller, punctuality }
}

export type OfficeFigures = NonNullable<Awaited<ReturnType<typeof officeFigures>>>

function within(at: SQL, months: readonly string[]): SQL {
  const midnight = (month: string) => toDate(minuteAt(`${month}-01`, '00:00'))
  const end = Temporal.PlainYearMonth.from(months.at(-1)!).add({ months: 1 }).toString()
  return sql`${at} >= ${midnight(months[0]!)} and ${at} < ${midnight(end)}`
}

const completed = sql`state = 'done' and coalesce(outcome, 'completed') = 'completed'`
const finished = sql`coalesce(finished_at, starts_at)`
/** When each project passed from one stage to the next, as its parts say: no log of stages has to have been kept. */
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

/** Each folio once, by whoever sent its first version. */
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
    where service in ('technical_visit', 'installation') and started_at is not null and ${within(sql`starts_at`, months)}
    group by users.id order by name collate es, users.id`)
  return rows
}
