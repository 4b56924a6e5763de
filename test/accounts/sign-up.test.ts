import { expect, test } from 'vitest'
import { accounts, consents, users } from '../../src/server/platform/database/schema/accounts.ts'
import { accountOf, newEmail, password, sessionsOf, signIn, signUp } from '../kit/accounts.ts'
import { openBare, world } from '../kit/open.ts'
import { eventsOf, expectLocation, expectPage, expectWords, rowsIn } from '../kit/reading.ts'
import { memberOf } from './own.ts'

openBare()

test('makes a signed-in customer without a name, with the terms accepted and the password hashed', async () => {
  const { answer, as } = await signUp(' Alguien.Nuevo@Prueba.MX ')
  expect([answer.status, answer.location]).toEqual([303, '/completion'])
  const { id: userId, ...user } = (await accountOf('alguien.nuevo@prueba.mx'))!
  const blank = { name: null, lastname: null, phone: null, kind: null, agencyId: null }
  expect(user).toMatchObject({ ...blank, role: 'customer', active: true, emailVerified: false })
  expect(user).toMatchObject({ termsVersion: '2025-01', termsAcceptedAt: expect.any(Date) })
  expect(await rowsIn(world, consents, { userId })).toMatchObject([
    { kind: 'terms', given: true, version: '2025-01', source: 'signup' },
  ])
  expect(await sessionsOf(user.email)).toHaveLength(1)
  expect(await eventsOf(world, userId)).toMatchObject([{ entity: 'user', name: 'sign_up', actorId: userId }])
  expectLocation(await world.data('/', as), '/completion')
  const [account] = await rowsIn(world, accounts, { userId })
  expect(account).toMatchObject({ providerId: 'credential', accountId: userId })
  expect(account!.password).not.toContain(password)
})

// Fields that would give rights: test/security/staff.test.ts.
test("does not open the sign-in library's own addresses", async () => {
  const email = newEmail()
  const headers = { 'content-type': 'application/json' }
  for (const path of ['/session/sign-up/email', '/session/sign-in/email', '/api/auth/sign-up/email'])
    expect((await world.post(path, { email, password }, world.visitor(), { headers })).status).not.toBe(200)
  expect(await accountOf(email)).toBeUndefined()
})

test.each([
  ['', password, 'Escribe tu correo electrónico.'],
  ['larga@prueba.mx', 'x'.repeat(65), 'Usa como máximo 64 caracteres.'],
])('refuses %o with the message under its field', async (email, secret, message) => {
  const answer = await world.post('/signup', { email, password: secret })
  expectPage(answer, 400, message, `value="${email}"`)
  expect(answer.text).not.toContain(secret)
  expect(answer.cookies).toEqual([])
  expect(await accountOf(email)).toBeUndefined()
})

test('accepts passwords of 8 and of 64 characters', async () => {
  for (const length of [8, 64]) {
    const email = newEmail()
    const secret = 'ñandú y Ñ'.padEnd(length, 'áéí').slice(0, length)
    expectLocation(await world.post('/signup', { email, password: secret }), '/completion')
    expectLocation(await signIn(email, secret), '/')
  }
})

test('refuses an e-mail with an account, and makes one account of three at once', async () => {
  const email = newEmail()
  const answers = await Promise.all([signUp(email), signUp(email), signUp(email)])
  expect(answers.map(({ answer }) => answer.status).sort()).toEqual([303, 409, 409])
  expect(await rowsIn(world, users, { email })).toHaveLength(1)
  const answer = await world.post('/signup', { email: email.toUpperCase(), password: 'otra-clave-larga' })
  expectPage(answer, 409, 'Ya hay una cuenta con este correo')
  expectWords(answer.text, 'href="/signin"', 'href="/recover-password"')
  expectLocation(await signIn(email), '/')
})

test('limits sign-ups per address to 10 an hour', async () => {
  const as = world.visitor()
  const { email } = await memberOf(world)
  for (let n = 0; n < 10; n++) expect((await signUp(email, as)).answer.status).toBe(409)
  expectPage((await signUp(email, as)).answer, 429, 'Demasiados intentos')
  expect((await signUp(email)).answer.status).toBe(409)
})
