import { apiKeys } from '../../../src/server/platform/database/schema/agencies.ts'
import { insertIn } from '../../kit/reading.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import { type Action, byManager } from './shape.ts'

let count = 0

/** An agency with a key. */
async function keyed(world: World, { manager }: Cast) {
  const { id: agencyId } = await world.agency()
  const kept = { prefix: 'cec_prueba', keyHash: String(++count).padStart(64, '0'), madeBy: manager.id }
  const key = await insertIn(world, apiKeys, { agencyId, name: 'Sistema', scopes: ['codes:read'], ...kept })
  return { path: `/admin/agency/${agencyId}/integracion`, keyId: key.id }
}

/** The keys of dealerships' own systems, on their agency's page. */
export const keyActions: readonly Action[] = [
  byManager(
    'make a key',
    async (world, cast) => {
      const { path } = await keyed(world, cast)
      return { path, form: { intent: 'keys.make', name: 'Sistema', life: 'year', 'codes:read': 'on' } }
    },
    200,
  ),
  byManager('revoke a key', async (world, cast) => {
    const { path, keyId } = await keyed(world, cast)
    return { path, form: { intent: 'keys.revoke', keyId } }
  }),
  // Of other agencies an ally knows nothing.
].map((action) => ({ ...action, hears: { ally: 404, ally2: 404 } }))
