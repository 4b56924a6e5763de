import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sendAccountEmail } from '../../src/server/notifications/send.ts'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import type { Jobs } from '../../src/server/platform/jobs/queues.ts'
import { emailEnv } from '../kit/delivered.ts'
import { mailServer, readEmail } from '../kit/mail-server.ts'
import { openBare, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectWords } from '../kit/reading.ts'

openBare()

type Letter = Jobs['account-letter']['letter']
const env = { ...emailEnv, baseUrl: 'http://carga.test' }

/** The e-mails that arrive. */
async function sent(letter: Letter, who: { userId?: string; email?: string }) {
  const { received, transport } = await mailServer()
  await sendAccountEmail(world.db, env, transport, { letter, ...who }, randomUUID())
  return Promise.all(received.map(({ source }) => readEmail(source)))
}
const asked = (person: Person, at: string | null) =>
  world.db
    .update(users)
    .set({ deletionRequestedAt: at === null ? null : new Date(at) })
    .where(eq(users.id, person.id))

test.each([
  ['second_factor_on', 'Activaste tu segundo factor', '/admin/account'],
  ['second_factor_off', 'Tu segundo factor está desactivado', '/recover-password'],
  ['recovery_codes_renewed', 'Tienes códigos de recuperación nuevos', '/recover-password'],
] as const)(
  '%s says to staff what changed, and what to do if another person did it',
  async (letter, subject, link) => {
    const person = await world.person({ kind: 'analyst', name: 'Ana' })
    const [read] = await sent(letter, { userId: person.id })
    expect(read).toMatchObject({ to: person.email, subject })
    expectWords(read!.text, 'Hola, Ana:', 'Si no fuiste tú', `http://carga.test${link}`)
  },
)

test('says the day of a requested deletion, and sends nothing that no longer holds', async () => {
  const person = await world.person()
  await asked(person, '2026-11-21T18:00:00Z')
  const [read] = await sent('deletion_asked', { userId: person.id })
  expect(read).toMatchObject({ to: person.email, subject: 'Vamos a eliminar tu cuenta' })
  expectWords(read!.text, 'el jueves 26 de noviembre de 2026', 'http://carga.test/cuenta')
  expect(await sent('deletion_taken_back', { userId: person.id })).toEqual([])
  await asked(person, null)
  expect(await sent('deletion_asked', { userId: person.id })).toEqual([])
  expect(await sent('deletion_taken_back', { userId: person.id })).toMatchObject([
    { subject: 'Conservamos tu cuenta' },
  ])
  expect(await sent('deletion_put_off', { userId: person.id })).toMatchObject([
    { subject: 'No eliminamos tu cuenta' },
  ])
})

test('sends the last e-mail to the address of the deleted account', async () => {
  const [read] = await sent('account_deleted', { email: 'borrada@prueba.mx' })
  expect(read).toMatchObject({ to: 'borrada@prueba.mx', subject: 'Eliminamos tu cuenta' })
  expectWords(read!.text, 'Hola:')
})
