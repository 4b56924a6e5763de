import { and, asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { isActive } from '../../domain/appointments/appointment.ts'
import { travelBetween } from '../../domain/scheduling/roster.ts'
import { type LocalDay, localDate, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import type { Db } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { projects } from '../platform/database/schema/project-schema.ts'
import { currentStaffing, zoneOf } from '../scheduling/roster.ts'
import { customer } from './people.ts'
import { visibleTo } from './visible.ts'

/** Who has a day of their own to go through. */
export const hasOwnDay = ({ kind }: Actor) => kind === 'tecnician' || kind === 'analyst'

/** What somebody still has to carry out on some days, in order, each stop with the minutes on the road from the one before,
 * which may be done already. */
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

export type Stop = Awaited<ReturnType<typeof ownStops>>[number]

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
