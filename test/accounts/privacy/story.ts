import { eq } from 'drizzle-orm'
import { seal, sealingKey } from '../../../src/server/accounts/block.ts'
import { blockedAccounts, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { secret } from '../../kit/people.ts'
import type { World } from '../../kit/world.ts'

const day = 24 * 60 * 60 * 1000

/** A customer whose account was deleted three days ago, and what was put aside of it; answers their id. */
export async function storeBlocked(world: World, sealedWith = secret): Promise<string> {
  const { id } = await world.person()
  const at = new Date(Date.now() - 3 * day)
  const held = { 'Tu cuenta': [{ Nombre: 'Citlali', 'Correo confirmado': true, 'Cuenta creada': at }] }
  await world.db.insert(blockedAccounts).values({
    ...{ customerId: id, blockedAt: at, suppressAt: new Date(+at + 365 * day) },
    sealed: seal(sealingKey(sealedWith, 'blocked accounts'), JSON.stringify(held)),
    files: [{ key: 'x', name: 'fachada.jpg', type: 'image/jpeg' }],
  })
  const nobody = { name: null, lastname: null, phone: null, active: false, email: `${id}@eliminada.invalid` }
  await world.db
    .update(users)
    .set({ ...nobody, deletedAt: at })
    .where(eq(users.id, id))
  return id
}
