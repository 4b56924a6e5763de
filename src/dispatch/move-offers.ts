import { and, asc, desc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { type Actor, assertCustomer, isOffice } from '../access/rules/actor.ts'
import { moveTo } from '../appointments/reschedule.ts'
import { affectedUserIds, type Service, serviceFacts, services } from '../appointments/rules/appointment.ts'
import { type AppointmentRow, lockAppointment } from '../appointments/transition.ts'
import { assignee, customer } from '../appointments/visibility.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { appointments, moveOffers } from '../platform/database/schema/appointments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { log } from '../platform/telemetry/log.ts'
import { askToCallCustomer } from '../projects/open-project.ts'
import { lockingStaffing } from '../scheduling/choose.ts'
import { currentStaffing, type Staffing } from '../scheduling/roster.ts'
import { managesSchedule } from '../scheduling/rules/roster.ts'
import { daysOn, toDate, toMinutes } from '../shared/calendar.ts'
import { shortName } from '../shared/names.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { type OfferOutcome, type OfferStatus, offerOverWords, offerStatusOf } from './rules/absence.ts'

type Offer = typeof moveOffers.$inferSelect

/** The staffing changed between the check and the lock; so many changes in a row do not occur. */
const patience = 10

/**
 * The customer takes the time that was offered because of an absence, or the manager for them, by phone; it does not
 * count among their changes. Where it is no longer free they are notified, and the office calls. A repeated answer has
 * no effect.
 */
export async function acceptMove(db: Db, actor: Actor, offerId: string, now: Date): Promise<void> {
  for (let tries = 0; tries < patience; tries++) {
    const staffing = await currentStaffing(db)
    const outcome = await accept(db, actor, offerId, staffing, now).catch((error) => {
      // Their own other appointment, or a constraint, occupies the time.
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
        { ...to, confirmed: true, because: 'ours', promised: true, isHeldOut: true },
        now,
      )
      if ('against' in outcome) return outcome.against.length > 0 ? ({ gone: true } as const) : 'again'
      await answer(tx, actor, offer, 'accepted', now)
      return outcome
    },
    lockingStaffing,
  )

async function tellGone(db: Db, actor: Actor, offerId: string, now: Date): Promise<never> {
  const customerId = await transaction(db, async (tx) => {
    const { held, offer } = await heldOffer(tx, actor, offerId)
    if (offer.answer === null && (await answer(tx, actor, offer, 'gone', now)))
      await askToCall(tx, held, 'gone')
    return held.customerId
  })
  announce(db, { people: [customerId] })
  return refuse('already-exists', offerOverWords.gone)
}

/**
 * The customer declines the offered time, or the manager for them: the appointment stays without an assignee, and the
 * office calls.
 */
export async function declineMove(db: Db, actor: Actor, offerId: string, now: Date): Promise<void> {
  const customerId = await transaction(db, async (tx) => {
    const { held, offer } = await heldOffer(tx, actor, offerId)
    if (offer.answer === 'declined') return held.customerId
    refuseOver(held, offer, now)
    await answer(tx, actor, offer, 'declined', now)
    await askToCall(tx, held, 'declined')
    return held.customerId
  })
  announce(db, { people: [customerId] })
}

/** The offer with its appointment, both locked. Another customer's does not exist; managers answer for everybody. */
async function heldOffer(tx: Tx, actor: Actor, offerId: string) {
  const isOurs = managesSchedule(actor)
  if (!isOurs) assertCustomer(actor)
  if (!isId(offerId)) refuse('not-found')
  const [known] = await tx
    .select({ appointmentId: moveOffers.appointmentId })
    .from(moveOffers)
    .innerJoin(appointments, eq(appointments.id, moveOffers.appointmentId))
    .where(and(eq(moveOffers.id, offerId), isOurs ? undefined : eq(appointments.customerId, actor.id)))
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

async function answer(
  tx: Tx,
  { id: actorId }: Actor,
  { id, toStartsAt: startsAt }: Offer,
  said: OfferOutcome,
  now: Date,
): Promise<boolean> {
  const rows = await tx
    .update(moveOffers)
    .set({ answer: said, answeredAt: now, version: sql`${moveOffers.version} + 1` })
    .where(and(eq(moveOffers.id, id), sql`${moveOffers.answer} is null`))
    .returning({ id: moveOffers.id })
  if (rows.length > 0) await recordOffer(tx, { id, actorId, name: said, startsAt })
  return rows.length > 0
}

type OfferEvent = { id: string; actorId: string | null; name: OfferOutcome | 'offered'; startsAt: Date }

/** What became of an offer, for the history of its customer. */
export const recordOffer = (tx: Tx, { actorId, id, name, startsAt }: OfferEvent) =>
  record(tx, { entity: 'move_offer', entityId: id, actorId, name, data: { startsAt } })

const because = {
  declined: 'no le queda el horario propuesto',
  expired: 'no contestó la propuesta de horario',
  gone: 'aceptó un horario que ya no estaba libre',
} as const

/** An appointment without an assignee for which no other time was agreed: the office calls its customer. */
async function askToCall(tx: Tx, held: AppointmentRow, why: keyof typeof because): Promise<void> {
  const { folio, id, service } = held
  const subject = `Acordar otro horario para la ${serviceFacts[service].label.toLowerCase()} ${folio}: ${because[why]}`
  await askToCallCustomer(tx, held, { subject, reason: `move_${why}` })
  await enqueue(tx, 'letter', { letter: 'no_person', appointmentId: id, to: 'managers' })
}

/** Ends expired offers, each with a call task, and those whose appointment changed meanwhile. */
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
      log.error({ err, offer: id }, 'move offer expiry failed')
    }
  return ended
}

const movedOn = sql`(${appointments.state} <> 'requested' or ${appointments.startsAt} <> ${moveOffers.fromStartsAt})`

const endOne = (db: Db, id: string, appointmentId: string, now: Date): Promise<string | null> =>
  transaction(db, async (tx) => {
    const held = await lockAppointment(tx, 'system', appointmentId)
    const [offer] = await tx
      .select({ from: moveOffers.fromStartsAt, to: moveOffers.toStartsAt })
      .from(moveOffers)
      .where(and(eq(moveOffers.id, id), isNull(moveOffers.answer)))
      .for('update')
    if (!offer) return null
    const stands = held.state === 'requested' && held.startsAt.getTime() === offer.from.getTime()
    const name = stands ? 'expired' : 'withdrawn'
    await recordOffer(tx, { id, actorId: null, name, startsAt: offer.to })
    await tx
      .update(moveOffers)
      .set({
        answer: name,
        answeredAt: now,
        version: sql`${moveOffers.version} + 1`,
      })
      .where(eq(moveOffers.id, id))
    if (stands) await askToCall(tx, held, 'expired')
    return held.customerId
  })

/** An offer as the manager follows it. */
export type TrackedOffer = {
  id: string
  appointmentId: string
  folio: string
  service: Service
  customer: string
  phone: string | null
  from: Date
  to: Date
  assignee: string
  harm: number
  expiresAt: Date
  standing: OfferStatus
}

/** The other times offered because of a person's absence on some local dates, both included. */
export async function offersOf(
  db: Db,
  actor: Actor,
  absentId: string,
  { date, until }: { date: string; until: string },
  now: Date,
): Promise<TrackedOffer[]> {
  if (!managesSchedule(actor) || !isId(absentId)) return []
  const { start } = daysOn(date, 1)[0]!
  const { end } = daysOn(until, 1)[0]!
  const rows = await db
    .select({
      id: moveOffers.id,
      appointmentId: moveOffers.appointmentId,
      folio: appointments.folio,
      service: appointments.service,
      name: customer.name,
      lastname: customer.lastname,
      phone: customer.phone,
      from: moveOffers.fromStartsAt,
      to: moveOffers.toStartsAt,
      assignee: assignee.fullName,
      harm: moveOffers.harm,
      expiresAt: moveOffers.expiresAt,
      answer: moveOffers.answer,
      isMoved: sql<boolean>`${movedOn}`,
    })
    .from(moveOffers)
    .innerJoin(appointments, eq(appointments.id, moveOffers.appointmentId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .innerJoin(assignee, eq(assignee.id, moveOffers.assigneeId))
    .where(
      and(
        eq(moveOffers.absentId, absentId),
        sql`${moveOffers.fromStartsAt} >= ${toDate(start)} and ${moveOffers.fromStartsAt} < ${toDate(end)}`,
      ),
    )
    .orderBy(asc(moveOffers.fromStartsAt), desc(moveOffers.id))
  return rows.map(({ answer, isMoved, name, lastname, ...row }) => ({
    ...row,
    customer: shortName(name, lastname),
    // Its appointment was moved or assigned otherwise: the job that ends the offer comes within a minute.
    standing: offerStatusOf(answer ?? (isMoved ? 'withdrawn' : null), row.expiresAt, now),
  }))
}

/** The other time that the customer of an appointment was asked about and has not answered, for the office. */
export async function openOfferOf(db: Db, actor: Actor, appointmentId: string, now: Date) {
  if (!isOffice(actor) || !isId(appointmentId)) return null
  const [offer] = await db
    .select({
      id: moveOffers.id,
      appointmentId: moveOffers.appointmentId,
      absentId: moveOffers.absentId,
      from: moveOffers.fromStartsAt,
      to: moveOffers.toStartsAt,
      expiresAt: moveOffers.expiresAt,
      assignee: assignee.fullName,
    })
    .from(moveOffers)
    .innerJoin(appointments, eq(appointments.id, moveOffers.appointmentId))
    .innerJoin(assignee, eq(assignee.id, moveOffers.assigneeId))
    .where(and(eq(moveOffers.appointmentId, appointmentId), waits(now)))
  return offer ? { ...offer, mayFollow: managesSchedule(actor) } : null
}

export type OpenOffer = NonNullable<Awaited<ReturnType<typeof openOfferOf>>>

/** The open offers of another time: at most one for each of the customer's own appointments. */
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

/** Since when some customers are asked whether another time suits them, by project; the others are absent. */
export async function askedSinceOf(
  db: Queryable,
  customerIds: readonly string[],
  now: Date,
): Promise<Map<string, Date>> {
  const rows = await db
    .select({
      projectId: appointments.projectId,
      service: appointments.service,
      since: moveOffers.createdAt,
    })
    .from(moveOffers)
    .innerJoin(appointments, eq(appointments.id, moveOffers.appointmentId))
    .where(and(inArray(appointments.customerId, [...customerIds]), waits(now)))
  // Of two the one that their home shows: the last written of a map stays.
  const shownLast = rows.toSorted((a, b) => services.indexOf(b.service) - services.indexOf(a.service))
  return new Map(shownLast.map(({ projectId, since }) => [projectId, since]))
}

export type OwnMoveOffer = Awaited<ReturnType<typeof ownMoveOffers>>[number]
