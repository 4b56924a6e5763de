import { and, eq, sql } from 'drizzle-orm'
import { type Actor, assertCustomer } from '../access/rules/actor.ts'
import { claimUnprovedAccount } from '../accounts/email-change.ts'
import { countAct } from '../accounts/limits.ts'
import { customerToActFor } from '../accounts/people.ts'
import { createFeeCharge } from '../payments/charges.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { named } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import type { AddressRow, AddressSnapshot } from '../platform/database/schema/projects.ts'
import { withoutDelay } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import {
  heldProject,
  nextStepTaken,
  noteEquipment,
  openProjectOf,
  type ProjectOwner,
} from '../projects/open-project.ts'
import {
  candidates,
  checkLocked,
  lockingDay,
  nearestSlots,
  questionAt,
  questionFor,
  type SlotQuestion,
  tryBest,
} from '../scheduling/choose.ts'
import { deskTaker } from '../scheduling/desk-slots.ts'
import { isHard, type Reason, type ReasonCode, whyNotThen } from '../scheduling/rules/eligibility.ts'
import { localDate, toDate, toMinutes } from '../shared/calendar.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { assertOverridable } from './assign.ts'
import {
  type Booked,
  type BookingContext,
  type BookingRequest,
  readBookingRequest,
  sameRequest,
} from './booking-request.ts'
import { answerFaults } from './faults.ts'
import { refuseUnready } from './project-appointments.ts'
import { activeStates, type Booking, type Service, serviceFacts } from './rules/appointment.ts'
import type { DeskChoice } from './rules/schema.ts'
import { checkUnprovedLimit, noteNewAccount, unlessSoonCancelled } from './unverified.ts'

/** Another booking took the slot between the check and the lock; so many losses in a row do not occur. */
const MAX_ATTEMPTS = 40

/**
 * Books a slot for a customer: one transaction in which the assignee is locked, checked again and written, so that a
 * slot is promised once. Refuses with the three nearest free slots when no assignee is left.
 */
export async function bookAppointment(
  db: Db,
  actor: Actor,
  service: Service,
  booking: Booking,
  { address, now }: { address: string; now: Date },
): Promise<Booked> {
  assertCustomer(actor)
  const { id, emailVerified, projectId } = actor
  const booker = { customerId: id, projectId, emailVerified, actorId: id, isCaller: false, address }
  return bookFor(db, booker, service, booking, now)
}

/** Books for the customer in the booking context. The caller checks whether that is allowed. */
export async function bookFor(db: Db, booker: BookingContext, service: Service, booking: Booking, now: Date) {
  const [{ request, earlier }, questionOf] = await Promise.all([
    readBookingRequest(db, booker, service, booking),
    questionAt(db, { start: toMinutes(booking.startsAt) }, now),
  ])
  if (earlier) return earlier
  if (service === 'installation') await refuseUnready(db, booker, service)
  const { placement } = request
  let question = questionOf(placement)
  for (let losses = 0; losses < MAX_ATTEMPTS; question = await questionFor(db, placement, now)) {
    const able = peopleFor(question, request)
    const book = (personId: string) =>
      transaction(db, (tx) => take(tx, request, question, personId, now), lockingDay(personId, placement))
    // False when no one can take it; `again` after waiting for another booking.
    const outcome =
      able.length > 0 && (await tryBest(able, question.ask.days[0]!.date, placement.start, book))
    if (typeof outcome === 'object') {
      const { informed, ...booked } = outcome
      announce(db, { people: informed })
      return booked
    }
    if (outcome === 'refused' || !outcome) {
      const mine = await whatForbids(db, request, question)
      if (mine) return mine
    }
    if (!outcome) return await noOneLeft(db, request, question, now)
    if (outcome !== 'again') losses++
  }
  return refuse('unavailable', 'Mucha gente está agendando a la vez. Vuelve a intentarlo.')
}

/** Who is tried for a booking, the best first: for the manager the one who was named, or the one who could. */
function peopleFor(question: SlotQuestion, { booker: { desk }, placement }: BookingRequest) {
  if (!desk) return candidates(question, placement.start)
  const taker = deskTaker(question, placement.start, { personId: desk.assigneeId, preferredId: null })
  if (!taker) return []
  assertOverridable(taker.against, desk.overrideReason)
  return [taker]
}

/** Whether what is against a person lets them be booked: nothing, or only what the manager set aside. */
const isBookable = (against: readonly Reason[], { desk }: BookingContext) =>
  against.length === 0 || Boolean(desk?.overrideReason && !against.some(isHard))

/**
 * Checks the locked person again, and writes. `lost`: another booking was faster; `refused`: a constraint, or the
 * project, forbids it.
 */
async function take(tx: Tx, request: BookingRequest, question: SlotQuestion, personId: string, now: Date) {
  const { booker, booking, service } = request
  const against = await checkLocked(tx, question.staffing, request.placement, personId, now)
  if (!against || !isBookable(against, booker)) return 'lost'
  const unproved = booker.emailVerified ? null : await checkUnprovedLimit(tx, request)
  if (unproved === 'has-one') return 'refused'
  if (booker.isCaller) await claimUnprovedAccount(tx, booker.customerId, booker.actorId, now)
  const owner = { id: booker.customerId, projectId: booker.projectId }
  const projectId = request.projectId ?? (await heldProject(tx, owner, booker.actorId))
  const { minutes } = question.ask.settings.services[service]
  const overrideReason = against.length > 0 ? booker.desk!.overrideReason : null
  const booked = await insertBooked(tx, {
    input: request,
    projectId,
    personId,
    minutes,
    now,
    overrideReason,
  })
  if (!booked) return 'refused'
  if (unproved) await unproved.note(booked.id)
  else if (booker.emailVerified && booker.address !== null)
    await noteNewAccount(tx, booker.customerId, booked, booker.address)
  const { bookingsPerDay } = question.ask.settings.outward
  if (!booker.isCaller) await countAct(tx, 'bookings by account', booker.customerId, now, bookingsPerDay)
  await booker.answerOffer?.(tx)
  if (service === 'technical_visit') {
    const visit = { id: booked.id, projectId, customerId: booker.customerId, startsAt: booking.startsAt }
    await createFeeCharge(tx, visit, question.ask.settings, booking.fee, now)
  }
  if (booking.equipment) await noteEquipment(tx, projectId, booking.equipment)
  const tell = booker.isCaller ? withoutDelay : unlessSoonCancelled(booked.id, booking.startsAt, now)
  await tell(tx, 'letter', { letter: 'booked', appointmentId: booked.id, to: 'customer' })
  const informed = [booker.customerId, projectId]
  // The assignee of a call is notified at once, and whom the manager chose; that of another visit is only provisional.
  if (!isKnown(request)) return { ...booked, informed }
  await tell(tx, 'letter', { letter: 'assigned', appointmentId: booked.id, to: 'person' })
  return { ...booked, informed: [...informed, personId] }
}

/**
 * Books for a customer who calls, with the person that the manager chose or the best one, confirmed at once: the same
 * slots and rules as the customer's own, of which the soft ones may be overridden with a reason.
 */
export async function bookForCaller(
  db: Db,
  actor: Actor,
  { id: customerId, projectId }: ProjectOwner,
  service: Service,
  { assigneeId, overrideReason, ...booking }: Booking & DeskChoice,
  now: Date,
): Promise<Booked> {
  const { id, emailVerified } = await customerToActFor(db, actor, customerId)
  assertToCome(booking.startsAt, now)
  const desk = { assigneeId, overrideReason }
  return bookFor(
    db,
    { customerId: id, projectId, emailVerified, actorId: actor.id, isCaller: true, address: null, desk },
    service,
    booking,
    now,
  )
}

/** Protects a manager who overrides the horizon from a mistyped year. */
const MAX_AHEAD_MS = 2 * 365 * 24 * 60 * 60_000

/** Refuses a time that no reason makes possible: past, or too far ahead. */
export function assertToCome(startsAt: Date, now: Date): void {
  if (startsAt <= now) refuse('out-of-range', 'Esa hora ya pasó. Elige otra.')
  if (startsAt.getTime() > now.getTime() + MAX_AHEAD_MS)
    refuse('out-of-range', 'Elige una fecha dentro de los próximos dos años.')
}

/** Returns what this form booked before, or refuses for the first reason that holds. All are asked at once. */
async function whatForbids(db: Db, request: BookingRequest, question: SlotQuestion): Promise<Booked | null> {
  const [mine, ...others] = await Promise.allSettled([
    sameRequest(db, request),
    refuseOwnClash(db, request, question),
    refuseMoved(db, request),
    refuseUnready(db, request.booker, request.service),
  ])
  if (mine.status === 'fulfilled' && mine.value) return mine.value
  for (const one of [mine, ...others]) if (one.status === 'rejected') throw one.reason
  return null
}

/** Refuses where the customer's own appointments overlap. */
async function refuseOwnClash(
  db: Db,
  { service, booker, projectId, placement }: BookingRequest,
  { ask }: SlotQuestion,
) {
  const { minutes } = ask.settings.services[service]
  const mine = await db
    .select({ service: appointments.service, projectId: appointments.projectId, folio: appointments.folio })
    .from(appointments)
    .where(
      and(
        eq(appointments.customerId, booker.customerId),
        sql`${appointments.state} = any(${sql.param([...activeStates])}::text[])`,
        sql`(${appointments.service} = ${service} and ${appointments.projectId} = ${projectId}::uuid or ${appointments.during} && visit_range(${toDate(placement.start)}, ${minutes}))`,
      ),
    )
  const same = mine.find((one) => one.service === service && one.projectId === projectId)
  if (same)
    throw twice(
      `Ya ${have(booker)} una ${serviceFacts[service].label.toLowerCase()}`,
      `Está agendada con el folio ${same.folio}.`,
    )
  if (mine[0])
    throw twice(`A esa hora ya ${have(booker)} otra cita`, `Es la ${mine[0].folio}. Elige otra hora.`)
}

const twice = (title: string, description: string) => new Refusal('already-exists', { title, description })
const have = ({ isCaller }: BookingContext) => (isCaller ? 'tiene' : 'tienes')

/** Refuses where the address is no longer the one the slots were offered for. */
async function refuseMoved(db: Db, { address, booker }: BookingRequest) {
  if (!address) return
  const project = await openProjectOf(db, { id: booker.customerId, projectId: booker.projectId })
  if (project?.address?.id !== address.id || project.address.version !== address.version)
    refuse(
      'aborted',
      booker.isCaller
        ? 'El domicilio cambió mientras agendabas.'
        : 'Tu domicilio cambió mientras agendabas. Vuelve a elegir un horario.',
    )
}

/** The refusal with the reason, and the nearest free times. */
export async function noOneLeft(
  db: Db,
  { placement }: Pick<BookingRequest, 'placement'>,
  { ask }: SlotQuestion,
  now: Date,
): Promise<never> {
  const nearest = await nearestSlots(db, placement, now)
  const details = { nearest: nearest.map((start) => toDate(start).toISOString()) }
  const [wrong] = whyNotThen(placement.start, ask)
  if (wrong)
    throw new Refusal('out-of-range', {
      title: 'Ese horario no se puede agendar',
      description: neverOffered(wrong.code, placement.start, ask),
      details,
    })
  throw new Refusal('already-exists', {
    title: 'Ese horario ya no está libre',
    description: 'Ese horario se acaba de ocupar.',
    details,
  })
}

/** Why a time cannot be offered, in words for the customer. */
function neverOffered(
  code: ReasonCode,
  start: number,
  { now, service, settings }: SlotQuestion['ask'],
): string {
  const { horizonDays, noticeHours } = settings.services[service]
  if (start < now) return 'Esa hora ya pasó. Elige otra de la lista.'
  if (code === 'notice') return `Falta muy poco: agenda con al menos ${noticeHours} horas de anticipación.`
  if (code === 'horizon') return `Esa fecha es muy lejana: puedes agendar hasta ${horizonDays} días adelante.`
  if (code === 'holiday') return 'Ese día es festivo y no damos servicio.'
  return code === 'hours' ? 'A esa hora no damos servicio.' : 'Elige uno de los horarios de la lista.'
}

type Placed = {
  input: BookingRequest
  projectId: string
  personId: string
  minutes: number
  overrideReason: string | null
  now: Date
}

/** Whether its assignee is confirmed as it is booked. */
const isKnown = ({ booker, service }: BookingRequest) => service === 'videocall' || booker.desk !== undefined

// The address is locked as it was read: a concurrent change is waited for, and then leaves no row to book from. Its
// project is locked first, as in a change of the address: otherwise the two would deadlock.
const atAddress = (project: string) => `
    project as (select 1 from projects where id = :projectId${project} for share),
    here as (select 1 from project, addresses
      where id = :addressId::uuid and version = :addressVersion::int and archived_at is null for share of addresses)`

/** A charger is installed, and no fault of it is open. */
const isConcluded = `exists (select 1 from appointments made where made.project_id = :projectId and made.service = 'installation'
  and made.state = 'done' and coalesce(made.outcome, 'completed') = 'completed'
  and not exists (select 1 from faults where faults.appointment_id = made.id and faults.closed_at is null))`

/** The conditions of a booking, locked until it is written; no row where they no longer hold. */
const grounds: Record<Service, string> = {
  technical_visit: `${atAddress('')}, ground as (select 1 from here where not ${isConcluded})`,
  installation: `${atAddress(' and is_ready(projects)')}, ground as (select 1 from here)`,
  videocall: 'ground as (select 1 where :addressId::uuid is null and :addressVersion::int is null)',
}

const statement = (service: Service) => `with ${grounds[service]}, booked as (
    insert into appointments (folio, service, customer_id, project_id, assignee_id, starts_at, minutes, municipality, address,
      notes, request_key, request_digest, interest, booked_by, state, confirmed_at, override_reason)
    select next_folio(:prefix, :year), :service, :customerId, :projectId, :personId, :startsAt, :minutes, :municipality,
      :address, :notes, :requestKey, :digest, :interest, :bookedBy, :state, :confirmedAt, :overrideReason from ground
    on conflict do nothing returning id, folio, state
  ), traced as (
    insert into events (entity, entity_id, actor_id, name, to_state, reason, data)
    select 'appointment', id, :actorId, 'book', state, :overrideReason,
      jsonb_build_object('assigneeId', :personId::uuid, 'startsAt', :startsAt::timestamptz, 'minutes', :minutes::int) from booked
  ), stepped as (${nextStepTaken})
  ${service === 'technical_visit' ? `, answered as (${answerFaults})` : ''}
  select id, folio from booked`

/**
 * One statement for the appointment, its event and what it settles; returns null, without an error, when a constraint or
 * the conditions forbid it. A call is assigned at once.
 */
async function insertBooked(tx: Tx, placed: Placed): Promise<Booked | null> {
  const { input: request, projectId, personId, minutes, now, overrideReason } = placed
  const { service, placement, booking, address, booker } = request
  const isConfirmed = isKnown(request)
  const { rows } = await tx.$client.query<Booked>({
    name: `book_${service}`,
    ...named(statement(service), {
      prefix: serviceFacts[service].folioPrefix,
      year: Number(localDate(toMinutes(now)).slice(0, 4)),
      service,
      customerId: booker.customerId,
      projectId,
      personId,
      startsAt: toDate(placement.start),
      minutes,
      municipality: address?.municipality ?? null,
      address: address && JSON.stringify(snapshot(address)),
      notes: booking.notes ?? null,
      requestKey: booking.requestKey,
      digest: request.digest,
      addressId: address?.id ?? null,
      addressVersion: address?.version ?? null,
      interest: booking.interest ?? null,
      bookedBy: booker.isCaller ? booker.actorId : null,
      state: isConfirmed ? 'assigned' : 'requested',
      confirmedAt: isConfirmed ? now : null,
      actorId: booker.actorId,
      now,
      overrideReason,
    }),
  })
  return rows[0] ?? null
}

/** The copy of an address stored with an appointment. */
export function snapshot(address: AddressRow): AddressSnapshot {
  const { id, projectId, archivedAt, areaVerifiedAt, wantsNoticeAt, approvedAt, ...row } = address
  const { createdAt, updatedAt, version, latitude, longitude, ...kept } = row
  return kept
}
