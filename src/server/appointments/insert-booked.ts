import { type Service, serviceFacts } from '../../domain/appointments/appointment.ts'
import { localDate, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import type { Tx } from '../platform/database/database.ts'
import type { AddressRow, AddressSnapshot } from '../platform/database/schema/project-schema.ts'
import type { Booked, Wish } from './wish.ts'

type Placed = { wish: Wish; projectId: string; personId: string; minutes: number; now: Date }

// The address is held as it was read: a change of it under way is waited for, and then leaves no row to book from.
const atAddress =
  'select 1 from addresses where id = $14::uuid and version = $15::int and archived_at is null for share'
const isReady = `quote_accepted_at is not null and deposit_paid_at is not null
  and (not permit_needed or permit_received_at is not null)`

/** A charger is installed, and nothing of it waits to be mended. */
const isConcluded = `exists (select 1 from appointments made where made.project_id = $5 and made.service = 'installation'
  and made.state = 'done' and coalesce(made.outcome, 'completed') = 'completed'
  and not exists (select 1 from faults where faults.appointment_id = made.id and faults.closed_at is null))`

/** What a booking stands on, held until it is written; nothing to book from where it is no longer so. */
const grounds: Record<Service, string> = {
  technical_visit: `here as (${atAddress}), ground as (select 1 from here where not ${isConcluded})`,
  installation: `here as (${atAddress}),
    ready as (select 1 from projects where id = $5 and closed_at is null and ${isReady} for share),
    ground as (select 1 from here, ready)`,
  videocall: 'ground as (select 1 where $14::uuid is null and $15::int is null)',
}

const statement = (service: Service) => `with ${grounds[service]}, booked as (
    insert into appointments (folio, service, customer_id, project_id, assignee_id, starts_at, minutes, municipality, address,
      notes, request_key, request_digest, interest, booked_by, state, confirmed_at)
    select next_folio($1, $2), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $16, $17, $18, $19 from ground
    on conflict do nothing returning id, folio, state
  ), traced as (
    insert into events (entity, entity_id, actor_id, name, to_state, data)
    select 'appointment', id, $20, 'book', state, jsonb_build_object('assigneeId', $6::uuid, 'startsAt', $7::timestamptz, 'minutes', $8::int) from booked
  )
  select id, folio from booked`

/** One statement for the appointment and its event; nothing, without an error, when a constraint or its grounds say no. A call
 * is its person's at once. */
export async function insertBooked(tx: Tx, placed: Placed): Promise<Booked | null> {
  const { wish, projectId, personId, minutes, now } = placed
  const { service, placement, booking, address, booker } = wish
  const isCall = service === 'videocall'
  const { rows } = await tx.$client.query<Booked>({
    name: `book_${service}`,
    text: statement(service),
    values: [
      serviceFacts[service].folioPrefix,
      Number(localDate(toMinutes(now)).slice(0, 4)),
      service,
      booker.customerId,
      projectId,
      personId,
      toDate(placement.start),
      minutes,
      address?.municipality ?? null,
      address && JSON.stringify(snapshot(address)),
      booking.notes ?? null,
      booking.requestKey,
      wish.digest,
      address?.id ?? null,
      address?.version ?? null,
      booking.interest ?? null,
      booker.isCaller ? booker.actorId : null,
      isCall ? 'assigned' : 'requested',
      isCall ? now : null,
      booker.actorId,
    ],
  })
  return rows[0] ?? null
}

/** What an appointment keeps of an address. */
export function snapshot(address: AddressRow): AddressSnapshot {
  const { id, projectId, archivedAt, areaVerifiedAt, wantsNoticeAt, approvedAt, ...row } = address
  const { createdAt, updatedAt, version, ...kept } = row
  return kept
}
