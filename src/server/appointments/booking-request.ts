import { createHash } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Booking, Service } from '../../domain/appointments/appointment.ts'
import { noZone } from '../../domain/scheduling/roster.ts'
import { toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, prepared, type Tx } from '../platform/database/client.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { type AddressRow, addresses, projects } from '../platform/database/schema/projects.ts'
import type { Placement } from '../scheduling/choose.ts'
import { zoneOf } from '../scheduling/roster.ts'

export type Booked = { id: string; folio: string }

/** For whom a booking is made, and by whom: its customer, or a staff member for a caller. */
export type BookingContext = {
  customerId: string
  emailVerified: boolean
  actorId: string
  isCaller: boolean
  /** The network address that they book from; null where staff do, who answer for whom they spoke to. */
  address: string | null
  /** The time was held out to them: notice and horizon no longer count, and this answers the offer in the booking's transaction. */
  answerOffer?: (tx: Tx) => Promise<void>
}

/** What the form of a booking stands for: the same key with anything else in it is another wish. A call happens nowhere, and
 * makes its project when there is none. */
export type BookingRequest = {
  service: Service
  booker: BookingContext
  projectId: string | null
  address: AddressRow | null
  placement: Placement
  booking: Booking
  digest: string
}

const isThisRequest = and(
  eq(appointments.customerId, sql.placeholder('customerId')),
  eq(appointments.requestKey, sql.placeholder('requestKey')),
)

const requestFacts = prepared((db) =>
  db
    .select({
      projectId: projects.id,
      address: addresses,
      earlier: { id: appointments.id, folio: appointments.folio, digest: appointments.requestDigest },
    })
    .from(projects)
    .leftJoin(addresses, and(eq(addresses.projectId, projects.id), isNull(addresses.archivedAt)))
    .leftJoin(appointments, isThisRequest)
    .where(and(eq(projects.customerId, sql.placeholder('customerId')), isNull(projects.closedAt)))
    .prepare('wish'),
)

/** What is asked for, and the appointment that this very form made before, if any: one question for both. */
export async function readBookingRequest(db: Db, booker: BookingContext, service: Service, booking: Booking) {
  const { customerId } = booker
  const [found] = await requestFacts(db).execute({ customerId, requestKey: booking.requestKey })
  const address = service === 'videocall' ? null : servedAddress(found?.address)
  const projectId = found?.projectId ?? null
  const zone = address ? zoneOf(address.municipality) : noZone
  const start = toMinutes(booking.startsAt)
  const placement = { service, zone, start, ...(booker.answerOffer && { promised: true }) }
  const digest = digestOf(service, address && projectId, booking)
  const request: BookingRequest = { service, booker, projectId, address, placement, booking, digest }
  return { request, earlier: found?.earlier ? sameAs(found.earlier, request) : null }
}

function servedAddress(address: AddressRow | null | undefined): AddressRow {
  if (!address)
    return refuse('failed-precondition', 'Primero danos tu domicilio, para saber quién puede llegar.')
  if (address.area !== 'served') return refuse('failed-precondition', 'Todavía no llegamos a tu domicilio.')
  return address
}

const digestOf = (service: Service, projectId: string | null, booking: Booking) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        service,
        toMinutes(booking.startsAt),
        projectId,
        booking.notes ?? '',
        booking.interest ?? '',
        booking.equipment ?? null,
      ]),
    )
    .digest('base64url')

const byRequest = prepared((db) =>
  db
    .select({ id: appointments.id, folio: appointments.folio, digest: appointments.requestDigest })
    .from(appointments)
    .where(isThisRequest)
    .prepare('appointment_by_request'),
)

/** The appointment this very form already made, if its answer was lost on the way. */
export async function sameRequest(db: Db, request: BookingRequest): Promise<Booked | null> {
  const { customerId } = request.booker
  const [row] = await byRequest(db).execute({ customerId, requestKey: request.booking.requestKey })
  return row ? sameAs(row, request) : null
}

function sameAs({ digest, ...booked }: Booked & { digest: string }, request: BookingRequest): Booked {
  if (digest !== request.digest)
    return refuse('already-exists', 'Este formulario ya se usó para otra cita. Abre la agenda de nuevo.')
  return booked
}
