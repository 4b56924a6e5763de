import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type ConversionCounts, type MonthCount, readsAgencyWork } from '../../domain/agencies/agency.ts'
import { minuteAt, timeZone, toDate } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/client.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { agenciesVisibleTo } from './agencies-queries.ts'

/** Of an agency that an actor does not see, or may not count, there is nothing to count. */
function counted(actor: Actor, agencyId: string): SQL {
  if (!readsAgencyWork(actor)) refuse('not-found')
  return sql`exists (select 1 from agencies where ${and(eq(agencies.id, agencyId), agenciesVisibleTo(actor))})`
}

const monthOf = (at: SQL) => sql<string>`to_char(${at} at time zone ${sql.raw(`'${timeZone}'`)}, 'YYYY-MM')`

/** Within months that follow one another. */
function within(at: SQL, months: readonly string[]): SQL {
  const midnight = (month: string) => toDate(minuteAt(`${month}-01`, '00:00'))
  const end = Temporal.PlainYearMonth.from(months.at(-1)!).add({ months: 1 }).toString()
  return sql`${at} >= ${midnight(months[0]!)} and ${at} < ${midnight(end)}`
}

/** An installation that was carried out to its end. */
const installed = sql`${appointments.service} = 'installation' and ${appointments.state} = 'done'
  and coalesce(${appointments.outcome}, 'completed') = 'completed'`
/** In the month in which it was finished, as its commission is. */
const finishedAt = sql`coalesce(${appointments.finishedAt}, ${appointments.startsAt})`

/** How many installations were finished for an agency's clients, a month each; months without any are left out. */
export const installationsByMonth = (
  db: Db,
  actor: Actor,
  agencyId: string,
  months: readonly string[],
): Promise<MonthCount[]> =>
  db
    .select({ month: monthOf(finishedAt), count: sql<number>`count(*)::int` })
    .from(appointments)
    .where(
      and(
        eq(appointments.agencyId, agencyId),
        installed,
        within(finishedAt, months),
        counted(actor, agencyId),
      ),
    )
    .groupBy(sql`1`)

/** Whom an agency brought: those who are its clients, and those whose invitation ran out without an account. */
const brought = sql`(${clients.endedAt} is null or (${clients.customerId} is null and ${clients.endedReason} = 'expired'))`

/** How many people an agency brought, a month each; months without any are left out. */
export const broughtByMonth = (
  db: Db,
  actor: Actor,
  agencyId: string,
  months: readonly string[],
): Promise<MonthCount[]> =>
  db
    .select({ month: monthOf(sql`${clients.createdAt}`), count: sql<number>`count(*)::int` })
    .from(clients)
    .where(
      and(
        eq(clients.agencyId, agencyId),
        brought,
        within(sql`${clients.createdAt}`, months),
        counted(actor, agencyId),
      ),
    )
    .groupBy(sql`1`)

const hasInstallation = sql`exists (select 1 from appointments where ${appointments.customerId} = ${clients.customerId}
  and ${appointments.agencyId} = ${clients.agencyId} and ${installed})`
// What is installed was agreed, also where the quote was cancelled afterwards.
const hasAccepted = sql`(${hasInstallation} or exists (select 1 from quotes where quotes.customer_id = ${clients.customerId}
  and quotes.agency_id = ${clients.agencyId} and quotes.kind = 'installation' and quotes.state = 'accepted'))`

/** How far those have come by now whom an agency brought in these months. */
export async function conversionCounts(
  db: Db,
  actor: Actor,
  agencyId: string,
  months: readonly string[],
): Promise<ConversionCounts> {
  const where = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`
  const [row] = await db
    .select({
      brought: sql<number>`count(*)::int`,
      joined: where(sql`${clients.customerId} is not null`),
      accepted: where(hasAccepted),
      installed: where(hasInstallation),
    })
    .from(clients)
    .where(
      and(
        eq(clients.agencyId, agencyId),
        brought,
        within(sql`${clients.createdAt}`, months),
        counted(actor, agencyId),
      ),
    )
  return row ?? { brought: 0, joined: 0, accepted: 0, installed: 0 }
}

/** The first year of which an agency has something to show; null where there is nothing yet. */
export async function firstYearOf(db: Db, actor: Actor, agencyId: string): Promise<number | null> {
  const earliest = sql<Date | null>`least(
    (select min(${clients.createdAt}) from clients where ${clients.agencyId} = ${agencyId}),
    (select min(${finishedAt}) from appointments where ${appointments.agencyId} = ${agencyId} and ${installed}))`
  const { rows } = await db.execute<{ year: number | null }>(
    sql`select extract(year from ${earliest} at time zone ${sql.raw(`'${timeZone}'`)})::int as year
      where ${counted(actor, agencyId)}`,
  )
  return rows[0]?.year ?? null
}
