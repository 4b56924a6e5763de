import { and, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { notifyUnassigned, replaceProvisional } from '../appointments/assign.ts'
import { placementAt } from '../appointments/reschedule.ts'
import { type AppointmentRow, lockAppointment, transition } from '../appointments/transition.ts'
import type { Db, Tx } from '../platform/database/client.ts'
import { moveOffers } from '../platform/database/schema/appointments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { checkLocked } from '../scheduling/choose.ts'
import { currentStaffing, type Staffing, staffingInside } from '../scheduling/roster.ts'
import { reasonWords } from '../scheduling/rules/eligibility.ts'
import { type AbsenceInput, decisionsOf } from '../scheduling/rules/schema.ts'
import { outsideQuietHours, toDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { changeSchedule, insertTimeOff } from '../users/schedule.ts'
import { type AbsentDays, awayOn } from './absence-plan.ts'
import { recordOffer } from './move-offers.ts'
import { disruptionCost, moveOfferEndsAt } from './rules/absence.ts'

type Absence = { actor: Actor; personId: string; now: Date }
type Offer = { id: string; personId: string; start: number }

/**
 * A person is absent, for a day or several: the absence, reassignments at the same time and offers of other times are one transaction.
 * Refused as a whole, with the decisions to repeat, when any part is no longer valid.
 */
export async function confirmAbsence(
  db: Db,
  actor: Actor,
  personId: string,
  days: AbsentDays,
  input: AbsenceInput,
  now: Date,
): Promise<{ offered: number; given: number }> {
  const known = await currentStaffing(db)
  const offers = Object.entries(input.choices).flatMap(([id, choice]) =>
    choice.kind === 'offer' ? [{ id, personId: choice.personId, start: choice.start }] : [],
  )
  const customers: string[] = []
  const seen = { version: input.version, decisions: decisionsOf(input) }
  await changeSchedule(db, actor, personId, seen, now, async (tx) => {
    customers.length = 0
    const span = (await awayOn(tx, personId, days, now)) ?? refuse('failed-precondition', 'Ese día ya pasó.')
    await insertTimeOff(tx, actor, personId, { span, reason: input.reason ?? 'No puede venir' }, now)
    const staffing = await staffingInside(tx, known)
    for (const offer of offers.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const held = await heldFor(tx, actor, offer, input.seen[offer.id], personId)
      await check(tx, staffing, held, offer, now)
      await holdOut(tx, { actor, personId, now }, held, offer)
      customers.push(held.customerId)
    }
    return { name: 'add_time_off', data: { from: toDate(span.start), to: toDate(span.end) } }
  })
  if (customers.length > 0) announce(db, { people: customers })
  return { offered: offers.length, given: Object.keys(input.choices).length - offers.length }
}

/** The reason in the appointments' histories: the reason for an absence may be private. */
const because = 'No puede venir ese día'

const changed = (id: string, words: string) =>
  refuse('aborted', 'Algo cambió mientras decidías. Revisa lo marcado y vuelve a confirmar.', {
    errors: { [`choice.${id}`]: words },
  })

async function heldFor(tx: Tx, actor: Actor, { id }: Offer, version: number | undefined, personId: string) {
  const held = await lockAppointment(tx, actor, id)
  if (held.version !== version || held.assigneeId !== personId)
    changed(id, 'Esta cita cambió mientras decidías. Revísala otra vez.')
  return held
}

/** The person of each offer must be available then. No booking is between its check and its commit meanwhile. */
async function check(
  tx: Tx,
  staffing: Staffing,
  held: AppointmentRow,
  { id, personId, start }: Offer,
  now: Date,
) {
  const placement = placementAt(held, { start, promised: true })
  const against = await checkLocked(tx, staffing, placement, personId, now)
  if (start <= toMinutes(now)) changed(id, 'Esa hora ya pasó.')
  if (!against || against.length > 0)
    changed(id, `Ese horario ya no se puede: ${(against ?? []).map(reasonWords).join('; ')}.`)
}

/** Removes the absent person without a letter to the customer, whose letter is the offer. */
async function holdOut(tx: Tx, { actor, now, personId }: Absence, held: AppointmentRow, offer: Offer) {
  await stepOff(tx, actor, held, now)
  await tx
    .update(moveOffers)
    .set({ answer: 'withdrawn', answeredAt: now })
    .where(and(eq(moveOffers.appointmentId, held.id), isNull(moveOffers.answer)))
  const from = toMinutes(held.startsAt)
  const harm = disruptionCost(
    { start: from, personId },
    { start: offer.start, personId: offer.personId },
    held.movedByCustomer + held.movedByUs,
  )
  const expiresAt = toDate(moveOfferEndsAt(toMinutes(now), from, offer.start))
  const [made] = await tx
    .insert(moveOffers)
    .values({
      appointmentId: held.id,
      absentId: personId,
      assigneeId: offer.personId,
      madeBy: actor.id,
      fromStartsAt: held.startsAt,
      toStartsAt: toDate(offer.start),
      harm: harm.total,
      expiresAt,
    })
    .returning({ id: moveOffers.id })
  const startsAt = toDate(offer.start)
  await recordOffer(tx, { id: made!.id, actorId: actor.id, name: 'offered', startsAt })
  // No offer is sent at night, unless it would expire by the morning.
  const awake = outsideQuietHours(now)
  const sentAt = awake < expiresAt ? awake : now
  await enqueue(tx, 'letter', { letter: 'move_offer', offerId: made!.id, to: 'customer' }, sentAt)
}

async function stepOff(tx: Tx, actor: Actor, held: AppointmentRow, now: Date) {
  if (held.state !== 'assigned') return replaceProvisional(tx, actor, held, null, because)
  const set = { assigneeId: null, confirmedAt: null, overrideReason: null }
  const data = { from: held.assigneeId, assigneeId: null, offered: true }
  const moved = await transition(tx, actor, held, 'release', now, set, { reason: because, data })
  await notifyUnassigned(tx, held, moved)
  return moved
}
