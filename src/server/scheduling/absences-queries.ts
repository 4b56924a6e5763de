import { and, asc, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type Service, services } from '../../domain/appointments/appointment.ts'
import { type OfferStatus, offerStatusOf } from '../../domain/scheduling/absence.ts'
import { shortName } from '../../domain/scheduling/board.ts'
import { managesSchedule } from '../../domain/scheduling/roster.ts'
import { daysOn, toDate } from '../../domain/shared/calendar.ts'
import { assignee, customer } from '../appointments/own-day.ts'
import type { Db, Queryable } from '../platform/database/client.ts'
import { appointments, moveOffers } from '../platform/database/schema/appointments.ts'

/** An offer as the manager follows it. */
export type TrackedOffer = {
  id: string
  appointmentId: string
  folio: string
  service: Service
  customer: string
  from: Date
  to: Date
  assignee: string
  harm: number
  expiresAt: Date
  standing: OfferStatus
}

/** The other times that were offered because of somebody's absence on a local date. */
export async function offersOf(
  db: Db,
  actor: Actor,
  absentId: string,
  date: string,
  now: Date,
): Promise<TrackedOffer[]> {
  if (!managesSchedule(actor)) return []
  const day = daysOn(date, 1)[0]!
  const rows = await db
    .select({
      id: moveOffers.id,
      appointmentId: moveOffers.appointmentId,
      folio: appointments.folio,
      service: appointments.service,
      name: customer.name,
      lastname: customer.lastname,
      from: moveOffers.fromStartsAt,
      to: moveOffers.toStartsAt,
      assignee: assignee.fullName,
      harm: moveOffers.harm,
      expiresAt: moveOffers.expiresAt,
      answer: moveOffers.answer,
    })
    .from(moveOffers)
    .innerJoin(appointments, eq(appointments.id, moveOffers.appointmentId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .innerJoin(assignee, eq(assignee.id, moveOffers.assigneeId))
    .where(
      and(
        eq(moveOffers.absentId, absentId),
        sql`${moveOffers.fromStartsAt} >= ${toDate(day.start)} and ${moveOffers.fromStartsAt} < ${toDate(day.end)}`,
      ),
    )
    .orderBy(asc(moveOffers.harm), asc(moveOffers.fromStartsAt), desc(moveOffers.id))
  return rows.map(({ answer, name, lastname, ...row }) => ({
    ...row,
    customer: shortName(name, lastname),
    standing: offerStatusOf(answer, row.expiresAt, now),
  }))
}

/** The offers of another time that wait for a customer's answer: at most one for each of their own appointments. */
export const ownMoveOffers = (db: Db, actor: Actor, now: Date) =>
  db
    .select({
      id: moveOffers.id,
      appointmentId: moveOffers.appointmentId,
      from: moveOffers.fromStartsAt,
      to: moveOffers.toStartsAt,
      expiresAt: moveOffers.expiresAt,
      since: moveOffers.createdAt,
    })
    .from(moveOffers)
    .innerJoin(appointments, eq(appointments.id, moveOffers.appointmentId))
    .where(and(eq(appointments.customerId, actor.id), waits(now)))

const waits = (now: Date) =>
  and(
    eq(appointments.state, 'requested'),
    eq(appointments.startsAt, moveOffers.fromStartsAt),
    isNull(moveOffers.answer),
    gt(moveOffers.expiresAt, now),
  )

/** Since when some customers are asked whether another time suits them, by customer; those who are not asked are not there. */
export async function askedSinceOf(
  db: Queryable,
  customerIds: readonly string[],
  now: Date,
): Promise<Map<string, Date>> {
  const rows = await db
    .select({
      customerId: appointments.customerId,
      service: appointments.service,
      since: moveOffers.createdAt,
    })
    .from(moveOffers)
    .innerJoin(appointments, eq(appointments.id, moveOffers.appointmentId))
    .where(and(inArray(appointments.customerId, [...customerIds]), waits(now)))
  // Of two the one that their home shows: the last written of a map stays.
  const shownLast = rows.toSorted((a, b) => services.indexOf(b.service) - services.indexOf(a.service))
  return new Map(shownLast.map(({ customerId, since }) => [customerId, since]))
}

export type OwnMoveOffer = Awaited<ReturnType<typeof ownMoveOffers>>[number]
