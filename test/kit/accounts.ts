import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { seal, sealingKey } from '../../src/server/accounts/sealing.ts'
import { blockedAccounts, sessions, users } from '../../src/server/platform/database/schema/accounts.ts'
import { secret } from './people.ts'
import { rowIn } from './reading.ts'
import type { Answer } from './visitor.ts'
import type { World } from './world.ts'

export const password = 'una-frase-larga'

/** An e-mail that nobody else of the tests has. */
export const newEmail = () => `persona-${randomUUID().slice(0, 13)}@prueba.mx`

/** What the stories about accounts do and look up, in one world. */
export const storiesIn = (world: World) => ({
  userOf: async (email: string) => await rowIn(world, users, { email }),
  sessionsOf: async (email: string) =>
    (await world.db.select().from(sessions).innerJoin(users, eq(users.id, sessions.userId))).filter(
      (row) => row.users.email === email,
    ),
  async signUp(email = newEmail(), as = world.visitor()) {
    const answer = await world.post('/signup', { email, password }, as)
    return { email, as, answer }
  },
})

/** What a person reads of a page, without what differs from one answer to the next. */
export const readable = ({ text }: Answer, email: string) =>
  text
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll(email, '…')
    .replace(/nonce="[^"]*"/g, '')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '')

const day = 24 * 60 * 60 * 1000

/** A customer whose account was deleted three days ago, and what was put aside of it; answers their id. */
export async function storeBlocked(world: World, sealedWith = secret): Promise<string> {
  const { id } = await world.person()
  const at = new Date(Date.now() - 3 * day)
  const held = { 'Tu cuenta': [{ Nombre: 'Citlali', 'Correo confirmado': true, 'Cuenta creada': at }] }
  await world.db.insert(blockedAccounts).values({
    customerId: id,
    blockedAt: at,
    suppressAt: new Date(+at + 365 * day),
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
