import { and, desc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { Db } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { type ClientAppointment, clientRows } from './rows.ts'
import { refreshClients } from './standing.ts'
import { clientsVisibleTo } from './visible.ts'

/** One client as an actor may see them, with their appointments; null when they do not exist for them. */
export async function clientFor(db: Db, actor: Actor, id: string, now: Date) {
  if (!isId(id)) return null
  if (actor.agencyId) await refreshClients(db, now, { agencyId: actor.agencyId })
  const [client] = await clientRows(db, actor, and(eq(clients.id, id), clientsVisibleTo(actor)), 1, true)
  return client ? { ...client, appointments: await appointmentsOf(db, id) } : null
}

const appointmentsOf = (db: Db, clientId: string): Promise<ClientAppointment[]> =>
  db
    .select({
      ...{ service: appointments.service, startsAt: appointments.startsAt, state: appointments.state },
    })
    .from(appointments)
    .innerJoin(
      clients,
      sql`${clients.customerId} = ${appointments.customerId} and ${clients.agencyId} = ${appointments.agencyId}`,
    )
    .where(eq(clients.id, clientId))
    .orderBy(desc(appointments.startsAt))

export type ClientDetail = NonNullable<Awaited<ReturnType<typeof clientFor>>>
