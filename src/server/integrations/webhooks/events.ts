import { and, eq, sql } from 'drizzle-orm'
import type { ClientStage } from '../../../domain/agencies/clients.ts'
import type { EventType } from '../../../domain/agencies/integrations.ts'
import type { Waiting } from '../../../domain/projects/project.ts'
import type { Tx } from '../../platform/database/database.ts'
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../platform/database/schema/agencies.ts'
import { agencies } from '../../platform/database/schema/office-schema.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'

export type StageChange = {
  /** The row as it stands after the change. */
  client: { id: string; agencyId: string; waitingOn: Waiting }
  from: ClientStage
  to: ClientStage
  at: Date
}

/**
 * Writes that a client of an agency came to another stage, and has it sent to whatever the agency listens with; both are
 * there if, and only if, the transaction commits. It names the client by the row's id, and says nothing else of them.
 */
export async function stageChanged(tx: Tx, { client, from, to, at }: StageChange): Promise<void> {
  const data = { clientId: client.id, from, to, waitingOn: client.waitingOn }
  const about = { agencyId: client.agencyId, clientId: client.id }
  const eventId = await writeEvent(tx, { ...about, type: 'client.stage_changed', data, at })
  await sendToAll(tx, client.agencyId, eventId)
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
export async function sendToAll(
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
    .returning({ id: webhookDeliveries.id })
  await enqueue(tx, 'send-webhook', { deliveryId: delivery!.id })
}
