import { apiKeys } from '../../../src/server/platform/database/schema/agencies.ts'
import { agencies } from '../../../src/server/platform/database/schema/projects.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import type { Action } from './shape.ts'

let count = 0

/** An agency with a key. */
async function keyed(world: World, { manager }: Cast) {
  const [agency] = await world.db
    .insert(agencies)
    .values({ name: `Agencia con llave ${++count}` })
    .returning()
  const kept = { prefix: 'cec_prueba', keyHash: String(count).padStart(64, '0'), madeBy: manager.id }
  const [key] = await world.db
    .insert(apiKeys)
    .values({ agencyId: agency!.id, name: 'Sistema', scopes: ['codes:read'], ...kept })
    .returning()
  return { path: `/admin/agency/${agency!.id}/integracion`, keyId: key!.id }
}

// Of other agencies an ally knows nothing.
const hears = { ally: 404, ally2: 404 }

/** The keys of dealerships' own systems, on their agency's page. */
export const keyActions: readonly Action[] = [
  {
    name: 'make a key',
    async attempt(world, cast) {
      const { path } = await keyed(world, cast)
      return { path, form: { intent: 'keys.make', name: 'Sistema', life: 'year', 'codes:read': 'on' } }
    },
    hears,
    may: { manager: 200 },
  },
  {
    name: 'revoke a key',
    async attempt(world, cast) {
      const { path, keyId } = await keyed(world, cast)
      return { path, form: { intent: 'keys.revoke', keyId } }
    },
    hears,
    may: { manager: 303 },
  },
]
