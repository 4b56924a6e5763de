import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { password, readable, sessionsOf, signIn } from '../kit/accounts.ts'
import { openBare, world } from '../kit/open.ts'
import { expectLocation, expectPage, expectStatus } from '../kit/reading.ts'
import { memberOf } from './own.ts'

// Attempts per address: test/security/brute-force.test.ts.
openBare()
let email: string
beforeAll(async () => {
  email = (await memberOf(world)).email
})

test('opens a session, whatever the case of the e-mail', async () => {
  const as = world.visitor()
  const answer = await signIn(email.toUpperCase(), password, as)
  expect([answer.status, answer.location]).toEqual([303, '/'])
  expectStatus(await world.data('/', as), 200)
})

test('lets a program without cookies leave the origin out', async () => {
  expectLocation(await world.post('/signin', { email, password }, world.visitor(), { origin: null }), '/')
})

test('answers the same to a wrong password and to an unknown e-mail', async () => {
  const known = await signIn(email, 'equivocada')
  const unknown = await signIn('nadie@prueba.mx', 'equivocada')
  expectPage(known, 400, 'El correo o la contraseña no son correctos.')
  expectStatus(unknown, 400)
  expect(readable(unknown, 'nadie@prueba.mx')).toBe(readable(known, email))
  expect([...known.cookies, ...unknown.cookies]).toEqual([])
  expect(known.text).not.toContain('equivocada')
})

test('asks for a missing password', async () =>
  expectPage(await signIn(email, ''), 400, 'Escribe tu contraseña.'))

test('tells an inactive account so after the right password only, and opens no session', async () => {
  const gone = await memberOf(world)
  await world.db.update(users).set({ active: false }).where(eq(users.id, gone.id))
  const before = await sessionsOf(gone.email)
  expectPage(await signIn(gone.email), 403, 'Tu cuenta está inactiva')
  expect(await sessionsOf(gone.email)).toEqual(before)
  expectStatus(await signIn(gone.email, 'equivocada'), 400)
})
