import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { harmOf, offerEnds } from '../../domain/scheduling/absence.ts'
import { reasonWords } from '../../domain/scheduling/eligibility.ts'
import { type AbsenceWish, decisionsOf } from '../../domain/scheduling/schema.ts'
import { outsideQuietHours, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Held, hold, write } from '../appointments/appointments-changes.ts'
import { replaceProvisional } from '../appointments/release.ts'
import { placementAt } from '../appointments/reschedule.ts'
import { tellTakenOff } from '../appointments/tell.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { moveOffers } from '../platform/database/schema/appointment-schema.ts'
import { timeOff } from '../platform/database/schema/staff-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { changeSchedule } from '../users/schedule-changes.ts'
import { duringOf } from '../users/time-off-bounds.ts'
import { checkHeld } from './choose.ts'
import { currentStaffing, type Staffing, staffingInside } from './roster.ts'
import { awayOn } from './stranded.ts'

type Absence = { actor: Actor; personId: string; now: Date }
type Offer = { id: string; personId: string; start: number }

/**
 * Somebody can't come: the absence, what is given to others at its own time and what is offered at another one are one
 * transaction. Refused whole, with what to decide anew, when any of it is no longer so.
 */
export async function confirmAbsence(
  db: Db,
  actor: Actor,
  personId: string,
  date: string,
  wish: AbsenceWish,
  now: Date,
): Promise<{ offered: number; given: number }> {
  const known = await currentStaffing(db)
  const offers = Object.entries(wish.choices).flatMap(([id, choice]) =>
    choice.kind === 'offer' ? [{ id, personId: choice.personId, start: choice.start }] : [],
  )
  const customers: string[] = []
  const seen = { version: wish.version, decisions: decisionsOf(wish) }
  await changeSchedule(db, actor, personId, seen, now, async (tx) => {
    customers.length = 0
    const span = (await awayOn(tx, personId, date, now)) ?? refuse('failed-precondition', 'Ese día ya pasó.')
    await writeAway(tx, actor, personId, duringOf(span, now), wish.reason ?? 'No puede venir', now)
    const staffing = await staffingInside(tx, known)
    for (const offer of offers.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const held = await heldFor(tx, actor, offer, wish.seen[offer.id], personId)
      await check(tx, staffing, held, offer, now)
      await holdOut(tx, { actor, personId, now }, held, offer)
      customers.push(held.customerId)
    }
    return { name: 'add_time_off', data: { from: toDate(span.start), to: toDate(span.end) } }
  })
  if (customers.length > 0) announce(db, { people: customers })
  return { offered: offers.length, given: Object.keys(wish.choices).length - offers.length }
}

/** What the histories of the appointments say: why somebody is away may be a private matter. */
const because = 'No puede venir ese día'

async function writeAway(tx: Tx, actor: Actor, personId: string, during: string, reason: string, now: Date) {
  const [known] = await tx
    .select({ id: timeOff.id })
    .from(timeOff)
    .where(
      and(
        eq(timeOff.personId, personId),
        sql`${timeOff.approvedAt} is not null and ${timeOff.during} && ${during}::tstzrange`,
      ),
    )
    .limit(1)
  if (known) refuse('already-exists', 'Ya tiene un permiso en esas fechas. Quítalo primero.')
  await tx.insert(timeOff).values({ personId, during, reason, approvedAt: now, approvedBy: actor.id })
}

const changed = (id: string, words: string) =>
  refuse('aborted', 'Algo cambió mientras decidías. Revisa lo marcado y vuelve a confirmar.', {
    errors: { [`choice.${id}`]: words },
  })

async function heldFor(tx: Tx, actor: Actor, { id }: Offer, version: number | undefined, personId: string) {
  const held = await hold(tx, actor, id)
  if (held.version !== version || held.assigneeId !== personId)
    changed(id, 'Esta cita cambió mientras decidías. Revísala otra vez.')
  return held
}

/** Whoever it is offered with has to be able to then. No booking is between its check and its commit meanwhile. */
async function check(tx: Tx, staffing: Staffing, held: Held, { id, personId, start }: Offer, now: Date) {
  const placement = placementAt(held, { start, promised: true })
  const against = await checkHeld(tx, staffing, placement, personId, now)
  if (start <= toMinutes(now)) changed(id, 'Esa hora ya pasó.')
  if (!against || against.length > 0)
    changed(id, `Ese horario ya no se puede: ${(against ?? []).map(reasonWords).join('; ')}.`)
}

/** Takes the absent person off without a word to the customer, whose letter is the offer. */
async function holdOut(tx: Tx, { actor, now, personId }: Absence, held: Held, offer: Offer) {
  await stepOff(tx, actor, held, now)
  await tx
    .update(moveOffers)
    .set({ answer: 'withdrawn', answeredAt: now })
    .where(and(eq(moveOffers.appointmentId, held.id), isNull(moveOffers.answer)))
  const from = toMinutes(held.startsAt)
  const harm = harmOf(
    { start: from, personId },
    { start: offer.start, personId: offer.personId },
    held.movedByCustomer + held.movedByUs,
  )
  const expiresAt = toDate(offerEnds(toMinutes(now), from, offer.start))
  const [made] = await tx
    .insert(moveOffers)
    .values({
      ...{ appointmentId: held.id, absentId: personId, assigneeId: offer.personId, madeBy: actor.id },
      ...{ fromStartsAt: held.startsAt, toStartsAt: toDate(offer.start), harm: harm.total },
      expiresAt,
    })
    .returning({ id: moveOffers.id })
  // Nobody is woken by an offer, unless it would be over by the morning.
  const awake = outsideQuietHours(now)
  const sentAt = awake < expiresAt ? awake : now
  await enqueue(tx, 'letter', { letter: 'move_offer', offerId: made!.id, to: 'customer' }, sentAt)
}

async function stepOff(tx: Tx, actor: Actor, held: Held, now: Date) {
  if (held.state !== 'assigned') return replaceProvisional(tx, actor, held, null, because)
  const set = { assigneeId: null, confirmedAt: null, overrideReason: null }
  const data = { from: held.assigneeId, assigneeId: null, offered: true }
  const moved = await write(tx, actor, held, 'release', now, set, { reason: because, data })
  await tellTakenOff(tx, held, moved)
  return moved
}
