import { and, eq, or } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import {
  type AppointmentState,
  activeStates,
  type Facts,
  isActive,
} from '../../domain/appointments/appointment.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { historyOf } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { faultsAbout } from '../reports/faults.ts'
import { assignee, customer, stateIn, visibleTo } from './own-day.ts'
import { type AppointmentRow, affectedUserIds, factsOf } from './transition.ts'

const detailed = {
  appointment: appointments,
  customer,
  assignee: { id: assignee.id, name: assignee.fullName },
  vehicle: projects.vehicle,
  charger: projects.charger,
}

/** One appointment with its people, as far as the actor may see; null when it does not exist for them. */
export async function appointmentFor(db: Db, actor: Actor, id: string, states: readonly AppointmentState[]) {
  if (!isId(id)) return null
  const [row] = await db
    .select(detailed)
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(and(eq(appointments.id, id), stateIn(states), visibleTo(actor)))
  if (!row) return null
  const { appointment } = row
  const person = row.assignee?.id ? { id: row.assignee.id, name: row.assignee.name } : null
  const { id: customerId, name, lastname, phone, email } = row.customer
  const common = {
    id: appointment.id,
    folio: appointment.folio,
    service: appointment.service,
    state: appointment.state,
    startsAt: appointment.startsAt,
    minutes: appointment.minutes,
    confirmed: appointment.confirmedAt !== null,
    version: appointment.version,
  }
  if (actor.kind === 'alliate')
    return {
      ...{ ...common, folio: '', confirmed: false },
      // Whose account it is, and what it is quoted by, are no business of theirs.
      customer: { id: '', name, lastname: null, phone: null, email: null },
      assignee: null,
      address: null,
      notes: null,
      closingNote: null,
      municipality: null,
      interest: null,
      vehicle: null,
      charger: null,
      ending: null,
      nobodyCameAt: null,
      faults: [],
    }
  return {
    ...common,
    customer: { id: customerId, name, lastname, phone, email },
    assignee: person,
    address: appointment.address,
    notes: appointment.notes,
    closingNote: appointment.closingNote,
    municipality: appointment.municipality,
    interest: appointment.interest,
    vehicle: row.vehicle,
    charger: row.charger,
    ending: isActive(appointment.state) ? null : await endingOf(db, appointment),
    nobodyCameAt: appointment.nobodyCameAt,
    faults: await faultsAbout(db, id),
  }
}

/** How an appointment ended: what came of it, why, and who said so. No name is the system. */
async function endingOf(db: Db, { closingReason, id, late, outcome }: AppointmentRow) {
  const [last] = await historyOf(db, 'appointment', id, 1)
  return { outcome, closingReason, late, at: last?.at ?? null, by: last?.actor ?? null }
}

/** What the rules ask about an appointment the actor sees; null when it does not exist for them. Not for the page's data. */
export async function factsFor(db: Db, actor: Actor, id: string): Promise<Facts | null> {
  if (!isId(id)) return null
  const [row] = await db
    .select({ appointment: appointments })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .where(and(eq(appointments.id, id), visibleTo(actor)))
  return row ? factsOf(row.appointment) : null
}

export type AppointmentDetail = NonNullable<Awaited<ReturnType<typeof appointmentFor>>>

/** Whose screens show somebody's name and phone: those who have an appointment with that person, once they know of it. */
export async function contactsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select()
    .from(appointments)
    .where(
      and(
        or(eq(appointments.customerId, userId), eq(appointments.assigneeId, userId)),
        stateIn(activeStates),
      ),
    )
  return rows
    .filter(({ confirmedAt, customerId }) => confirmedAt !== null || customerId === userId)
    .flatMap(affectedUserIds)
}
