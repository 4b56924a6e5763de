import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { log } from '../app/log.ts'
import { hold } from '../appointments/appointments-changes.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { appointments, moveOffers } from '../platform/database/schema/appointment-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { askToCall } from './call-back.ts'

/** Ends the offers that nobody answered in time, each with a call to make, and those whose appointment went on without them. */
export async function expireMoves(db: Db, now: Date): Promise<number> {
  const due = await db
    .select({ id: moveOffers.id, appointmentId: moveOffers.appointmentId })
    .from(moveOffers)
    .innerJoin(appointments, eq(appointments.id, moveOffers.appointmentId))
    .where(and(isNull(moveOffers.answer), or(lte(moveOffers.expiresAt, now), movedOn)))
  let ended = 0
  for (const { appointmentId, id } of due)
    try {
      const customer = await endOne(db, id, appointmentId, now)
      if (!customer) continue
      ended++
      announce(db, { people: [customer] })
    } catch (err) {
      // One that fails must not keep the others waiting; the next round takes it up again.
      log.error({ err, offer: id }, 'an offer was not ended')
    }
  return ended
}

const movedOn = sql`(${appointments.state} <> 'requested' or ${appointments.startsAt} <> ${moveOffers.fromStartsAt})`

const endOne = (db: Db, id: string, appointmentId: string, now: Date): Promise<string | null> =>
  transaction(db, async (tx) => {
    const held = await hold(tx, 'system', appointmentId)
    const [offer] = await tx
      .select({ from: moveOffers.fromStartsAt })
      .from(moveOffers)
      .where(and(eq(moveOffers.id, id), isNull(moveOffers.answer)))
      .for('update')
    if (!offer) return null
    const stands = held.state === 'requested' && held.startsAt.getTime() === offer.from.getTime()
    await tx
      .update(moveOffers)
      .set({
        answer: stands ? 'expired' : 'withdrawn',
        answeredAt: now,
        version: sql`${moveOffers.version} + 1`,
      })
      .where(eq(moveOffers.id, id))
    if (stands) await askToCall(tx, held, 'expired')
    return held.customerId
  })
