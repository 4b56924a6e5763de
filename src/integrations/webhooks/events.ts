import { and, eq, lte, sql } from 'drizzle-orm'
import type { Actor } from '../../access/rules/actor.ts'
import { editsAgencies } from '../../agencies/rules/agency.ts'
import type { ClientStage } from '../../agencies/rules/clients.ts'
import {
  type AfterTry,
  afterTry,
  type DeliveryOutcome,
  type EventType,
  type StopReason,
  stopsFor,
} from '../../agencies/rules/integrations.ts'
import { type Db, isId, type Tx, transaction } from '../../platform/database/client.ts'
import { record } from '../../platform/database/lists.ts'
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../platform/database/schema/agencies.ts'
import { agencies } from '../../platform/database/schema/projects.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { receiverOf } from '../../platform/jobs/queues.ts'
import { announce } from '../../platform/live/announcements.ts'
import type { Waiting } from '../../projects/rules/stages.ts'
import { refuse } from '../../shared/refusal.ts'

type StageChange = {
  /** The row as it stands after the change. */
  client: { id: string; agencyId: string; reference: string | null; waitingOn: Waiting }
  from: ClientStage
  to: ClientStage
  at: Date
}

/**
 * Writes that a client of an agency came to another stage, and has it sent to whatever the agency listens with; both are
 * there if, and only if, the transaction commits. It names the client by the row's id and the agency's own reference, and says nothing else of them.
 */
export async function stageChanged(tx: Tx, { client, from, to, at }: StageChange): Promise<void> {
  const { id: clientId, agencyId, reference, waitingOn } = client
  const data = { clientId, reference, from, to, waitingOn }
  const eventId = await writeEvent(tx, { agencyId, clientId, type: 'client.stage_changed', data, at })
  await sendToAll(tx, agencyId, eventId)
}

type NewEvent = { agencyId: string; clientId?: string; type: EventType; data: object; at: Date }

/** An event as it will be sent, however often; its id is the message's. */
export async function writeEvent(tx: Tx, { at, data, type, ...about }: NewEvent): Promise<string> {
  const payload = { type, timestamp: at.toISOString(), data }
  const [event] = await tx
    .insert(webhookEvents)
    .values({ ...about, type, payload })
    .returning({ id: webhookEvents.id })
  return event!.id
}

/** Has an event sent to every endpoint that is on, where the agency is active; answers to how many. */
async function sendToAll(
  tx: Tx,
  agencyId: string,
  eventId: string,
  replayedBy: string | null = null,
): Promise<number> {
  const endpoints = await tx
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .innerJoin(agencies, eq(agencies.id, webhookEndpoints.agencyId))
    .where(and(eq(webhookEndpoints.agencyId, agencyId), webhookEndpoints.active, agencies.active))
    .orderBy(webhookEndpoints.createdAt)
    // One that is being removed is waited for, and is then not among them.
    .for('key share', { of: webhookEndpoints })
  for (const { id } of endpoints) await sendTo(tx, id, eventId, replayedBy)
  return endpoints.length
}

/** Has an event sent to one endpoint. */
export async function sendTo(
  tx: Tx,
  endpointId: string,
  eventId: string,
  replayedBy: string | null,
): Promise<void> {
  const [delivery] = await tx
    .insert(webhookDeliveries)
    .values({ endpointId, eventId, replayedBy, nextTryAt: sql`now()` })
    .returning({
      id: webhookDeliveries.id,
      url: sql<string>`(select url from webhook_endpoints where id = endpoint_id)`,
    })
  const { id, url } = delivery!
  await enqueue(tx, 'send-webhook', { deliveryId: id, receiver: receiverOf(url) })
}

/** Sends an agency's event again to all that it listens with, under the same id; answers to how many. Another agency's is not there. */
export async function replayEvent(db: Db, agencyId: string, eventId: string): Promise<number> {
  if (!isId(eventId)) refuse('not-found')
  const sent = await transaction(db, async (tx) => {
    const known = await tx
      .select({ id: webhookEvents.id })
      .from(webhookEvents)
      .where(and(eq(webhookEvents.id, eventId), eq(webhookEvents.agencyId, agencyId)))
    if (known.length === 0) refuse('not-found')
    return sendToAll(tx, agencyId, eventId)
  })
  announce(db, { people: [], desk: false })
  return sent
}

/** Sends a test message to all that an agency listens with; answers to how many. */
export async function testAll(db: Db, agencyId: string, at: Date): Promise<number> {
  const sent = await transaction(db, async (tx) => {
    const eventId = await writeEvent(tx, { agencyId, type: 'webhook.test', data: {}, at })
    return sendToAll(tx, agencyId, eventId)
  })
  announce(db, { people: [], desk: false })
  return sent
}

/** Sends again what was sent to one endpoint, whatever became of it. */
export async function replayDelivery(
  db: Db,
  actor: Actor,
  agencyId: string,
  deliveryId: string,
): Promise<void> {
  if (!editsAgencies(actor)) refuse('permission-denied')
  if (!isId(agencyId) || !isId(deliveryId)) refuse('not-found')
  await transaction(db, async (tx) => {
    const [delivery] = await tx
      .select({
        endpointId: webhookEndpoints.id,
        eventId: webhookDeliveries.eventId,
        active: webhookEndpoints.active,
        state: webhookDeliveries.state,
      })
      .from(webhookDeliveries)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
      .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookEndpoints.agencyId, agencyId)))
      .for('no key update', { of: webhookEndpoints })
    if (!delivery) refuse('not-found')
    if (!delivery.active) refuse('failed-precondition', 'Enciende el destino antes de enviarle algo.')
    if (delivery.state === 'pending') refuse('failed-precondition', 'Ese aviso todavía está en camino.')
    await sendTo(tx, delivery.endpointId, delivery.eventId, actor.id)
  })
  announce(db, { people: [], desk: false })
}

/** Writes how a try went: delivered, to be tried again, or given up, and with it what becomes of the endpoint. */
export const recordAttempt = (db: Db, due: DueDelivery, outcome: DeliveryOutcome, at: Date): Promise<void> =>
  transaction(db, async (tx) => {
    const endpoint = await holdEndpoint(tx, due.endpointId)
    // Removed while the try was under way, and what was sent with it.
    if (!endpoint) return
    const after = afterTry(due.type, due.tries, outcome, at)
    const nextTryAt = after.state === 'pending' ? after.nextAt : null
    const [written] = await tx
      .update(webhookDeliveries)
      .set({
        state: after.state,
        nextTryAt,
        deliveredAt: after.state === 'delivered' ? at : null,
        lastStatus: 'status' in outcome ? outcome.status : null,
        lastError: 'fault' in outcome ? outcome.fault : null,
      })
      // Unless another try has begun meanwhile, or its endpoint was switched off.
      .where(and(eq(webhookDeliveries.id, due.id), eq(webhookDeliveries.tries, due.tries), isPending))
      .returning({ id: webhookDeliveries.id })
    const job = { deliveryId: due.id, receiver: receiverOf(due.url) }
    if (nextTryAt && written) await enqueue(tx, 'send-webhook', job, nextTryAt)
    if (endpoint.active && due.listens)
      await updateEndpoint(tx, due, endpoint.failingSince, { after, outcome, at })
  })

const isPending = eq(webhookDeliveries.state, 'pending')

/** Locked before its deliveries, as when it is switched off. */
async function holdEndpoint(tx: Tx, id: string) {
  const [endpoint] = await tx
    .select({ active: webhookEndpoints.active, failingSince: webhookEndpoints.failingSince })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, id))
    .for('no key update')
  return endpoint
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
