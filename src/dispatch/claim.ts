import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { type Actor, assertCustomer } from '../access/rules/actor.ts'
import { bookFor } from '../appointments/book.ts'
import { getAppointment } from '../appointments/change-time.ts'
import { moveTo, placementAt } from '../appointments/reschedule.ts'
import { affectedUserIds } from '../appointments/rules/appointment.ts'
import { someoneElse, whyNotTaken } from '../appointments/rules/rules.ts'
import { type AppointmentRow, lockAppointment } from '../appointments/transition.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { appointments, slotOffers, slotWishes } from '../platform/database/schema/appointments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { candidates, lockingStaffing, questionFor, type SlotQuestion, tryBest } from '../scheduling/choose.ts'
import { toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'

/** Ends a series of lost attempts; so many in a row do not occur. */
const patience = 40

/**
 * The customer takes an offered time: the first claim gets it, any other is refused and keeps waiting. A repeated claim
 * has no effect.
 */
export async function claimOffer(
  db: Db,
  actor: Actor,
  offerId: string,
  { address, now }: { address: string; now: Date },
): Promise<void> {
  const offer = await ownOffer(db, actor, offerId)
  if (offer.answer === 'claimed') return
  refuseOver(offer, now)
  if (offer.appointmentId) await moveThere(db, actor, { ...offer, appointmentId: offer.appointmentId }, now)
  else await bookThere(db, actor, offer, { address, now })
  announce(db, { people: [actor.id, ...(await othersOffered(db, offer))], desk: false })
}

/** "No, gracias": the customer keeps waiting for another time; the next in line are offered this one. */
export async function declineOffer(db: Db, actor: Actor, offerId: string, now: Date): Promise<void> {
  const { service, startsAt } = await ownOffer(db, actor, offerId)
  await transaction(db, async (tx) => {
    const [declined] = await tx
      .update(slotOffers)
      .set({ answer: 'declined', answeredAt: now })
      .where(and(eq(slotOffers.id, offerId), isNull(slotOffers.answer)))
      .returning({ id: slotOffers.id })
    if (declined) await enqueue(tx, 'offer-freed-slot', { service, startsAt: startsAt.toISOString() })
  })
  announce(db, { people: [actor.id], desk: false })
}

type Offer = Awaited<ReturnType<typeof ownOffer>>

/** Another customer's offer does not exist. */
async function ownOffer(db: Db | Tx, actor: Actor, offerId: string, held = false) {
  assertCustomer(actor)
  if (!isId(offerId)) refuse('not-found')
  const query = db
    .select({
      id: slotOffers.id,
      wishId: slotOffers.wishId,
      projectId: slotWishes.projectId,
      startsAt: slotOffers.startsAt,
      expiresAt: slotOffers.expiresAt,
      answer: slotOffers.answer,
      service: slotWishes.service,
      appointmentId: slotWishes.appointmentId,
      has: appointments.startsAt,
      wishEnded: sql<boolean>`${slotWishes.endedAt} is not null`,
    })
    .from(slotOffers)
    .innerJoin(slotWishes, eq(slotWishes.id, slotOffers.wishId))
    .leftJoin(appointments, eq(appointments.id, slotWishes.appointmentId))
    .where(and(eq(slotOffers.id, offerId), eq(slotWishes.customerId, actor.id)))
  const [offer] = await (held ? query.for('update', { of: slotOffers }) : query)
  return offer ?? refuse('not-found')
}

function refuseOver(offer: Offer, now: Date) {
  const why = whyNotTaken(offer, now)
  if (why) refuse('failed-precondition', why)
}

/** Moves the booked appointment, in the transaction that answers the offer; its assignee stays if available. */
async function moveThere(db: Db, actor: Actor, offer: Offer & { appointmentId: string }, now: Date) {
  const start = toMinutes(offer.startsAt)
  for (let losses = 0; losses < patience; ) {
    const row = await getAppointment(db, actor, offer.appointmentId)
    const question = await questionFor(db, placementAt(row, { start, promised: true }), now)
    const able = candidates(question, start)
    const best = able.find((one) => one.id === row.assigneeId) ?? able[0]
    if (!best) return gone(db, offer, now)
    const outcome = await tryBest([best], question.ask.days[0]!.date, start, () =>
      attempt(db, actor, offer, row, question, best.id, now),
    )
    if (typeof outcome === 'object') {
      announce(db, { people: [...affectedUserIds(row), ...affectedUserIds(outcome)] })
      return
    }
    if (outcome === 'mine') return
    if (outcome === 'lost') losses++
  }
  return refuse('unavailable', 'Mucha gente está agendando a la vez. Vuelve a intentarlo.')
}

const attempt = (
  db: Db,
  actor: Actor,
  offer: Offer,
  row: AppointmentRow,
  { staffing }: SlotQuestion,
  personId: string,
  now: Date,
): Promise<AppointmentRow | 'lost' | 'mine'> =>
  transaction(
    db,
    async (tx) => {
      const standing = await ownOffer(tx, actor, offer.id, true)
      if (standing.answer === 'claimed') return 'mine'
      refuseOver(standing, now)
      const held = await lockAppointment(tx, actor, row.id)
      if (held.version !== row.version) return 'lost'
      const to = { start: toMinutes(offer.startsAt), personId, staffing, promised: true }
      const outcome = await moveTo(tx, actor, held, { ...to, because: 'wished' }, now)
      if ('against' in outcome) return 'lost'
      await answer(tx, actor, offer, now)
      return outcome
    },
    lockingStaffing,
  )

/**
 * Books where nothing was booked yet, and answers the offer with it; the offer is the form's key, so that a second try
 * finds the first one's result.
 */
async function bookThere(
  db: Db,
  actor: Actor,
  offer: Offer,
  { address, now }: { address: string; now: Date },
) {
  const booking = { startsAt: offer.startsAt, requestKey: offer.id, notes: null }
  const { id, emailVerified } = actor
  const answerOffer = async (tx: Tx) => {
    refuseOver(await ownOffer(tx, actor, offer.id, true), now)
    await answer(tx, actor, offer, now)
  }
  const { projectId } = offer
  const booker = {
    customerId: id,
    projectId,
    actorId: id,
    emailVerified,
    isCaller: false,
    address,
    answerOffer,
  }
  await bookFor(db, booker, offer.service, booking, now)
}

async function answer(tx: Tx, actor: Actor, { id, startsAt, wishId }: Offer, now: Date) {
  await tx.update(slotOffers).set({ answer: 'claimed', answeredAt: now }).where(eq(slotOffers.id, id))
  await tx.update(slotWishes).set({ endedAt: now, endedBecause: 'claimed' }).where(eq(slotWishes.id, wishId))
  await record(tx, {
    entity: 'slot_wish',
    entityId: wishId,
    actorId: actor.id,
    name: 'claim',
    data: { startsAt },
  })
}

/** No assignee is available at that time any more: recorded, so that the page shows it too. */
async function gone(db: Db, { id }: Offer, now: Date): Promise<never> {
  await transaction(db, (tx) =>
    tx
      .update(slotOffers)
      .set({ answer: 'gone', answeredAt: now })
      .where(and(eq(slotOffers.id, id), isNull(slotOffers.answer))),
  )
  return refuse('already-exists', someoneElse)
}

/** The other customers with an offer of the same start: their page refreshes. */
async function othersOffered(db: Db, { startsAt, wishId }: Offer): Promise<string[]> {
  const rows = await db
    .select({ customerId: slotWishes.customerId })
    .from(slotOffers)
    .innerJoin(slotWishes, eq(slotWishes.id, slotOffers.wishId))
    .where(and(eq(slotOffers.startsAt, startsAt), isNull(slotOffers.answer), ne(slotOffers.wishId, wishId)))
  return rows.map(({ customerId }) => customerId)
}
