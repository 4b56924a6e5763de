import { accounts, consents, users } from '../../src/platform/database/schema/accounts.ts'
import { accountOf, newEmail, password, readable, sessionsOf, signIn, signUp } from '../kit/accounts.ts'
import {
  eventsAbout,
  expectCount,
  expectNotOnPage,
  expectRowsIn,
  expectScreen,
  expectUser,
  fixture,
  inParallel,
  openBare,
  post,
  rowsWhere,
  runSql,
  setRow,
} from '../kit/open.ts'
import {
  expectAnswered,
  expectLocation,
  expectPage,
  expectStatus,
  expectWords,
  trailOf,
} from '../kit/reading.ts'
import { memberOf } from './own.ts'

openBare()

test('makes a signed-in customer without a name, with the terms accepted and the password hashed', async () => {
  const { answer, as } = await signUp(' Alguien.Nuevo@Prueba.MX ')
  expect([answer.status, answer.location]).toEqual([303, '/completion'])
  const { id: userId, ...user } = (await accountOf('alguien.nuevo@prueba.mx'))!
  const blank = { name: null, lastname: null, phone: null, kind: null, agencyId: null }
  expect(user).toMatchObject({ ...blank, role: 'customer', active: true, emailVerified: false })
  expect(user).toMatchObject({ termsVersion: '2025-01', termsAcceptedAt: expect.any(Date) })
  await expectRowsIn(consents, { userId }, [
    { kind: 'terms', given: true, version: '2025-01', source: 'signup' },
  ])
  expect(await sessionsOf(user.email)).toHaveLength(1)
  expect(await eventsAbout(userId)).toMatchObject([{ entity: 'user', name: 'sign_up', actorId: userId }])
  expectLocation(await fixture.data('/', as), '/completion')
  const [account] = await rowsWhere(accounts, { userId })
  expect(account).toMatchObject({ providerId: 'credential', accountId: userId })
  expect(account!.password).not.toContain(password)
})

// Fields that would give rights: test/security/staff.test.ts.
test("does not open the sign-in library's own addresses", async () => {
  const email = newEmail()
  const headers = { 'content-type': 'application/json' }
  for (const path of ['/session/sign-up/email', '/session/sign-in/email', '/api/auth/sign-up/email'])
    expect((await post(path, { email, password }, fixture.visitor(), { headers })).status).not.toBe(200)
  expect(await accountOf(email)).toBeUndefined()
})

// Each field: test/accounts/account.test.ts.
test('refuses a password of 65 characters with the message, and keeps the e-mail only', async () => {
  const email = 'larga@prueba.mx'
  const secret = 'x'.repeat(65)
  const answer = await post('/signup', { email, password: secret })
  expectPage(answer, 400, 'Usa como máximo 64 caracteres.', 'value="larga@prueba.mx"')
  expect(answer.text).not.toContain(secret)
  expect(answer.cookies).toEqual([])
  expect(await accountOf(email)).toBeUndefined()
})

test('refuses an e-mail with an account, and makes one account of three at once', async () => {
  const email = newEmail()
  const answers = await Promise.all([signUp(email), signUp(email), signUp(email)])
  expect(answers.map(({ answer }) => answer.status).sort()).toEqual([303, 409, 409])
  await expectCount(users, { email }, 1)
  const answer = await post('/signup', { email: email.toUpperCase(), password: 'otra-clave-larga' })
  expectPage(answer, 409, 'Ya hay una cuenta con este correo')
  expectWords(answer.text, 'href="/signin"', 'href="/recover-password"')
  expectLocation(await signIn(email), '/')
})

test('limits sign-ups per address to 30 an hour', async () => {
  const as = fixture.visitor()
  const { email } = await memberOf()
  expect((await signUp(email, as)).answer.status).toBe(409)
  await runSql`update limits set count = 30 where key like 'sign-up by address %'`
  expectPage((await signUp(email, as)).answer, 429, 'Demasiados intentos')
  expect((await signUp(email)).answer.status).toBe(409)
})

// Attempts per address: test/security/brute-force.test.ts.
let email: string
beforeAll(async () => {
  email = (await memberOf()).email
})

test('opens a session, whatever the case of the e-mail', async () => {
  const as = fixture.visitor()
  await expectAnswered(signIn(email.toUpperCase(), password, as), 303, '/')
  expectStatus(await fixture.data('/', as), 200)
})

test('lets a program without cookies leave the origin out', async () =>
  expectLocation(await post('/signin', { email, password }, fixture.visitor(), { origin: null }), '/'))

test('answers the same to a wrong password and to an unknown e-mail', async () => {
  const known = await signIn(email, 'equivocada')
  const unknown = await signIn('nadie@prueba.mx', 'equivocada')
  expectPage(known, 400, 'El correo o la contraseña no son correctos.')
  expectStatus(unknown, 400)
  expect(readable(unknown, 'nadie@prueba.mx')).toBe(readable(known, email))
  expect([...known.cookies, ...unknown.cookies]).toEqual([])
  expect(known.text).not.toContain('equivocada')
})

test('tells an inactive account so after the right password only, and opens no session', async () => {
  const gone = await memberOf()
  await setRow(users, gone, { active: false })
  const before = await sessionsOf(gone.email)
  expectPage(await signIn(gone.email), 403, 'Tu cuenta está inactiva')
  expect(await sessionsOf(gone.email)).toEqual(before)
  expectStatus(await signIn(gone.email, 'equivocada'), 400)
})

const form = { name: '  Ana   María ', lastname: 'López', phone: '+52 55 1234 5678' }
const newcomer = () => fixture.person({ name: null })

test('stores name, last name, phone and the time, and welcomes once', async () => {
  const person = await newcomer()
  await setRow(users, person, { createdAt: new Date(0) })
  await expectAnswered(post('/completion', form, person), 303, '/')
  const user = await accountOf(person.email)
  expect(user).toMatchObject({ name: 'Ana María', lastname: 'López', phone: '5512345678', version: 2 })
  expect(Date.now() - user!.createdAt.getTime()).toBeLessThan(60_000)
  await expectScreen('/', person, '¡Hola, Ana María!')
  await expectNotOnPage('/', person, '¡Hola, Ana')
})

test('happens once, also of three at the same time', async () => {
  const person = await newcomer()
  await inParallel(3, () => post('/completion', form, person))
  expect((await trailOf(fixture, person)).filter((name) => name === 'complete_profile')).toHaveLength(1)
  await expectAnswered(post('/completion', { ...form, name: 'Otra' }, person), 302, '/')
  await expectUser({ email: person.email }, { name: 'Ana María' })
})
