import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import { activeStates } from '../../domain/appointment.ts'
import type { Service } from '../../domain/services.ts'
import type { Db } from '../database/database.ts'
import { type AddressRow, appointments } from '../database/schema.ts'
import { openProjectOf } from '../projects/queries.ts'

/** What a customer lacks to book a service, or the address it would be booked for. */
export type Bookable = { missing: 'address' | 'area' | 'active_one' } | { missing: null; address: AddressRow }

/** Whether the customer can book this service now, and if not, what stands in the way. */
export async function bookableProject(db: Db, actor: Actor, service: Service): Promise<Bookable> {
  const project = await openProjectOf(db, actor.id)
  if (!project?.address) return { missing: 'address' }
  const [active] = await db
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      and(
        eq(appointments.projectId, project.id),
        eq(appointments.service, service),
        sql`${appointments.state} = any(${sql.param([...activeStates])}::text[])`,
      ),
    )
    .limit(1)
  if (active) return { missing: 'active_one' }
  if (project.address.area !== 'served') return { missing: 'area' }
  return { missing: null, address: project.address }
}
