import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { sessions, users } from '../../src/server/platform/database/schema/accounts.ts'
import type { Answer } from '../kit/visitor.ts'
import type { World } from '../kit/world.ts'

export const password = 'una-frase-larga'

/** An e-mail that nobody else of the tests has. */
export const newEmail = () => `persona-${randomUUID().slice(0, 13)}@prueba.mx`

/** What the stories about accounts do and look up, in one world. */
export const storiesIn = (world: World) => ({
  userOf: async (email: string) => (await world.db.select().from(users).where(eq(users.email, email)))[0],
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
