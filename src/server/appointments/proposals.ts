import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { activeStates } from '../../domain/appointments/appointment.ts'
import { appointmentMachine } from '../../domain/appointments/transitions.ts'
import { toDate, toMinutes } from '../../domain/shared/calendar.ts'
import type { Db } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { nearestSlots } from '../scheduling/choose.ts'
import { zoneOf } from '../scheduling/roster.ts'
import { factsOf, type Held } from './appointments-changes.ts'
import { stateIn } from './visible.ts'

type Placed = Pick<Held, 'service' | 'municipality' | 'startsAt'>

/** The free slots nearest to an appointment's own time or to now, to be proposed to its customer. */
export async function proposalsFor(db: Db, row: Placed, now: Date): Promise<Date[]> {
  const start = Math.max(toMinutes(row.startsAt), toMinutes(now))
  const nearest = await nearestSlots(db, { service: row.service, zone: zoneOf(row.municipality), start }, now)
  return nearest.map(toDate)
}

const recent = 3 * 24 * 3_600_000

/** The same once it ended otherwise than it should, for whoever may call one off and while its customer has no other. */
export async function proposalsAfter(db: Db, actor: Actor, id: string, now: Date): Promise<Date[]> {
  const [row] = await db.select().from(appointments).where(eq(appointments.id, id))
  if (!row || row.outcome === 'completed' || row.startsAt.getTime() < now.getTime() - recent) return []
  if (!appointmentMachine.transitions.callOff.by(actor, factsOf(row))) return []
  const [another] = await db
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      and(
        eq(appointments.projectId, row.projectId),
        eq(appointments.service, row.service),
        stateIn(activeStates),
      ),
    )
    .limit(1)
  return another ? [] : proposalsFor(db, row, now)
}
