import { createHash } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Db, prepared, type Tx } from '../platform/database/client.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { type AddressRow, addresses, projects } from '../platform/database/schema/projects.ts'
import { whichHome } from '../projects/rules/homes.ts'
import type { Placement } from '../scheduling/choose.ts'
import { zoneOf } from '../scheduling/roster.ts'
import { noZone } from '../scheduling/rules/roster.ts'
import { toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import type { Booking, Service } from './rules/appointment.ts'
import type { DeskChoice } from './rules/schema.ts'

export type Booked = { id: string; folio: string }

/** The customer of a booking, and its author: the customer, or a staff member for a caller. */
export type BookingContext = {
  customerId: string
  /** The open project that it is booked for, where the customer has several. */
  projectId?: string | null | undefined
  emailVerified: boolean
  actorId: string
  isCaller: boolean
  /** The network address of the customer; null where staff book for a caller they spoke to. */
  address: string | null
  /**
   * The time was offered to them: notice and horizon do not apply, and this answers the offer in the booking's
   * transaction.
   */
  answerOffer?: (tx: Tx) => Promise<void>
  /** The manager chose who carries it out, or whoever can, confirmed at once; soft rules may be overridden. */
  desk?: DeskChoice
}

/**
 * The content of a booking form: the same key with other content is another request. A call has no address, and creates
 * its project when there is none.
 */
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
    .where(
      and(
        eq(projects.customerId, sql.placeholder('customerId')),
        isNull(projects.closedAt),
        sql`(${sql.placeholder('meant')}::uuid is null or ${projects.id} = ${sql.placeholder('meant')}::uuid)`,
      ),
    )
    .limit(2)
    .prepare('wish'),
)

/** The request, and the appointment that this very form created before, if any: one query for both. */
export async function readBookingRequest(db: Db, booker: BookingContext, service: Service, booking: Booking) {
  const { customerId, projectId: meant = null } = booker
  const [found, other] = await requestFacts(db).execute({ customerId, meant, requestKey: booking.requestKey })
  if (other) refuse('failed-precondition', whichHome)
  const address = service === 'videocall' ? null : servedAddress(found?.address, booker)
  const projectId = found?.projectId ?? null
  const zone = address ? zoneOf(address.municipality) : noZone
  const start = toMinutes(booking.startsAt)
  const placement = { service, zone, start, ...(booker.answerOffer && { promised: true }) }
  const digest = digestOf(service, address && projectId, booking, booker.desk)
  const request: BookingRequest = { service, booker, projectId, address, placement, booking, digest }
  return { request, earlier: found?.earlier ? sameAs(found.earlier, request) : null }
}

function servedAddress(
  address: AddressRow | null | undefined,
  { isCaller }: Pick<BookingContext, 'isCaller'>,
): AddressRow {
  if (!address)
    return refuse(
      'failed-precondition',
      isCaller
        ? 'Primero guarda su domicilio, para saber quién puede llegar.'
        : 'Primero danos tu domicilio, para saber quién puede llegar.',
    )
  if (address.area === 'served') return address
  if (!isCaller) return refuse('failed-precondition', 'Todavía no llegamos a tu zona.')
  return refuse(
    'failed-precondition',
    address.area === 'to_verify'
      ? 'Su domicilio está por verificar: di antes si llegamos.'
      : 'Todavía no llegamos a su domicilio.',
  )
}

const digestOf = (service: Service, projectId: string | null, booking: Booking, desk?: DeskChoice) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        service,
        toMinutes(booking.startsAt),
        projectId,
        booking.notes ?? '',
        booking.interest ?? '',
        booking.equipment ?? null,
        ...(desk?.assigneeId ? [desk.assigneeId] : []),
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

/** The appointment that this very form already created, if its answer was lost. */
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
