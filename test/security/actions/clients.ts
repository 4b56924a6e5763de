import { randomUUID } from 'node:crypto'
import { clients } from '../../../src/server/platform/database/schema/agencies.ts'
import { clientPath, registerPath } from '../../../src/web/agencies/agency-paths.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import type { Action, Actions } from './shape.ts'

let count = 0
const newPhone = () => `55770${String(++count).padStart(5, '0')}`

/** Somebody whom `ally` registered at the counter. */
async function invited({ db }: World, { ally }: Cast): Promise<string> {
  const [row] = await db
    .insert(clients)
    .values({
      agencyId: ally.agencyId!,
      allyId: ally.id,
      source: 'counter',
      name: 'Ana',
      phone: newPhone(),
      registeredBy: ally.id,
      waitingOn: 'customer',
      inviteExpiresAt: new Date(Date.now() + 1e9),
    })
    .returning({ id: clients.id })
  return row!.id
}

const aboutInvitation = (intent: string, heard: number): Action => ({
  name: `clients.${intent}`,
  attempt: async (world, cast) => ({ path: clientPath(await invited(world, cast)), form: { intent } }),
  // Of another agency's clients an ally knows nothing.
  hears: { ally2: 404 },
  may: { ally: heard },
})

/** Clients of allies. */
export const clientActions: Actions = {
  'agencies/register-client.tsx': [
    {
      name: 'clients.register',
      attempt: async () => ({
        path: registerPath,
        form: {
          intent: 'register',
          name: 'Ana',
          phone: newPhone(),
          email: '',
          consent: 'yes',
          code: '',
          vehicleBrand: '',
          vehicleModel: '',
          vehicleYear: '',
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
  name: 'clients.hand_over',
  async attempt(world, cast) {
    const { ally } = cast
    await invited(world, cast)
    const taker = await world.person({ kind: 'alliate', agencyId: ally.agencyId! })
    const form = { intent: 'clients.hand_over', from: ally.id, to: taker.id }
    return { path: `/admin/agency/${ally.agencyId}/clientes`, form }
  },
  hears: { ally2: 404 },
  may: { manager: 303 },
}
