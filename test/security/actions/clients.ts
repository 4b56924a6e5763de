import { randomUUID } from 'node:crypto'
import { clients } from '../../../src/server/platform/database/schema/agencies.ts'
import { clientPath, registerPath } from '../../../src/web/agencies/agency-paths.ts'
import { insertIn } from '../../kit/reading.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import { type Action, type Actions, byManager } from './shape.ts'

let count = 0
const newPhone = () => `55770${String(++count).padStart(5, '0')}`

/** Somebody whom `ally` registered at the counter. */
async function invited({ db }: World, { ally }: Cast): Promise<string> {
  const row = await insertIn({ db }, clients, {
    agencyId: ally.agencyId!,
    allyId: ally.id,
    source: 'counter',
    name: 'Ana',
    phone: newPhone(),
    registeredBy: ally.id,
    waitingOn: 'customer',
    inviteExpiresAt: new Date(Date.now() + 1e9),
  })
  return row.id
}

const aboutInvitation = (intent: string, heard: number): Action => ({
  name: `clients.${intent}`,
  attempt: async (world, cast) => ({ path: clientPath(await invited(world, cast)), form: { intent } }),
  // Of another agency's clients an ally knows nothing.
  hears: { ally2: 404 },
  may: { ally: heard },
})

const left = Object.fromEntries(
  ['email', 'code', 'vehicleBrand', 'vehicleModel', 'vehicleYear'].map((name) => [name, '']),
)

/** Clients of allies. */
export const clientActions: Actions = {
  'agencies/register-client.tsx': [
    {
      name: 'clients.register',
      attempt: async () => ({
        path: registerPath,
        form: {
          ...left,
          intent: 'register',
          name: 'Ana',
          phone: newPhone(),
          consent: 'yes',
          requestKey: randomUUID(),
        },
      }),
      // The key of the form is used up by then.
      may: { ally: 200, ally2: 409 },
    },
  ],
  'agencies/client.tsx': [aboutInvitation('invite', 200), aboutInvitation('withdraw', 303)],
}

/** An agency's clients and codes given by the manager from one ally to another. */
export const handingOver: Action = {
  ...byManager('clients.hand_over', async (world, cast) => {
    const agencyId = cast.ally.agencyId!
    await invited(world, cast)
    const taker = await world.person({ kind: 'alliate', agencyId })
    const form = { intent: 'clients.hand_over', from: cast.ally.id, to: taker.id }
    return { path: `/admin/agency/${agencyId}/clientes`, form }
  }),
  hears: { ally2: 404 },
}
