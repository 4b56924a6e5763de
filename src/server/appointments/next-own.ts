import { sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type AppointmentState, activeStates, type Service } from '../../domain/appointments/appointment.ts'
import { dayOf, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { type Db, planned } from '../platform/database/database.ts'
import { hasOwnDay } from './own-day.ts'
import { stateIn } from './visible.ts'

/** What somebody carries out next. */
export type NextOwn = {
  id: string
  service: Service
  state: AppointmentState
  startsAt: Date
  municipality: string | null
  customer: string
}

/** The first of somebody's own that is not over, from today on; null when there is none, or they carry nothing out. */
export async function nextOwn(db: Db, actor: Actor, now: Date): Promise<NextOwn | null> {
  if (!hasOwnDay(actor)) return null
  const today = toDate(dayOf(toMinutes(now)).start)
  const [row] = await planned<[string, Service, AppointmentState, Date, string | null, string]>(
    db,
    sql`select appointments.id, service, state, starts_at, municipality, customer.full_name
      from appointments join users customer on customer.id = appointments.customer_id
      where assignee_id = ${actor.id} and confirmed_at is not null and ${stateIn(activeStates)} and starts_at >= ${today}
      order by starts_at, appointments.id limit 1`,
  )
  if (!row) return null
  const [id, service, state, startsAt, municipality, customer] = row
  return { id, service, state, startsAt, municipality, customer }
}
