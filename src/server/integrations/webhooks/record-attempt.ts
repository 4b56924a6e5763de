import { and, eq, lte, sql } from 'drizzle-orm'
import {
  type AfterTry,
  afterTry,
  type DeliveryOutcome,
  type StopReason,
  stopsFor,
} from '../../../domain/agencies/integrations.ts'
import { type Db, type Tx, transaction } from '../../platform/database/client.ts'
import { record } from '../../platform/database/lists.ts'
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../platform/database/schema/agencies.ts'
import { agencies } from '../../platform/database/schema/projects.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'

/** Writes how a try went: delivered, to be tried again, or given up, and with it what becomes of the endpoint. */
export const recordAttempt = (db: Db, due: DueDelivery, outcome: DeliveryOutcome, at: Date): Promise<void> =>
  transaction(db, async (tx) => {
    const endpoint = await holdEndpoint(tx, due.endpointId)
    const after = afterTry(due.type, due.tries, outcome, at)
    const nextTryAt = after.state === 'pending' ? after.nextAt : null
    const [written] = await tx
      .update(webhookDeliveries)
      .set({
        ...{ state: after.state, nextTryAt, deliveredAt: after.state === 'delivered' ? at : null },
        lastStatus: 'status' in outcome ? outcome.status : null,
        lastError: 'fault' in outcome ? outcome.fault : null,
      })
      // Unless another try has begun meanwhile, or its endpoint was switched off.
      .where(and(eq(webhookDeliveries.id, due.id), eq(webhookDeliveries.tries, due.tries), isPending))
      .returning({ id: webhookDeliveries.id })
    if (nextTryAt && written) await enqueue(tx, 'send-webhook', { deliveryId: due.id }, nextTryAt)
    if (endpoint.active && due.listens)
      await updateEndpoint(tx, due, endpoint.failingSince, { after, outcome, at })
  })

const isPending = eq(webhookDeliveries.state, 'pending')

/** Before its deliveries, as whoever switches it off does. */
async function holdEndpoint(tx: Tx, id: string) {
  const [endpoint] = await tx
    .select({ active: webhookEndpoints.active, failingSince: webhookEndpoints.failingSince })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, id))
    .for('no key update')
  return endpoint!
}

type Try = { after: AfterTry; outcome: DeliveryOutcome; at: Date }

/** An endpoint's own standing: since when it fails, and whether it is given up. */
async function updateEndpoint(
  tx: Tx,
  due: DueDelivery,
  failing: Date | null,
  { after, outcome, at }: Try,
): Promise<void> {
  const failingSince = after.state === 'delivered' ? null : (failing ?? at)
  if (failingSince !== failing)
    await tx.update(webhookEndpoints).set({ failingSince }).where(eq(webhookEndpoints.id, due.endpointId))
  const reason = failingSince && stopsFor(after, outcome, failingSince, at)
  if (!reason) return
  await stopEndpoint(tx, due.endpointId, reason, at)
  const data = { host: new URL(due.url).host, reason }
  await record(tx, { entity: 'agency', entityId: due.agencyId, name: 'stop_webhook', data })
  await enqueue(tx, 'letter', { letter: 'webhook_off', endpointId: due.endpointId, to: 'managers' })
}

/** Switches an endpoint off, whose row is held, and whatever waits for it. */
export async function stopEndpoint(tx: Tx, id: string, reason: StopReason, at: Date): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({
      active: false,
      stoppedAt: at,
      stoppedReason: reason,
      version: sql`${webhookEndpoints.version} + 1`,
    })
    .where(eq(webhookEndpoints.id, id))
  await tx
    .update(webhookDeliveries)
    .set({ state: 'dead', nextTryAt: null, lastError: 'switched_off' })
    .where(and(eq(webhookDeliveries.endpointId, id), isPending))
}

/** Longer than a try can take; a process that ended in the middle of one leaves the delivery to another after that. */
const lease = sql`make_interval(secs => 60)`

export type DueDelivery = NonNullable<Awaited<ReturnType<typeof takeDueDelivery>>>

/**
 * Takes a delivery whose time has come, counting the try, with what it takes to send it; null where it is another
 * process's, or over. Times are compared by the database's clock, by which its job came.
 */
export async function takeDueDelivery(db: Db, deliveryId: string) {
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
