import { and, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import { activeStates } from '../../domain/appointment.ts'
import { daysFrom, timeZone, toDate, toMinutes } from '../../domain/calendar.ts'
import type { Service } from '../../domain/services.ts'
import { type Db, planned } from '../database/database.ts'
import { stateIn, visibleTo } from './visible.ts'

/** How many appointments of each service a local day holds; a service without any is left out. */
export type DayLoad = { date: string; services: Partial<Record<Service, number>>; total: number }

/** What the days from today on hold, each as the list of that day counts it. */
export async function daysAhead(db: Db, actor: Actor, now: Date, count: number): Promise<DayLoad[]> {
  const days = daysFrom(toMinutes(now), count)
  const [from, until] = [toDate(days[0]!.start), toDate(days.at(-1)!.end)]
  const rows = await planned<[date: string, service: Service, count: number]>(
    db,
    sql`select (appointments.starts_at at time zone ${sql.raw(`'${timeZone}'`)})::date::text, appointments.service, count(*)::int
      from appointments where ${and(visibleTo(actor), stateIn(activeStates))}
        and appointments.starts_at >= ${from} and appointments.starts_at < ${until} group by 1, 2`,
  )
  return days.map(({ date }) => {
    const own = rows.filter(([day]) => day === date)
    return {
      date,
      services: Object.fromEntries(own.map(([, service, some]) => [service, some])),
      total: own.reduce((sum, [, , some]) => sum + some, 0),
    }
  })
}
