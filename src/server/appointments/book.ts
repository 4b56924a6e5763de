import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import { activeStates, type Booking } from '../../domain/appointment.ts'
import { localDate, toDate, toMinutes } from '../../domain/calendar.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import { type Service, serviceFacts } from '../../domain/services.ts'
import { type Db, prepared, type Tx, transaction } from '../database/database.ts'
import { type AddressRow, type AddressSnapshot, appointments } from '../database/schema.ts'
import { enqueue } from '../jobs/jobs.ts'
import { announce } from '../live/announcements.ts'
import { openProjectOf } from '../projects/queries.ts'
import { tryBest } from '../scheduling/attempts.ts'
import {
  candidates,
  holdAndCheck,
  nearestSlots,
  type Placement,
  type Question,
  questionFor,
} from '../scheduling/choose.ts'
import { zoneOf } from '../scheduling/roster.ts'

export type Booked = { id: string; folio: string }

/** What the form of a booking stands for: the same key with anything else in it is another wish. */
type Wish = {
  service: Service
  projectId: string
  address: AddressRow
  placement: Placement
  booking: Booking
  digest: string
}

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
  now: Date,
): Promise<Booked> {
  if (actor.role !== 'customer') refuse('permission-denied')
  const wish = await wishOf(db, actor, service, booking)
  const earlier = await sameRequest(db, actor, wish)
  if (earlier) return earlier
  for (let losses = 0; losses < patience; ) {
    const question = await questionFor(db, wish.placement, now)
    const able = candidates(question, wish.placement.start)
    const { date } = question.ask.days[0]!
    const outcome =
      able.length === 0
        ? 'full'
        : await tryBest(able, date, wish.placement.start, (personId) =>
            transaction(db, (tx) => take(tx, actor, wish, question, personId, now)),
          )
    if (typeof outcome === 'object') {
      announce(db, { people: [actor.id] })
      return outcome
    }
    if (outcome === 'refused' || outcome === 'full') {
      const mine = await sameRequest(db, actor, wish)
      if (mine) return mine
      await refuseOwnClash(db, actor, wish, question)
      await refuseMoved(db, actor, wish)
    }
    if (outcome === 'full') return await noOneLeft(db, wish, now)
    if (outcome !== 'again') losses++
  }
  return refuse('unavailable', 'Mucha gente está agendando a la vez. Vuelve a intentarlo.')
}

async function wishOf(db: Db, actor: Actor, service: Service, booking: Booking): Promise<Wish> {
  const project = await openProjectOf(db, actor.id)
  const address = project?.address
  if (!address)
    return refuse('failed-precondition', 'Primero danos tu domicilio, para saber quién puede llegar.')
  if (address.area !== 'served') return refuse('failed-precondition', 'Todavía no llegamos a tu domicilio.')
  const placement = { service, zone: zoneOf(address.municipality), start: toMinutes(booking.startsAt) }
  const digest = createHash('sha256')
    .update(JSON.stringify([service, placement.start, project.id, booking.notes ?? '']))
    .digest('base64url')
  return { service, projectId: project.id, address, placement, booking, digest }
}

const byRequest = prepared((db) =>
  db
    .select({ id: appointments.id, folio: appointments.folio, digest: appointments.requestDigest })
    .from(appointments)
    .where(
      and(
        eq(appointments.customerId, sql.placeholder('customerId')),
        eq(appointments.requestKey, sql.placeholder('requestKey')),
      ),
    )
    .prepare('appointment_by_request'),
)

/** The appointment this very form already made, if its answer was lost on the way. */
async function sameRequest(db: Db, actor: Actor, { booking, digest }: Wish): Promise<Booked | null> {
  const [row] = await byRequest(db).execute({ customerId: actor.id, requestKey: booking.requestKey })
  if (!row) return null
  if (row.digest !== digest)
    return refuse('already-exists', 'Este formulario ya se usó para otra cita. Abre la agenda de nuevo.')
  return { id: row.id, folio: row.folio }
}

/** Holds the chosen person, looks again, writes. `lost`: somebody was faster; `refused`: a constraint, or the address, says no. */
async function take(
  tx: Tx,
  actor: Actor,
  wish: Wish,
  question: Question,
  personId: string,
  now: Date,
): Promise<Booked | 'lost' | 'refused'> {
  const against = await holdAndCheck(tx, question.staffing, wish.placement, personId, now)
  if (against?.length !== 0) return 'lost'
  const booked = await insert(tx, actor, wish, personId, question.ask, now)
  if (!booked) return 'refused'
  await enqueue(tx, 'letter', { letter: 'booked', appointmentId: booked.id, to: 'customer' })
  return booked
}

/** One statement for the appointment and its event; nothing, without an error, when a constraint says no. */
async function insert(
  tx: Tx,
  actor: Actor,
  wish: Wish,
  personId: string,
  { settings }: Question['ask'],
  now: Date,
): Promise<Booked | null> {
  const { service, placement, booking } = wish
  const { rows } = await tx.$client.query<Booked>({
    name: 'book_appointment',
    // The address is held as it was read: a change of it under way is waited for, and then leaves no row to book from.
    text: `with here as (
        select 1 from addresses where id = $14 and version = $15 and archived_at is null for share
      ), booked as (
        insert into appointments (folio, service, customer_id, project_id, assignee_id, starts_at, minutes, municipality, address, notes, request_key, request_digest)
        select next_folio($1, $2), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 from here
        on conflict do nothing returning id, folio, state
      ), traced as (
        insert into events (entity, entity_id, actor_id, name, to_state, data)
        select 'appointment', id, $4, 'book', state, jsonb_build_object('assigneeId', $6::uuid, 'startsAt', $7::timestamptz, 'minutes', $8::int) from booked
      )
      select id, folio from booked`,
    values: [
      serviceFacts[service].folioPrefix,
      Number(localDate(toMinutes(now)).slice(0, 4)),
      service,
      actor.id,
      wish.projectId,
      personId,
      toDate(placement.start),
      settings.services[service].minutes,
      wish.address.municipality,
      JSON.stringify(snapshot(wish.address)),
      booking.notes ?? null,
      booking.requestKey,
      wish.digest,
      wish.address.id,
      wish.address.version,
    ],
  })
  return rows[0] ?? null
}

/** What an appointment keeps of an address. */
export function snapshot(address: AddressRow): AddressSnapshot {
  const { id, projectId, archivedAt, wantsNoticeAt, createdAt, updatedAt, version, ...kept } = address
  return kept
}

/** Says when the customer's own appointments are what stands in the way. */
async function refuseOwnClash(
  db: Db,
  actor: Actor,
  { service, projectId, placement }: Wish,
  { ask }: Question,
) {
  const { minutes } = ask.settings.services[service]
  const mine = await db
    .select({ service: appointments.service, projectId: appointments.projectId, folio: appointments.folio })
    .from(appointments)
    .where(
      and(
        eq(appointments.customerId, actor.id),
        sql`${appointments.state} = any(${sql.param([...activeStates])}::text[])`,
        sql`(${appointments.service} = ${service} and ${appointments.projectId} = ${projectId} or ${appointments.during} && visit_range(${toDate(placement.start)}, ${minutes}))`,
      ),
    )
  const same = mine.find((one) => one.service === service && one.projectId === projectId)
  if (same)
    refuse(
      'already-exists',
      `Ya tienes una ${serviceFacts[service].label.toLowerCase()} en curso: ${same.folio}.`,
    )
  if (mine[0]) refuse('already-exists', `A esa hora ya tienes otra cita: ${mine[0].folio}.`)
}

/** Says when the address is no longer the one the slots were offered for. */
async function refuseMoved(db: Db, actor: Actor, { address }: Wish) {
  const project = await openProjectOf(db, actor.id)
  if (project?.address?.id !== address.id || project.address.version !== address.version)
    refuse('aborted', 'Tu domicilio cambió mientras agendabas. Vuelve a elegir un horario.')
}

/** The refusal that helps: what is still free, nearest first. */
async function noOneLeft(db: Db, { placement }: Wish, now: Date): Promise<never> {
  const nearest = await nearestSlots(db, placement, now)
  throw new Refusal('already-exists', {
    title: 'Ese horario ya no está libre',
    description: 'Ese horario se acaba de ocupar.',
    details: { nearest: nearest.map((start) => toDate(start).toISOString()) },
  })
}
