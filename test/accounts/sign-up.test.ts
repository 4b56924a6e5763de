import { beforeAll, expect, test } from 'vitest'
import { accounts, users } from '../../src/server/platform/database/schema/accounts.ts'
import { events } from '../../src/server/platform/database/schema/projects.ts'
import { newEmail, password, storiesIn } from '../kit/accounts.ts'
import { openBare, world } from '../kit/open.ts'
import { expectPage, rowsIn } from '../kit/reading.ts'

openBare()
let { userOf, sessionsOf, signUp } = {} as ReturnType<typeof storiesIn>
beforeAll(async () => {
  ;({ userOf, sessionsOf, signUp } = storiesIn(world))
})

test('makes a customer without a name, signed in, on the way to the profile', async () => {
  const { answer, as, email } = await signUp(' Alguien.Nuevo@Prueba.MX ')
  expect([answer.status, answer.location]).toEqual([303, '/completion'])
  const user = await userOf(email.trim().toLowerCase())
  const blank = { name: null, lastname: null, phone: null, kind: null, agencyId: null }
  expect(user).toMatchObject({ ...blank, role: 'customer', active: true, emailVerified: false })
  expect(user).toMatchObject({ termsVersion: '2025-01', termsAcceptedAt: expect.any(Date) })
  expect(await sessionsOf('alguien.nuevo@prueba.mx')).toHaveLength(1)
  const trail = await rowsIn(world, events, { entityId: user!.id })
  expect(trail).toMatchObject([{ entity: 'user', name: 'sign_up', actorId: user!.id }])
  expect((await world.visit('/', as)).location).toBe('/completion')
})

test('keeps no password that could be read', async () => {
  const { email } = await signUp()
  const user = await userOf(email)
  const [account] = await rowsIn(world, accounts, { userId: user!.id })
  expect(account).toMatchObject({ providerId: 'credential', accountId: user!.id })
  expect(account!.password).not.toContain(password)
})

test('nobody makes themselves staff, verified, inactive or somebody else', async () => {
  const email = newEmail()
  const id = '00000000-0000-7000-8000-000000000001'
  const more = { role: 'staff', kind: 'manager', active: 'false', emailVerified: 'true', id, name: 'X' }
  await world.post('/signup', { email, password, ...more })
  const made = { role: 'customer', kind: null, active: true, emailVerified: false, name: null }
  const user = await userOf(email)
  expect(user).toMatchObject(made)
  expect(user!.id).not.toBe(id)
})

test("the sign-in library's own addresses are not open", async () => {
  const email = newEmail()
  const headers = { 'content-type': 'application/json' }
  for (const path of ['/session/sign-up/email', '/session/sign-in/email', '/api/auth/sign-up/email'])
    expect((await world.post(path, { email, password }, world.visitor(), { headers })).status).not.toBe(200)
  expect(await userOf(email)).toBeUndefined()
})

test.each([
  ['', password, 'Escribe tu correo electrónico.'],
  ['no-es-correo', password, 'Escribe un correo válido'],
  ['corta@prueba.mx', '1234567', 'Usa al menos 8 caracteres.'],
  ['larga@prueba.mx', 'x'.repeat(65), 'Usa como máximo 64 caracteres.'],
])('refuses %o with the message under its field', async (email, secret, message) => {
  const answer = await world.post('/signup', { email, password: secret })
  expectPage(answer, 400, message, `value="${email}"`)
  expect(answer.text).not.toContain(secret)
  expect(answer.cookies).toEqual([])
  expect(await userOf(email)).toBeUndefined()
})

test('takes 8 and 64 characters', async () => {
  for (const length of [8, 64]) {
    const [email, secret] = [newEmail(), 'ñandú y Ñ'.padEnd(length, 'áéí').slice(0, length)]
    expect((await world.post('/signup', { email, password: secret })).location).toBe('/completion')
    expect((await world.post('/signin', { email, password: secret })).location).toBe('/')
  }
})

test('says so when the e-mail has an account, and changes nothing', async () => {
  const { email } = await signUp()
  const answer = await world.post('/signup', { email: email.toUpperCase(), password: 'otra-clave-larga' })
  expectPage(answer, 409, 'Ya hay una cuenta con este correo')
  for (const way of ['/signin', '/recover-password']) expect(answer.text).toContain(`href="${way}"`)
  expect((await world.post('/signin', { email, password })).location).toBe('/')
})

test('two at once with one e-mail make one account', async () => {
  const email = newEmail()
  const answers = await Promise.all([signUp(email), signUp(email), signUp(email)])
  const statuses = answers.map(({ answer }) => answer.status).sort()
  expect(statuses).toEqual([303, 409, 409])
  expect(await rowsIn(world, users, { email })).toHaveLength(1)
})

test('ten an hour from one address', async () => {
  const as = world.visitor()
  const { email } = await signUp()
  const again = () => world.post('/signup', { email, password }, as)
  for (let n = 0; n < 10; n++) expect((await again()).status).toBe(409)
  const refused = await again()
  expectPage(refused, 429, 'Demasiados intentos')
  expect((await world.post('/signup', { email, password })).status).toBe(409)
})
