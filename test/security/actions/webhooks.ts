import {
  apiKeys,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../../src/platform/database/schema/agencies.ts'
import { fixture } from '../../kit/open.ts'
import { insertIn } from '../../kit/reading.ts'
import type { Everyone } from '../everyone.ts'
import { type Action, byManager, type Fields, type Heard } from './shape.ts'

let count = 0
const newUrl = () => `https://sistema-${++count}.example/avisos`

/** An address of the ally's agency, with an event that never reached it. */
async function endpoint({ ally, manager }: Everyone) {
  const agencyId = ally.agencyId!
  const made = await insertIn(fixture, webhookEndpoints, {
    agencyId,
    url: newUrl(),
    secret: 'sellado',
    madeBy: manager.id,
  })
  const payload = { type: 'webhook.test', timestamp: '2026-11-24T16:00:00.000Z', data: {} } as const
  const delivery = await insertIn(fixture, webhookDeliveries, {
    endpointId: made.id,
    eventId: (await insertIn(fixture, webhookEvents, { agencyId, type: payload.type, payload })).id,
    state: 'dead',
  })
  return { endpointId: made.id, deliveryId: delivery.id }
}

type Form = (everyone: Everyone) => Promise<Fields>

/** A form of the agency's page. An ally reads the page of their own only, and changes nothing there. */
const doing = (name: string, form: Form, heard?: Heard): Action => ({
  ...byManager(
    name,
    async (everyone) => ({
      path: `/admin/agency/${everyone.ally.agencyId}/integracion`,
      form: await form(everyone),
    }),
    heard,
  ),
  hears: { ally2: 404 },
})

const move = (intent: string, heard?: Heard) =>
  doing(
    intent,
    async (...of) => ({ intent, endpointId: (await endpoint(...of)).endpointId, version: '1' }),
    heard,
  )

/** Where an agency's events go. What is shown once comes without a redirection. */
export const webhookActions: readonly Action[] = [
  doing('add a webhook', async () => ({ intent: 'webhooks.add', url: newUrl() }), 200),
  move('webhooks.renew', 200),
  move('webhooks.test'),
  move('webhooks.off'),
  move('webhooks.remove'),
  doing('send a webhook again', async (...of) => ({
    intent: 'webhooks.replay',
    deliveryId: (await endpoint(...of)).deliveryId,
  })),
]

/** A form about a key of an agency's: of other agencies an ally knows nothing. */
const ofKeys = (name: string, form: (keyId: string) => Fields, heard?: Heard): Action => ({
  ...byManager(
    name,
    async ({ manager }) => {
      const { id: agencyId } = await fixture.agency()
      const key = await insertIn(fixture, apiKeys, {
        agencyId,
        name: 'Sistema',
        scopes: ['codes:read'],
        prefix: 'cec_prueba',
        keyHash: String(++count).padStart(64, '0'),
        madeBy: manager.id,
      })
      return { path: `/admin/agency/${agencyId}/integracion`, form: form(key.id) }
    },
    heard,
  ),
  hears: { ally: 404, ally2: 404 },
})

/** The keys of dealerships' own systems, on their agency's page. */
export const keyActions: readonly Action[] = [
  ofKeys(
    'make a key',
    () => ({ intent: 'keys.make', name: 'Sistema', life: 'year', 'codes:read': 'on' }),
    200,
  ),
  ofKeys('revoke a key', (keyId) => ({ intent: 'keys.revoke', keyId })),
]
