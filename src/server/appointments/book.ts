import type { Actor } from '../../domain/access/actor.ts'
import type { Booking, Service } from '../../domain/appointments/appointment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { takeOver } from '../accounts/take-over.ts'
import { demandFee } from '../payments/fee.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { noteEquipment } from '../projects/equipment.ts'
import { nextStepTaken } from '../projects/next-step.ts'
import { heldProject } from '../projects/projects-changes.ts'
import { answerFaults } from '../reports/changes.ts'
import { tryBest } from '../scheduling/attempts.ts'
import { candidates, checkHeld, holdingDay, type Question, questionFor } from '../scheduling/choose.ts'
import { refuseUnready } from './bookable.ts'
import { noOneLeft, refuseMoved, refuseOwnClash } from './booking-refusals.ts'
import { insertBooked } from './insert-booked.ts'
import { unprovedStanding } from './unverified.ts'
import { type Booked, type Booker, sameRequest, type Wish, wishOf } from './wish.ts'

/** Somebody took it between our look and our lock; with other people's luck this ends, and this many losses never happen to one. */
const patience = 40

/**
 * Books a slot for a customer: one transaction in which the person is held, checked again and written, so that what is
 * promised is promised once. Refuses with the three nearest free slots when nobody is left.
 */
export async function bookAppointment(
  db: Db,
  actor: Actor,
  service: Service,
  booking: Booking,
  { address, now }: { address: string; now: Date },
): Promise<Booked> {
  if (actor.role !== 'customer') refuse('permission-denied')
  const { id, emailVerified } = actor
  const booker = { customerId: id, emailVerified, actorId: id, isCaller: false, address }
  return bookFor(db, booker, service, booking, now)
}

/** Books for whom the booker says. Whether the booker may is asked before. */
export async function bookFor(db: Db, booker: Booker, service: Service, booking: Booking, now: Date) {
  const { wish, earlier } = await wishOf(db, booker, service, booking)
  if (earlier) return earlier
  if (service === 'installation') await refuseUnready(db, booker.customerId, service)
  for (let losses = 0; losses < patience; ) {
    const question = await questionFor(db, wish.placement, now)
    const outcome = await attempt(db, wish, question, now)
    if (typeof outcome === 'object') {
      const { informed, ...booked } = outcome
      announce(db, { people: informed })
      return booked
    }
    if (outcome === 'refused' || outcome === 'full') {
      const mine = await sameRequest(db, wish)
      if (mine) return mine
      await refuseOwnClash(db, wish, question)
      await refuseMoved(db, wish)
      await refuseUnready(db, booker.customerId, service)
    }
    if (outcome === 'full') return await noOneLeft(db, wish, question, now)
    if (outcome !== 'again') losses++
  }
  return refuse('unavailable', 'Mucha gente está agendando a la vez. Vuelve a intentarlo.')
}

/** Tries the best person; `full` when nobody can, `again` when another booking was waited for. */
async function attempt(db: Db, wish: Wish, question: Question, now: Date) {
  const { placement } = wish
  const able = candidates(question, placement.start)
  if (able.length === 0) return 'full'
  return tryBest(able, question.ask.days[0]!.date, placement.start, (personId) =>
    transaction(db, (tx) => take(tx, wish, question, personId, now), holdingDay(personId, placement)),
  )
}

/** Looks again at the person now held, and writes. `lost`: somebody was faster; `refused`: a constraint, or the project, says no. */
async function take(tx: Tx, wish: Wish, question: Question, personId: string, now: Date) {
  const { booker, booking, service } = wish
  const against = await checkHeld(tx, question.staffing, wish.placement, personId, now)
  if (against?.length !== 0) return 'lost'
  const unproved = booker.emailVerified ? null : await unprovedStanding(tx, wish)
  if (unproved === 'has-one') return 'refused'
  if (booker.isCaller) await takeOver(tx, booker.customerId, booker.actorId, now)
  const projectId = wish.projectId ?? (await heldProject(tx, { id: booker.customerId }, booker.actorId))
  const { minutes } = question.ask.settings.services[service]
  const booked = await insertBooked(tx, { wish, projectId, personId, minutes, now })
  if (!booked) return 'refused'
  if (unproved) await unproved.note(booked.id)
  await booker.answerOffer?.(tx)
  nextStepTaken(tx, { projectId, service, folio: booked.folio, actorId: booker.actorId }, now)
  if (service === 'technical_visit') {
    const visit = { id: booked.id, projectId, customerId: booker.customerId, startsAt: booking.startsAt }
    await demandFee(tx, visit, question.ask.settings, booking.fee, now)
    answerFaults(tx, booked.id)
  }
  if (booking.equipment) await noteEquipment(tx, projectId, booking.equipment)
  await enqueue(tx, 'letter', { letter: 'booked', appointmentId: booked.id, to: 'customer' })
  const informed = [booker.customerId, projectId]
  // Whoever takes a call knows at once; who visits is only chosen so far.
  if (service !== 'videocall') return { ...booked, informed }
  await enqueue(tx, 'letter', { letter: 'assigned', appointmentId: booked.id, to: 'person' })
  return { ...booked, informed: [...informed, personId] }
}
