import type { Actor } from '../../domain/actor.ts'
import type { Booking } from '../../domain/appointment.ts'
import { localDate, toDate, toMinutes } from '../../domain/calendar.ts'
import { refuse } from '../../domain/refusal.ts'
import { type Service, serviceFacts } from '../../domain/services.ts'
import { type Db, type Tx, transaction } from '../database/database.ts'
import type { AddressRow, AddressSnapshot } from '../database/schema.ts'
import { enqueue } from '../jobs/jobs.ts'
import { announce } from '../live/announcements.ts'
import { tryBest } from '../scheduling/attempts.ts'
import { candidates, checkHeld, holdingDay, type Question, questionFor } from '../scheduling/choose.ts'
import { noOneLeft, refuseMoved, refuseOwnClash } from './booking-refusals.ts'
import { mayHaveAnother } from './unverified.ts'
import { type Booked, sameRequest, type Wish, wishOf } from './wish.ts'

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
  const { wish, earlier } = await wishOf(db, actor, service, booking)
  if (earlier) return earlier
  for (let losses = 0; losses < patience; ) {
    const question = await questionFor(db, wish.placement, now)
    const outcome = await attempt(db, actor, wish, question, now)
    if (typeof outcome === 'object') {
      announce(db, { people: [actor.id, wish.projectId] })
      return outcome
    }
    if (outcome === 'refused' || outcome === 'full') {
      const mine = await sameRequest(db, actor, wish)
      if (mine) return mine
      await refuseOwnClash(db, actor, wish, question)
      await refuseMoved(db, actor, wish)
    }
    if (outcome === 'full') return await noOneLeft(db, wish, question, now)
    if (outcome !== 'again') losses++
  }
  return refuse('unavailable', 'Mucha gente está agendando a la vez. Vuelve a intentarlo.')
}

/** Tries the best person; `full` when nobody can, `again` when another booking was waited for. */
async function attempt(db: Db, actor: Actor, wish: Wish, question: Question, now: Date) {
  const { placement } = wish
  const able = candidates(question, placement.start)
  if (able.length === 0) return 'full'
  return tryBest(able, question.ask.days[0]!.date, placement.start, (personId) =>
    transaction(db, (tx) => take(tx, actor, wish, question, personId, now), holdingDay(personId, placement)),
  )
}

/** Looks again at the person now held, and writes. `lost`: somebody was faster; `refused`: a constraint, or the address, says no. */
async function take(
  tx: Tx,
  actor: Actor,
  wish: Wish,
  question: Question,
  personId: string,
  now: Date,
): Promise<Booked | 'lost' | 'refused'> {
  const against = await checkHeld(tx, question.staffing, wish.placement, personId, now)
  if (against?.length !== 0) return 'lost'
  if (!actor.emailVerified && !(await mayHaveAnother(tx, actor.id, wish))) return 'refused'
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
