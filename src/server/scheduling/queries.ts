import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type Service, serviceFacts } from '../../domain/appointments/appointment.ts'
import { toMinutes } from '../../domain/shared/calendar.ts'
import type { Db } from '../platform/database/client.ts'
import { appointments, slotOffers, slotWishes } from '../platform/database/schema/appointments.ts'
import { addresses } from '../platform/database/schema/projects.ts'
import { candidates, questionFor } from './choose.ts'
import { zoneOf } from './roster.ts'

export type OwnWaiting = {
  isWaiting: boolean
  /** What is held out now; `isUnavailable` when nobody can go then any more. */
  offer: { id: string; startsAt: Date; expiresAt: Date; isGone: boolean } | null
}

/** Whether a customer waits for an earlier time of a service, and what is held out to them. */
export async function waitingOf(db: Db, actor: Actor, service: Service, now: Date): Promise<OwnWaiting> {
  const [row] = await db
    .select({
      appointmentId: slotWishes.appointmentId,
      municipality: sql<string | null>`coalesce(${appointments.municipality}, ${addresses.municipality})`,
      offer: { id: slotOffers.id, startsAt: slotOffers.startsAt, expiresAt: slotOffers.expiresAt },
    })
    .from(slotWishes)
    .leftJoin(appointments, eq(appointments.id, slotWishes.appointmentId))
    .leftJoin(addresses, and(eq(addresses.projectId, slotWishes.projectId), isNull(addresses.archivedAt)))
    .leftJoin(
      slotOffers,
      and(
        eq(slotOffers.wishId, slotWishes.id),
        isNull(slotOffers.answer),
        gt(slotOffers.expiresAt, now),
        // Moved meanwhile, they may come as early already.
        or(isNull(appointments.id), lt(slotOffers.startsAt, appointments.startsAt)),
      ),
    )
    .where(
      and(eq(slotWishes.customerId, actor.id), eq(slotWishes.service, service), isNull(slotWishes.endedAt)),
    )
    .orderBy(slotOffers.startsAt)
    .limit(1)
  if (!row) return { isWaiting: false, offer: null }
  if (!row.offer) return { isWaiting: true, offer: null }
  const start = toMinutes(row.offer.startsAt)
  const placement = {
    service,
    zone: serviceFacts[service].needsTravel ? zoneOf(row.municipality) : -1,
    start,
    promised: true,
    ...(row.appointmentId && { without: row.appointmentId }),
  }
  const able = candidates(await questionFor(db, placement, now), start)
  return { isWaiting: true, offer: { ...row.offer, isGone: able.length === 0 } }
}
