import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { readsCalls } from '../../domain/access/routes.ts'
import { activeStates } from '../../domain/appointments/appointment.ts'
import { appointmentMachine } from '../../domain/appointments/transitions.ts'
import { waitOf } from '../../domain/calls/room.ts'
import { freeToTakeOver } from '../appointments/assign.ts'
import { assignee, customer, stateIn } from '../appointments/own-day.ts'
import { type AppointmentRow, factsOf } from '../appointments/transition.ts'
import type { Db } from '../platform/database/client.ts'
import { appointments } from '../platform/database/schema/appointments.ts'

/** As many as fit on a screen; more never wait at once. */
const most = 20

/** The calls whose customer is in the room without an analyst, the longest wait first; null for whom that is no matter of. */
export async function callsWaiting(db: Db, actor: Actor, now: Date) {
  if (!actor.kind || !readsCalls(actor.kind)) return null
  const rows = await db
    .select({
      held: appointments,
      customer: customer.fullName,
      assignee: sql<string>`coalesce(${assignee.fullName}, '')`,
    })
    .from(appointments)
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(
      and(
        eq(appointments.service, 'videocall'),
        isNotNull(appointments.customerWaitingSince),
        stateIn(activeStates),
      ),
    )
    .orderBy(asc(appointments.customerWaitingSince))
    .limit(most)
  return Promise.all(
    rows.map(async ({ held, ...names }) => ({
      ...{ id: held.id, folio: held.folio, service: held.service, version: held.version },
      ...{ interest: held.interest, since: held.customerWaitingSince!, startsAt: held.startsAt },
      customer: names.customer,
      assignee: names.assignee || null,
      isMine: held.assigneeId === actor.id && held.confirmedAt !== null,
      takeOverAt: waitOf(factsOf(held))?.takeOverAt ?? now,
      mayTake: await mayTake(db, actor, held, now),
      mayGive: actor.kind === 'manager',
    })),
  )
}

export type WaitingCall = NonNullable<Awaited<ReturnType<typeof callsWaiting>>>[number]

async function mayTake(db: Db, actor: Actor, held: AppointmentRow, now: Date): Promise<boolean> {
  if (actor.kind !== 'analyst' || !appointmentMachine.can('takeOver', actor, factsOf(held), now)) return false
  const free = await freeToTakeOver(db, { ...held, assignee: personOf(held) }, now)
  return free.some(({ id }) => id === actor.id)
}

const personOf = ({ assigneeId }: AppointmentRow) => (assigneeId ? { id: assigneeId } : null)
