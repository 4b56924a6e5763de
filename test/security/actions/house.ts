import { agencies } from '../../../src/server/database/schema.ts'
import type { World } from '../../world.ts'
import type { Action, Actions } from './shape.ts'

let count = 0
const details = () => ({
  ...{ name: `Concesionaria ${++count}`, commissionKind: 'percent', commissionValue: '3' },
  ...{ benefitKind: 'none', benefitValue: '' },
})

async function agency(world: World) {
  const [made] = await world.db
    .insert(agencies)
    .values({ name: `Agencia ${++count}` })
    .returning()
  return `/admin/agency/${made!.id}`
}

const changing = (name: string, form: () => Record<string, string>): Action => ({
  name,
  attempt: async (world) => ({ path: await agency(world), form: { version: '1', ...form() } }),
  // Of other agencies an ally knows nothing.
  hears: { ally: 404, ally2: 404 },
  may: { manager: 303 },
})

/** Agencies and the service's configuration. */
export const house: Actions = {
  'agencies/add-agency.tsx': [
    {
      name: 'add',
      attempt: async () => ({ path: '/admin/agencies/add', form: details() }),
      may: { manager: 303 },
    },
  ],
  'agencies/agency.tsx': [
    changing('edit', () => ({ intent: 'edit', ...details() })),
    changing('switch off', () => ({ intent: 'switch', active: 'no' })),
    {
      name: 'edit one’s own agency',
      attempt: async (_world, { ally }) => ({
        path: `/admin/agency/${ally.agencyId}`,
        form: { version: '1', intent: 'edit', ...details() },
      }),
      hears: { ally2: 404 },
      may: { manager: 303 },
    },
  ],
}
