import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { serviceFacts } from '../../domain/appointments/appointment.ts'
import { log } from '../app/stop.ts'
import { type AppointmentRow, lockAppointment } from '../appointments/transition.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { appointments, moveOffers } from '../platform/database/schema/appointments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { askToCallCustomer } from '../projects/open-project.ts'

const because = {
  declined: 'no le queda el horario propuesto',
  expired: 'no contestó la propuesta de horario',
  gone: 'aceptó un horario que ya no estaba libre',
} as const

/** An appointment that nobody carries out and for which no other time was agreed: somebody calls its customer. */
export async function askToCall(tx: Tx, held: AppointmentRow, why: keyof typeof because): Promise<void> {
  const { folio, id, service } = held
  const subject = `Acordar otro horario para la ${serviceFacts[service].label.toLowerCase()} ${folio}: ${because[why]}`
  await askToCallCustomer(tx, held, { subject, reason: `move_${why}` })
  await enqueue(tx, 'letter', { letter: 'no_person', appointmentId: id, to: 'managers' })
}

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
    const held = await lockAppointment(tx, 'system', appointmentId)
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
