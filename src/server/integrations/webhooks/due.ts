import { and, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/database.ts'
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../platform/database/schema/agencies.ts'
import { agencies } from '../../platform/database/schema/office-schema.ts'

/** Longer than a try can take; a process that ended in the middle of one leaves the delivery to another after that. */
const lease = sql`make_interval(secs => 60)`

export type Due = NonNullable<Awaited<ReturnType<typeof takeDue>>>

/**
 * Takes a delivery whose time has come, counting the try, with what it takes to send it; null where it is another
 * process's, or over. Times are compared by the database's clock, by which its job came.
 */
export async function takeDue(db: Db, deliveryId: string) {
  const [taken] = await db
    .update(webhookDeliveries)
    .set({ tries: sql`${webhookDeliveries.tries} + 1`, nextTryAt: sql`now() + ${lease}` })
    .where(
      and(
        eq(webhookDeliveries.id, deliveryId),
        eq(webhookDeliveries.state, 'pending'),
        lte(webhookDeliveries.nextTryAt, sql`now()`),
      ),
    )
    .returning({ tries: webhookDeliveries.tries })
  if (!taken) return null
  const [due] = await db
    .select({
      id: webhookDeliveries.id,
      endpointId: webhookEndpoints.id,
      agencyId: webhookEndpoints.agencyId,
      eventId: webhookEvents.id,
      type: webhookEvents.type,
      payload: webhookEvents.payload,
      url: webhookEndpoints.url,
      secret: webhookEndpoints.secret,
      previousSecret: webhookEndpoints.previousSecret,
      previousUntil: webhookEndpoints.previousUntil,
      listens: sql<boolean>`${webhookEndpoints.active} and ${agencies.active}`,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .innerJoin(agencies, eq(agencies.id, webhookEndpoints.agencyId))
    .where(eq(webhookDeliveries.id, deliveryId))
  return due ? { ...due, tries: taken.tries } : null
}
