import { and, eq, gt, isNull } from 'drizzle-orm'
import type { QuoteContent } from '../../domain/quotes/content.ts'
import { addDays, minuteAt, toDate } from '../../domain/shared/calendar.ts'
import { fullName } from '../../domain/shared/format.ts'
import { snapshot } from '../appointments/insert-booked.ts'
import type { Tx } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { addresses } from '../platform/database/schema/project-schema.ts'
import type { QuoteRow } from './changes.ts'
import { digestOf } from './digest.ts'

/** The last second of a local day. */
export const endOfDay = (day: string) => new Date(toDate(minuteAt(addDays(day, 1), '00:00')).getTime() - 1000)

type Sent = Pick<QuoteRow, 'appointmentId' | 'customerId' | 'folio' | 'revision'> & { content: QuoteContent }

/** Whom a version is for and where, as both are now, and the digest of all of it. */
export async function addressed(tx: Tx, { appointmentId, content, customerId, folio, revision }: Sent) {
  const [customer] = await tx
    .select({ name: users.name, lastname: users.lastname })
    .from(users)
    .where(eq(users.id, customerId))
  const [visit] = await tx
    .select({ address: appointments.address, approved: addresses })
    .from(appointments)
    .leftJoin(
      addresses,
      and(
        eq(addresses.projectId, appointments.projectId),
        isNull(addresses.archivedAt),
        // Which the manager put in the place of the home that was visited.
        gt(addresses.approvedAt, appointments.startsAt),
      ),
    )
    .where(eq(appointments.id, appointmentId))
  const addressee = fullName(customer ?? {})
  const address = visit?.approved ? snapshot(visit.approved) : (visit?.address ?? null)
  return { addressee, address, digest: digestOf({ folio, revision, addressee, address, content }) }
}
