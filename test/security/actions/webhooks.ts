import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../../src/server/platform/database/schema/agencies.ts'
import { insertIn } from '../../kit/reading.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import { type Action, type Attempt, byManager, type Heard } from './shape.ts'

let count = 0
const newUrl = () => `https://sistema-${++count}.example/avisos`

/** An address of the ally's agency, with an event that never reached it. */
async function endpoint({ db }: World, { ally, manager }: Cast) {
  const agencyId = ally.agencyId!
  const made = await insertIn({ db }, webhookEndpoints, {
    agencyId,
    url: newUrl(),
    secret: 'sellado',
    madeBy: manager.id,
  })
  const payload = { type: 'webhook.test', timestamp: '2026-11-24T16:00:00.000Z', data: {} } as const
  const event = await insertIn({ db }, webhookEvents, { agencyId, type: payload.type, payload })
  const delivery = await insertIn({ db }, webhookDeliveries, {
    endpointId: made.id,
    eventId: event.id,
    state: 'dead',
  })
  return { endpointId: made.id, deliveryId: delivery.id }
}

type Form = (world: World, cast: Cast) => Promise<Attempt['form']>

/** A form of the agency's page. An ally reads the page of their own only, and changes nothing there. */
const doing = (name: string, form: Form, heard?: Heard): Action => ({
  ...byManager(
    name,
    async (world, cast) => ({
      path: `/admin/agency/${cast.ally.agencyId}/integracion`,
      form: await form(world, cast),
    }),
    heard,
  ),
  hears: { ally2: 404 },
})

const move = (intent: string, heard?: Heard) =>
  doing(
    intent,
    async (world, cast) => {
      const { endpointId } = await endpoint(world, cast)
      return { intent, endpointId, version: '1' }
    },
    heard,
  )

/** Where an agency's events go. What is shown once comes without a redirection. */
export const webhookActions: readonly Action[] = [
  doing('add a webhook', async () => ({ intent: 'webhooks.add', url: newUrl() }), 200),
  move('webhooks.renew', 200),
  move('webhooks.test'),
  move('webhooks.off'),
  move('webhooks.remove'),
  doing('send a webhook again', async (world, cast) => {
    const { deliveryId } = await endpoint(world, cast)
    return { intent: 'webhooks.replay', deliveryId }
  }),
]
