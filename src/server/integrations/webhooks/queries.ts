import { and, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../../domain/access/actor.ts'
import { editsAgencies } from '../../../domain/agencies/agency.ts'
import type { EventType } from '../../../domain/agencies/integrations.ts'
import { type Db, isId } from '../../platform/database/client.ts'
import { cutPage } from '../../platform/database/lists.ts'
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../platform/database/schema/agencies.ts'

const shownDeliveries = 25

/**
 * What the manager sees of an agency's webhooks: where they go, and the newest deliveries, or those before one of them;
 * null for everybody else.
 */
export async function webhooksOf(
  db: Db,
  actor: Actor,
  agencyId: string,
  { before, now }: { before: string | null; now: Date },
) {
  if (!editsAgencies(actor) || !isId(agencyId)) return null
  const older = before && isId(before) ? lt(webhookDeliveries.id, before) : undefined
  const [endpoints, deliveries] = await Promise.all([
    db
      .select({
        id: webhookEndpoints.id,
        url: webhookEndpoints.url,
        active: webhookEndpoints.active,
        stoppedAt: webhookEndpoints.stoppedAt,
        stoppedReason: webhookEndpoints.stoppedReason,
        failingSince: webhookEndpoints.failingSince,
        previousUntil: webhookEndpoints.previousUntil,
        createdAt: webhookEndpoints.createdAt,
        version: webhookEndpoints.version,
      })
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.agencyId, agencyId))
      .orderBy(webhookEndpoints.createdAt, webhookEndpoints.id),
    db
      .select({
        id: webhookDeliveries.id,
        url: webhookEndpoints.url,
        endpointActive: webhookEndpoints.active,
        type: webhookEvents.type,
        data: sql<Record<string, unknown>>`${webhookEvents.payload} -> 'data'`,
        state: webhookDeliveries.state,
        tries: webhookDeliveries.tries,
        lastStatus: webhookDeliveries.lastStatus,
        lastError: webhookDeliveries.lastError,
        nextTryAt: webhookDeliveries.nextTryAt,
        /** The first goes out in the transaction that writes the event. */
        replayed: gt(webhookDeliveries.createdAt, webhookEvents.createdAt) as SQL<boolean>,
        createdAt: webhookDeliveries.createdAt,
      })
      .from(webhookDeliveries)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
      .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
      .where(and(eq(webhookEndpoints.agencyId, agencyId), older))
      .orderBy(desc(webhookDeliveries.id))
      .limit(shownDeliveries + 1),
  ])
  const { rows, next } = cutPage(deliveries, shownDeliveries)
  return {
    endpoints: endpoints.map(({ previousUntil, ...endpoint }) => ({
      ...endpoint,
      previousUntil: previousUntil && previousUntil > now ? previousUntil : null,
    })),
    deliveries: rows,
    older: next,
  }
}

export type ShownWebhooks = NonNullable<Awaited<ReturnType<typeof webhooksOf>>>

type EventsAsked = {
  after?: string | undefined
  limit: number
  type?: EventType
  /**
   * Seconds for which the newest wait: an event whose transaction takes longer than a later one's would come to stand
   * before a place that whoever reads on has passed.
   */
  settled?: number
}

/** An agency's events as they were sent, oldest first, after one of them; whoever asks was let in by a key of the agency's. */
export async function eventsOf(db: Db, agencyId: string, { after, limit, type, settled = 0 }: EventsAsked) {
  const place = after === undefined ? undefined : isId(after) ? gt(webhookEvents.id, after) : sql`false`
  const rows = await db
    .select({ id: webhookEvents.id, payload: webhookEvents.payload })
    .from(webhookEvents)
    .where(
      and(
        eq(webhookEvents.agencyId, agencyId),
        type && eq(webhookEvents.type, type),
        settled > 0 ? sql`${webhookEvents.createdAt} < now() - make_interval(secs => ${settled})` : undefined,
        place,
      ),
    )
    .orderBy(webhookEvents.id)
    .limit(limit + 1)
  const page = cutPage(rows, limit)
  return { events: page.rows.map(({ id, payload }) => ({ id, ...payload })), next: page.next }
}
