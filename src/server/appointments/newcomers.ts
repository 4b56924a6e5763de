import { sql } from 'drizzle-orm'
import { activeStates } from '../../domain/appointments/appointment.ts'
import { mostOfANetwork } from '../../domain/appointments/rules.ts'
import { hashOf } from '../accounts/limits.ts'
import { queryRows, type Tx } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { tasks } from '../platform/database/schema/projects.ts'
import type { Booked } from './booking-request.ts'

/**
 * Records the network of a booking of an account of less than a day, or of a further home, before its first
 * appointment is done. Above the most of a network the office is asked to look; the booking stands.
 */
export async function noteNewcomer(tx: Tx, customerId: string, booked: Booked, network: string) {
  const hash = hashOf(network)
  const noted = await queryRows(
    tx,
    sql`insert into unproved_bookings (appointment_id, network) select ${booked.id}, ${hash} from users
      where id = ${customerId}
        and (created_at > now() - interval '1 day' or (select count(*) > 1 from projects where customer_id = ${customerId} and closed_at is null))
        and not exists (select from appointments where customer_id = ${customerId} and state = 'done')
      returning 1`,
  )
  if (noted.length === 0) return
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${hash}, 726011))`)
  const standing = await queryRows<[folio: string]>(
    tx,
    sql`select folio from unproved_bookings join appointments on appointments.id = appointment_id
      where network = ${hash} and state in (${listed(activeStates)}) order by appointments.created_at`,
  )
  // Once: at the first booking above the most.
  if (standing.length !== mostOfANetwork + 1) return
  await tx.insert(tasks).values({
    subject: `Varias citas nuevas desde una misma conexión: ${standing.join(', ')}. Confirma por teléfono que sean de personas distintas.`,
    reason: 'one_network',
    personId: customerId,
    appointmentId: booked.id,
  })
}
