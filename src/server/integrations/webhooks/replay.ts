import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../../domain/access/actor.ts'
import { editsAgencies } from '../../../domain/agencies/agency.ts'
import { refuse } from '../../../domain/shared/refusal.ts'
import { type Db, transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/database/ids.ts'
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../platform/database/schema/agencies.ts'
import { announce } from '../../platform/live/announcements.ts'
import { sendTo, sendToAll } from './events.ts'

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
