import { and, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { activeStates, type Service, services } from '../../domain/appointments/appointment.ts'
import { daysFrom, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { type Db, planned } from '../platform/database/database.ts'
import { timesOf } from './narrowed.ts'
import { stateIn, visibleTo } from './visible.ts'

/** How many appointments of each service a local day holds; a service without any is left out. */
export type DayLoad = { date: string; services: Partial<Record<Service, number>>; total: number }

/** What the days from today on hold, each as the list of that day counts it: a stretch of an index for each day and service. */
export async function daysAhead(db: Db, actor: Actor, now: Date, count: number): Promise<DayLoad[]> {
  const days = daysFrom(toMinutes(now), count).map(({ date, start, end }) => {
    return { date, from: toDate(start), until: toDate(end) }
  })
  const rows = await planned<[since: Date, service: Service, count: number]>(
    db,
    sql`select since, service, counted.total from ${timesOf(days)}
      cross join unnest(${sql.param(services)}::text[]) of_service (service) cross join lateral (
        select count(*)::int as total from appointments where ${and(visibleTo(actor), stateIn(activeStates))}
          and appointments.service = of_service.service
          and appointments.starts_at >= since and appointments.starts_at < until
      ) counted where counted.total > 0`,
  )
  return days.map(({ date, from }) => {
    const own = rows.filter(([since]) => since.getTime() === from.getTime())
    return {
      date,
      services: Object.fromEntries(own.map(([, service, some]) => [service, some])),
      total: own.reduce((sum, [, , some]) => sum + some, 0),
    }
  })
}
