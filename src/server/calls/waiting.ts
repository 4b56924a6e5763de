import { and, eq, isNull } from 'drizzle-orm'
import type { Held } from '../appointments/appointments-changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { callSittings } from '../platform/database/schema/call-schema.ts'

const query = {
  name: 'settle_call_wait',
  text: `update appointments set customer_waiting_since = $2, customer_came_at = coalesce(customer_came_at, $3)
    where id = $1`,
}

/**
 * Writes since when the customer of a held call waits alone, or that they don't, and when they first came. A place counts
 * as taken until it is given up: who lost the connection a moment ago has not left. `since`: when this came about.
 */
export async function settleWait(tx: Tx, held: Held, since: Date): Promise<Held> {
  const sitting = await tx
    .select({ side: callSittings.side, joinedAt: callSittings.joinedAt })
    .from(callSittings)
    .where(and(eq(callSittings.appointmentId, held.id), isNull(callSittings.leftAt)))
  const customer = sitting.find(({ side }) => side === 'customer')
  const alone = customer && !sitting.some(({ side }) => side === 'analyst')
  const customerWaitingSince = alone ? (held.customerWaitingSince ?? later(since, customer.joinedAt)) : null
  const customerCameAt = held.customerCameAt ?? customer?.joinedAt ?? null
  // Not a version of the appointment: nobody's open form is out of date because somebody came or went.
  await tx.$client.query({ ...query, values: [held.id, customerWaitingSince, customerCameAt] })
  return { ...held, customerWaitingSince, customerCameAt }
}

const later = (one: Date, other: Date) => (one > other ? one : other)
