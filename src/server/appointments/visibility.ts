import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Actor, isCustomer, type StaffKind } from '../../domain/access/actor.ts'
import { type AppointmentState, isActive, onSiteServices } from '../../domain/appointments/appointment.ts'
import { hasOwnDay } from '../../domain/appointments/list.ts'
import { travelBetween } from '../../domain/scheduling/roster.ts'
import { type LocalDay, localDate, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { hasOrNeedsCase } from '../cfe/rows.ts'
import type { Db } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { currentStaffing, zoneOf } from '../scheduling/roster.ts'

/**
 * The remaining appointments of a user on some days, in order, each with the travel minutes from the previous one,
 * which may be done already.
 */
export async function ownStops(db: Db, actor: Actor, first: LocalDay, last: LocalDay) {
  if (!hasOwnDay(actor)) return []
  const [rows, { travel }] = await Promise.all([
    stopsBetween(db, actor, toDate(first.start), toDate(last.end)),
    currentStaffing(db),
  ])
  const stops = rows.map((row, at) => {
    const before = rows[at - 1]
    const isSameDay = before && dateOf(before) === dateOf(row)
    const minutes = isSameDay
      ? travelBetween(travel, zoneOf(before.municipality), zoneOf(row.municipality))
      : 0
    return { ...row, date: dateOf(row), travel: minutes }
  })
  return stops.filter(({ state }) => isActive(state))
}

export type OwnStop = Awaited<ReturnType<typeof ownStops>>[number]

const dateOf = ({ startsAt }: { startsAt: Date }) => localDate(toMinutes(startsAt))

const stopsBetween = (db: Db, actor: Actor, from: Date, to: Date) =>
  db
    .select({
      id: appointments.id,
      folio: appointments.folio,
      service: appointments.service,
      state: appointments.state,
      startsAt: appointments.startsAt,
      minutes: appointments.minutes,
      municipality: appointments.municipality,
      address: appointments.address,
      customer: customer.fullName,
      phone: customer.phone,
      waitingSince: appointments.customerWaitingSince,
    })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .where(
      and(
        visibleTo(actor),
        eq(appointments.assigneeId, actor.id),
        sql`${appointments.confirmedAt} is not null and ${appointments.state} <> 'cancelled'`,
        sql`${appointments.startsAt} >= ${from} and ${appointments.startsAt} < ${to}`,
      ),
    )
    .orderBy(asc(appointments.startsAt), asc(appointments.id))

/** The two people of an appointment, for joins. */
export const customer = alias(users, 'customer')
export const assignee = alias(users, 'assignee')

const none = sql`false`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => undefined,
  // A provisional assignee is not notified yet; old and distant visits are not shown to them.
  tecnician: (actor) =>
    sql`${appointments.assigneeId} = ${actor.id} and ${appointments.confirmedAt} is not null
      and ${appointments.startsAt} between now() - interval '30 days' and now() + interval '60 days'`,
  alliate: (actor) => (actor.agencyId ? eq(appointments.agencyId, actor.agencyId) : none),
  gester: () =>
    sql`${appointments.state} = 'done' and ${appointments.service} in (${listed(onSiteServices)})
      and ${hasOrNeedsCase(appointments.projectId)}`,
}

/** The rows an actor may see. For all other actors they do not exist. */
export const visibleTo = (actor: Actor): SQL | undefined =>
  isCustomer(actor) ? eq(appointments.customerId, actor.id) : seenByStaff[actor.kind](actor)

/** The states written out: a list in a parameter would keep PostgreSQL from using the partial indexes. */
export const stateIn = (states: readonly AppointmentState[]) =>
  sql`${appointments.state} in (${listed(states)})`
