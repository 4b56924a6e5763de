import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type OfferOutcome, offerOverWords } from '../../domain/scheduling/absence.ts'
import { toMinutes } from '../../domain/shared/calendar.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { moveTo } from '../appointments/reschedule.ts'
import { type AppointmentRow, affectedUserIds, lockAppointment } from '../appointments/transition.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { appointments, moveOffers } from '../platform/database/schema/appointments.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockingStaffing } from './choose.ts'
import { askToCall } from './expire.ts'
import { currentStaffing, type Staffing } from './roster.ts'

type Offer = typeof moveOffers.$inferSelect

/** Somebody changed the staffing between our look and our lock: this ends, and so many changes never follow one another. */
const patience = 10

/**
 * The customer takes the time that was offered because somebody can't come; it does not count among their changes. Where it is
 * not free any more they hear so, and somebody calls. Said twice, it is the same answer.
 */
export async function acceptMove(db: Db, actor: Actor, offerId: string, now: Date): Promise<void> {
  for (let tries = 0; tries < patience; tries++) {
    const staffing = await currentStaffing(db)
    const outcome = await accept(db, actor, offerId, staffing, now).catch((error) => {
      // Their own other appointment, or a constraint, stands there.
      if (error instanceof Refusal && error.code === 'already-exists') return { gone: true } as const
      throw error
    })
    if (outcome === 'again') continue
    if ('gone' in outcome) return await tellGone(db, actor, offerId, now)
    announce(db, { people: affectedUserIds(outcome) })
    return
  }
  refuse('unavailable', 'Vuelve a intentarlo en un momento.')
}

const accept = (db: Db, actor: Actor, offerId: string, staffing: Staffing, now: Date) =>
  transaction(
    db,
    async (tx) => {
      const { held, offer } = await heldOffer(tx, actor, offerId)
      if (offer.answer === 'accepted') return held
      refuseOver(held, offer, now)
      const to = { start: toMinutes(offer.toStartsAt), personId: offer.assigneeId, staffing }
      const outcome = await moveTo(
        tx,
        actor,
        held,
        { ...to, confirmed: true, because: 'ours', promised: true },
        now,
      )
      if ('against' in outcome) return outcome.against.length > 0 ? ({ gone: true } as const) : 'again'
      await answer(tx, offer, 'accepted', now)
      return outcome
    },
    lockingStaffing,
  )

async function tellGone(db: Db, actor: Actor, offerId: string, now: Date): Promise<never> {
  await transaction(db, async (tx) => {
    const { held, offer } = await heldOffer(tx, actor, offerId)
    if (offer.answer === null && (await answer(tx, offer, 'gone', now))) await askToCall(tx, held, 'gone')
  })
  announce(db, { people: [actor.id] })
  return refuse('already-exists', offerOverWords.gone)
}

/** The time offered does not suit: the appointment stays without anybody, and somebody calls. */
export async function declineMove(db: Db, actor: Actor, offerId: string, now: Date): Promise<void> {
  await transaction(db, async (tx) => {
    const { held, offer } = await heldOffer(tx, actor, offerId)
    if (offer.answer === 'declined') return
    refuseOver(held, offer, now)
    await answer(tx, offer, 'declined', now)
    await askToCall(tx, held, 'declined')
  })
  announce(db, { people: [actor.id] })
}

/** The offer with its appointment, both held. Somebody else's does not exist. */
async function heldOffer(tx: Tx, actor: Actor, offerId: string) {
  if (actor.role !== 'customer') refuse('permission-denied')
  if (!isId(offerId)) refuse('not-found')
  const [known] = await tx
    .select({ appointmentId: moveOffers.appointmentId })
    .from(moveOffers)
    .innerJoin(appointments, eq(appointments.id, moveOffers.appointmentId))
    .where(and(eq(moveOffers.id, offerId), eq(appointments.customerId, actor.id)))
  const held = await lockAppointment(tx, actor, known?.appointmentId ?? refuse('not-found'))
  const [offer] = await tx.select().from(moveOffers).where(eq(moveOffers.id, offerId)).for('update')
  return { held, offer: offer ?? refuse('not-found') }
}

function refuseOver(held: AppointmentRow, offer: Offer, now: Date) {
  if (offer.answer) refuse('failed-precondition', offerOverWords[offer.answer])
  if (offer.expiresAt <= now) refuse('failed-precondition', offerOverWords.expired)
  if (held.state !== 'requested' || held.startsAt.getTime() !== offer.fromStartsAt.getTime())
    refuse('failed-precondition', offerOverWords.withdrawn)
}

async function answer(tx: Tx, { id }: Offer, said: OfferOutcome, now: Date): Promise<boolean> {
  const rows = await tx
    .update(moveOffers)
    .set({ answer: said, answeredAt: now, version: sql`${moveOffers.version} + 1` })
    .where(and(eq(moveOffers.id, id), sql`${moveOffers.answer} is null`))
    .returning({ id: moveOffers.id })
  return rows.length > 0
}
