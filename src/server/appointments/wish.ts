import { createHash } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import type { Booking } from '../../domain/appointment.ts'
import { toMinutes } from '../../domain/calendar.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Service } from '../../domain/services.ts'
import { type Db, prepared } from '../database/database.ts'
import { type AddressRow, addresses, appointments, projects } from '../database/schema.ts'
import type { Placement } from '../scheduling/choose.ts'
import { zoneOf } from '../scheduling/roster.ts'

export type Booked = { id: string; folio: string }

/** What the form of a booking stands for: the same key with anything else in it is another wish. */
export type Wish = {
  service: Service
  projectId: string
  address: AddressRow
  placement: Placement
  booking: Booking
  digest: string
}

const isThisRequest = and(
  eq(appointments.customerId, sql.placeholder('customerId')),
  eq(appointments.requestKey, sql.placeholder('requestKey')),
)

const wishes = prepared((db) =>
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
export async function wishOf(db: Db, actor: Actor, service: Service, booking: Booking) {
  const [found] = await wishes(db).execute({ customerId: actor.id, requestKey: booking.requestKey })
  const address = found?.address
  if (!address)
    return refuse('failed-precondition', 'Primero danos tu domicilio, para saber quién puede llegar.')
  if (address.area !== 'served') return refuse('failed-precondition', 'Todavía no llegamos a tu domicilio.')
  const placement = { service, zone: zoneOf(address.municipality), start: toMinutes(booking.startsAt) }
  const digest = createHash('sha256')
    .update(JSON.stringify([service, placement.start, found.projectId, booking.notes ?? '']))
    .digest('base64url')
  const wish: Wish = { service, projectId: found.projectId, address, placement, booking, digest }
  return { wish, earlier: found.earlier && sameAs(found.earlier, wish) }
}

const byRequest = prepared((db) =>
  db
    .select({ id: appointments.id, folio: appointments.folio, digest: appointments.requestDigest })
    .from(appointments)
    .where(isThisRequest)
    .prepare('appointment_by_request'),
)

/** The appointment this very form already made, if its answer was lost on the way. */
export async function sameRequest(db: Db, actor: Actor, wish: Wish): Promise<Booked | null> {
  const [row] = await byRequest(db).execute({ customerId: actor.id, requestKey: wish.booking.requestKey })
  return row ? sameAs(row, wish) : null
}

function sameAs({ digest, ...booked }: Booked & { digest: string }, wish: Wish): Booked {
  if (digest !== wish.digest)
    return refuse('already-exists', 'Este formulario ya se usó para otra cita. Abre la agenda de nuevo.')
  return booked
}
