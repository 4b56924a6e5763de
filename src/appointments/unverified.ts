import { and, count, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Db, prepared, queryRows, type Tx, transaction } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments, slotWishes, unprovedBookings } from '../platform/database/schema/appointments.ts'
import { tasks } from '../platform/database/schema/projects.ts'
import { widerNetworkOf } from '../platform/http/network.ts'
import { hashOf } from '../platform/http/sealing.ts'
import { dropFollowing, enqueue, type Tell, unlessUndone, withoutDelay } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { log } from '../platform/telemetry/log.ts'
import { areSameDay } from '../shared/calendar.ts'
import { withoutMailbox } from '../shared/mailbox.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import type { Booked, BookingRequest } from './booking-request.ts'
import { activeStates, affectedUserIds, doneStates, upcomingStates } from './rules/appointment.ts'
import { letGoAt, mostOfANetwork, mostUnprovedCancelled } from './rules/rules.ts'
import { type AppointmentRow, lockAppointment, transition } from './transition.ts'
import { stateIn } from './visibility.ts'

/** Records that a customer with an unverified e-mail booked an appointment, for the count of their network. */
type Unproved = { note: (appointmentId: string) => Promise<unknown> }

/**
 * A customer with an unverified e-mail has one active appointment, over all services, cancels two, and a network has few. Their row
 * is locked, so that of two bookings at once the later one sees the earlier. `has-one` when their appointment is of
 * this very service: that has its own message. Null for a customer verified meanwhile, and for a caller.
 */
export async function checkUnprovedLimit(
  tx: Tx,
  request: BookingRequest,
): Promise<Unproved | 'has-one' | null> {
  const { address, customerId, isCaller } = request.booker
  const [customer] = await tx
    .select({ emailVerified: users.emailVerified })
    .from(users)
    .where(eq(users.id, customerId))
    .for('no key update')
  if (customer?.emailVerified) return null
  const active = await tx
    .select({ service: appointments.service, projectId: appointments.projectId })
    .from(appointments)
    .where(and(eq(appointments.customerId, customerId), inArray(appointments.state, [...activeStates])))
  if (active.length === 0) {
    if (!isCaller) await refuseRounds(tx, customerId)
    return address === null ? null : ofNetwork(tx, widerNetworkOf(address))
  }
  if (active.some((one) => one.service === request.service && one.projectId === request.projectId))
    return 'has-one'
  if (isCaller)
    return refuse('failed-precondition', 'Mientras no confirme su correo puede tener una sola cita.')
  throw new Refusal('failed-precondition', {
    title: 'Confirma tu correo',
    description:
      'Mientras no confirmes tu correo puedes tener una sola cita. Abre el enlace que te mandamos, o pide otro aquí mismo.',
    details: { offers: 'verify-email' },
  })
}

/**
 * Refuses a customer who booked and cancelled too often, over all services: each round writes to a mailbox that nobody
 * proved. Asked after what is active, so that one cancelled meanwhile is in one of the two.
 */
async function refuseRounds(tx: Tx, customerId: string): Promise<void> {
  const [own] = await tx
    .select({ count: count() })
    .from(appointments)
    .where(
      sql`${appointments.customerId} = ${customerId} and ${appointments.bookedBy} is null and ${appointments.state} = 'cancelled'
        and exists (select from events where entity = 'appointment' and entity_id = ${appointments.id}
          and to_state = 'cancelled' and actor_id = ${customerId})`,
    )
  if (own && own.count >= mostUnprovedCancelled)
    throw new Refusal('failed-precondition', {
      title: 'Confirma tu correo',
      description: 'Ya agendaste y cancelaste dos veces. Confirma tu correo para agendar otra vez.',
      details: { offers: 'verify-email' },
    })
}

/** What decides when an unverified customer's appointment is released. */
const ofRelease = {
  bookedAt: appointments.createdAt,
  startsAt: appointments.startsAt,
  isForCaller: isNotNull(appointments.bookedBy).mapWith(Boolean),
}

const standing = prepared((db) =>
  db
    .select({
      folio: appointments.folio,
      service: appointments.service,
      ...ofRelease,
    })
    .from(appointments)
    .where(and(eq(appointments.customerId, sql.placeholder('customerId')), stateIn(activeStates)))
    .prepare('standing_of_customer'),
)

/** What a customer has booked, in any project, and until when it is kept: with an unverified e-mail it is all they may have. Null for nothing. */
export async function standingBooking(db: Db, customerId: string) {
  const [booked] = await standing(db).execute({ customerId })
  return booked ? { ...booked, keptUntil: letGoAt(booked) } : null
}

/** Counts the active bookings of unverified customers from a network, one booking after the other. */
async function ofNetwork(tx: Tx, name: string): Promise<Unproved> {
  const network = hashOf(name)
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${network}, 726011))`)
  const [standing] = await tx
    .select({ count: count() })
    .from(unprovedBookings)
    .innerJoin(appointments, eq(appointments.id, unprovedBookings.appointmentId))
    .innerJoin(users, eq(users.id, appointments.customerId))
    .where(
      and(
        eq(unprovedBookings.network, network),
        inArray(appointments.state, [...activeStates]),
        eq(users.emailVerified, false),
      ),
    )
  if (standing && standing.count >= mostOfANetwork)
    throw new Refusal('resource-exhausted', {
      title: 'Confirma tu correo',
      description:
        'Desde tu conexión ya hay varias citas de correos sin confirmar. Abre el enlace que te mandamos y agenda después, o pide otro aquí mismo.',
      details: { offers: 'verify-email' },
    })
  return {
    async note(appointmentId) {
      await tx.insert(unprovedBookings).values({ appointmentId, network })
      await askAboutNetwork(tx, network, appointmentId)
    },
  }
}

/**
 * Records the network of a booking of an account of less than a day, or of a further home, before its first
 * appointment is done.
 */
export async function noteNewAccount(tx: Tx, customerId: string, { id }: Booked, address: string) {
  const network = hashOf(widerNetworkOf(address))
  const noted = await queryRows(
    tx,
    sql`insert into unproved_bookings (appointment_id, network) select ${id}, ${network} from users
      where id = ${customerId}
        and (created_at > now() - interval '1 day' or (select count(*) > 1 from projects where customer_id = ${customerId} and closed_at is null))
        and not exists (select from appointments where customer_id = ${customerId} and state = 'done')
      returning 1`,
  )
  if (noted.length === 0) return
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${network}, 726011))`)
  await askAboutNetwork(tx, network, id)
}

/** Asks the office, once a day, where more customers than a network's most hold appointments; the booking stands. */
async function askAboutNetwork(tx: Tx, network: string, appointmentId: string): Promise<void> {
  const standing = await queryRows<[folio: string, customer: string, asked: boolean]>(
    tx,
    sql`select folio, customer_id, exists (select from tasks where appointment_id = appointments.id
        and reason = 'one_network' and created_at > now() - interval '1 day')
      from unproved_bookings join appointments on appointments.id = appointment_id
      where network = ${network} and state in (${listed(activeStates)}) order by appointments.created_at`,
  )
  const customers = new Set(standing.map(([, customer]) => customer))
  if (customers.size <= mostOfANetwork || standing.some(([, , asked]) => asked)) return
  const folios = standing.map(([folio]) => folio).join(', ')
  // Of no one person: its folios are of several.
  await tx.insert(tasks).values({
    subject: `Varias citas nuevas desde una misma conexión: ${folios}. Confirma por teléfono que sean de personas distintas.`,
    reason: 'one_network',
    appointmentId,
  })
}

/** Releases the appointments of customers who did not verify their e-mail in time; who has none keeps theirs. Returns how many. */
export async function letUnverifiedGo(db: Db, now: Date): Promise<number> {
  const waiting = await db
    .select({
      id: appointments.id,
      ...ofRelease,
    })
    .from(appointments)
    .innerJoin(users, eq(users.id, appointments.customerId))
    .where(
      sql`${appointments.state} in (${listed(upcomingStates)}) and not ${users.emailVerified}
        and ${users.email} not like ${`%${withoutMailbox}`} and ${appointments.startsAt} > ${now}`,
    )
  let gone = 0
  for (const { id } of waiting.filter((one) => letGoAt(one) <= now)) {
    // One that fails must not keep the others waiting; the next run takes it up again.
    const held = await letGo(db, id, now).catch((err) => {
      log.error({ err, appointment: id }, 'unverified appointment not cancelled')
      return null
    })
    if (held) gone++
  }
  await forgetNetworks(db)
  return gone
}

/** The network of a booking is erased once it no longer counts: for a verified e-mail, after a day. */
const forgetNetworks = (db: Db) =>
  db.execute(sql`delete from unproved_bookings using appointments, users
    where appointments.id = appointment_id and users.id = customer_id
      and (email_verified and appointments.created_at < now() - interval '1 day' or state in (${listed(doneStates)}))`)

async function letGo(db: Db, id: string, now: Date): Promise<AppointmentRow | null> {
  const gone = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, 'system', id)
    const [customer] = await tx
      .select({ emailVerified: users.emailVerified })
      .from(users)
      .where(eq(users.id, held.customerId))
      .for('share')
    if (customer?.emailVerified) return null
    const closingNote = 'La cita se liberó porque el correo no se confirmó a tiempo.'
    const why = { closingNote, reason: 'unverified_email', isMailed: true }
    const moved = await letGoWithin(tx, held, why, now)
    await enqueue(tx, 'letter', { letter: 'let_go', appointmentId: id, to: 'customer' })
    return moved
  })
  if (gone) announce(db, { people: affectedUserIds(gone) })
  return gone
}

async function letGoWithin(
  tx: Tx,
  held: AppointmentRow,
  { closingNote, ...why }: { closingNote: string; reason: string; isMailed?: boolean },
  now: Date,
): Promise<AppointmentRow> {
  const moved = await transition(tx, 'system', held, 'letGo', now, { closingNote }, why)
  if (held.confirmedAt)
    await enqueue(tx, 'letter', { letter: 'cancelled', appointmentId: held.id, to: 'person' })
  await releaseSlot(tx, held, now)
  return moved
}

/**
 * Releases the appointments of an account whose mailbox is another user's, without a letter. One under way is refused.
 */
export async function letDisownedGo(tx: Tx, customerId: string, now: Date): Promise<AppointmentRow[]> {
  const active = and(eq(appointments.customerId, customerId), inArray(appointments.state, [...activeStates]))
  const rows = await tx.select({ id: appointments.id }).from(appointments).where(active)
  const closingNote = 'La cita se liberó porque el correo no era de quien la agendó.'
  const gone: AppointmentRow[] = []
  for (const { id } of rows)
    gone.push(
      await letGoWithin(
        tx,
        await lockAppointment(tx, 'system', id),
        { closingNote, reason: 'disowned' },
        now,
      ),
    )
  return gone
}

/** Seconds that the e-mails of a customer's booking wait. Cancelled within them, the booking sends no e-mail. */
const secondThoughts = 120

/** The e-mails of a booking have ids of their own: no version of an appointment is below one. */
const ofBooking = (id: string) => ({ id, version: 0 })

/** The e-mails of a customer's booking; those of a visit of today do not wait. */
export const unlessSoonCancelled = (id: string, startsAt: Date, now: Date): Tell =>
  areSameDay(startsAt, now) ? withoutDelay : unlessUndone(ofBooking(id), secondThoughts)

/** Drops the waiting e-mails of a booking; true where none of them had been sent. */
export const dropBooked = (tx: Tx, { id }: Pick<AppointmentRow, 'id'>) => dropFollowing(tx, [ofBooking(id)])

/** The assignee's time is free again: it is offered to a customer who waits for an earlier time. */
export const enqueueFreedSlot = (
  tx: Tx,
  { service, startsAt }: Pick<AppointmentRow, 'service' | 'startsAt'>,
  tell: Tell = withoutDelay,
) => tell(tx, 'offer-freed-slot', { service, startsAt: startsAt.toISOString() })

/** An appointment ended early: its slot is free, and no request for an earlier time remains. */
export async function releaseSlot(tx: Tx, held: AppointmentRow, now: Date, tell: Tell = withoutDelay) {
  await tx
    .update(slotWishes)
    .set({ endedAt: now, endedBecause: 'appointment_over' })
    .where(and(eq(slotWishes.appointmentId, held.id), isNull(slotWishes.endedAt)))
  await enqueueFreedSlot(tx, held, tell)
}

/** An appointment that ended at `endedAt` stands again, and so does what its customer asked for, unless they ask again. */
export const wishAgain = (tx: Tx, { id }: Pick<AppointmentRow, 'id'>, endedAt: string) =>
  tx.execute(sql`update slot_wishes ended set ended_at = null, ended_because = null
    where appointment_id = ${id} and ended_because = 'appointment_over' and ended_at = ${endedAt}
      and not exists (select from slot_wishes other where other.project_id = ended.project_id
        and other.service = ended.service and other.ended_at is null)`)
