import { beforeAll, expect, test } from 'vitest'
import { blockDue } from '../../src/server/accounts/deletion.ts'
import { makeCode } from '../../src/server/accounts/letter-codes.ts'
import { type Connection, openDatabase } from '../../src/server/platform/database/client.ts'
import { accounts, users } from '../../src/server/platform/database/schema/accounts.ts'
import { appointments } from '../../src/server/platform/database/schema/appointments.ts'
import { password, storiesIn } from '../kit/accounts.ts'
import { storeVisit } from '../kit/appointments.ts'
import { openBare, world } from '../kit/open.ts'
import { secret } from '../kit/people.ts'
import { expectPage, expectWords, rowsIn } from '../kit/reading.ts'
import type { Visitor } from '../kit/visitor.ts'
import { codeIn, letterBox, linkIn } from './letters.ts'

const day = 24 * 60 * 60 * 1000

openBare()
let { signUp, userOf } = {} as ReturnType<typeof storiesIn>
beforeAll(async () => {
  ;({ signUp, userOf } = storiesIn(world))
})

const pathOf = (oobCode: string) => `/recover-password?mode=verifyEmail&oobCode=${oobCode}`
const apply = (oobCode: string, as = world.visitor()) =>
  world.post(pathOf(oobCode), { intent: 'prove', oobCode }, as)
const as = (intent: string) => (oobCode: string, typed: string, visitor: Visitor) =>
  world.post(pathOf(oobCode), { intent, oobCode, password: typed }, visitor)
const byPassword = as('prove-by-password')
const byNew = as('prove-by-new')
const disown = (oobCode: string) => world.post(pathOf(oobCode), { intent: 'disown', oobCode })
const newCodeOf = async (email: string, now = new Date()) =>
  makeCode(world.db, 'verify_email', (await userOf(email))!.id, now)
const isProved = async (email: string) => (await userOf(email))!.emailVerified

test('signing up sends the letter; its button proves the mailbox, and nothing else does', async () => {
  const { delivered } = await letterBox(world)
  const { email, as } = await signUp()
  const letter = (await delivered()).at(-1)!
  expect(letter).toMatchObject({ to: email, subject: 'Confirma tu correo' })
  expect(letter.text).toContain('Hola:')
  for (const visitor of [world.visitor(), as]) {
    const page = await world.visit(linkIn(letter), visitor)
    expectPage(page, 200, 'Confirmar mi correo')
  }
  expect(await isProved(email)).toBe(false)
  // Signed in without a name yet: the button still works, and home leads on to the profile.
  const answer = await apply(codeIn(letter), as)
  expect([answer.status, answer.location]).toEqual([303, '/'])
  expect(await isProved(email)).toBe(true)
  const home = await world.visit('/', as)
  expect(home.location).toBe('/completion')
  expect((await world.visit('/completion', as)).text).toContain('Confirmamos tu correo')
})

test('without a session of the account the button proves nothing: signed out, under another’s session, by a script', async () => {
  const { email } = await signUp()
  const other = await world.person({ emailVerified: false })
  const code = await newCodeOf(email)
  for (const visitor of [world.visitor(), other]) {
    const answer = await apply(code, visitor)
    expectPage(answer, 409, 'Falta tu contraseña')
    const script = await world.send('/v1/session/apply-action-code', visitor, {
      method: 'POST',
      body: JSON.stringify({ oobCode: code }),
      headers: { 'content-type': 'application/json', origin: 'http://carga.test' },
    })
    expect(script.status).toBe(409)
  }
  expect([await isProved(email), await isProved(other.email)]).toEqual([false, false])
  expect((await world.visit(pathOf(code))).text).toContain('Tu contraseña')
})

test('the account’s own password proves it and signs in; another does neither', async () => {
  const { email, as: first } = await signUp()
  const [code, as] = [await newCodeOf(email), world.visitor()]
  const wrong = await byPassword(code, 'no-es-la-clave', as)
  expectPage(wrong, 400, 'no son correctos')
  expect(await isProved(email)).toBe(false)
  expect((await byPassword(code, password, as)).location).toBe('/')
  expect(await isProved(email)).toBe(true)
  expect((await world.visit('/completion', as)).text).toContain('Confirmamos tu correo')
  // Whoever knows the password is who opened the account: where they were signed in they stay so.
  expect((await world.visit('/completion', first)).status).toBe(200)
})

test('a new password makes the account theirs who hold the mailbox: nobody of before gets in', async () => {
  const { email, as: stranger } = await signUp()
  const { id } = (await userOf(email))!
  await world.db.insert(accounts).values({ userId: id, accountId: 'ajeno', providerId: 'oidc' })
  const [code, as] = [await newCodeOf(email), world.visitor()]
  expect((await byNew(code, 'corta', as)).text).toContain('Usa al menos 8 caracteres.')
  expect((await byNew(code, 'la-mia-de-verdad', as)).location).toBe('/signin')
  expect(await isProved(email)).toBe(true)
  expect((await world.visit('/completion', stranger)).location).toBe('/signin')
  expect((await world.post('/signin', { email, password })).status).toBe(400)
  expect((await world.post('/signin', { email, password: 'la-mia-de-verdad' })).location).toBe('/')
  const ways = await rowsIn(world, accounts, { userId: id })
  expect(ways.map(({ providerId }) => providerId)).toEqual(['credential'])
  expect((await byNew(code, 'otra-vez-la-mia', as)).text).toContain('Este enlace ya se usó')
})

test('the letter for a new password ends a provider’s link of before the proof too, and keeps one of after', async () => {
  const { email } = await signUp()
  const { id } = (await userOf(email))!
  const links = async () => {
    const ways = await rowsIn(world, accounts, { userId: id })
    return ways.filter(({ providerId }) => providerId === 'oidc').length
  }
  const recover = async () => {
    const oobCode = await makeCode(world.db, 'reset_password', id, new Date())
    const form = { intent: 'password', oobCode, password: 'recuperada-y-larga' }
    return world.post(`/recover-password?mode=resetPassword&oobCode=${oobCode}`, form)
  }
  await world.db.insert(accounts).values({ userId: id, accountId: 'ajeno', providerId: 'oidc' })
  expect((await recover()).status).toBe(303)
  expect(await links()).toBe(0)
  await world.db.insert(accounts).values({ userId: id, accountId: 'propio', providerId: 'oidc' })
  expect((await recover()).status).toBe(303)
  expect(await links()).toBe(1)
})

test('«no fui yo» deletes the account: nobody gets in, its visit is let go and its person told, the mailbox is free', async () => {
  const { email, as: stranger } = await signUp()
  await world.post('/completion', { name: 'Ajena', lastname: 'Persona', phone: '5511112222' }, stranger)
  const user = (await userOf(email))!
  const technician = await world.person({ kind: 'tecnician' })
  const home = await world.home({ ...stranger, ...user } as never)
  const visit = await storeVisit(world, user as never, home, new Date(Date.now() + 3 * day), {
    assigneeId: technician.id,
    state: 'assigned',
    confirmedAt: new Date(),
  })
  const code = await newCodeOf(email)
  const page = await world.visit(pathOf(code))
  expect(page.text).toContain('No fui yo')
  const answers = await Promise.all([disown(code), disown(code)])
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
  expect((await world.visit('/', stranger)).location).toBe('/signin')
  expect((await world.post('/signin', { email, password })).status).toBe(400)
  expect(await userOf(email)).toBeUndefined()
  const [row] = await rowsIn(world, appointments, { id: visit.id })
  expect(row).toMatchObject({ state: 'cancelled' })
  const { rows } = await world.db.$client.query(
    `select data->>'to' as to from pgboss.job where name = 'letter' and data->>'appointmentId' = $1`,
    [visit.id],
  )
  expect(rows).toEqual([{ to: 'person' }])
  // The job that it asks for erases the rest, without the days of waiting.
  const { host, user: role, database } = world.db.$client.options
  const db = openDatabase({ host, user: role, database } as Connection, 2)
  await blockDue(db, secret, new Date())
  await db.$client.end()
  const [gone] = await rowsIn(world, users, { id: user.id })
  expect(gone).toMatchObject({ name: null, phone: null, active: false, deletedAt: expect.any(Date) })
  expect((await signUp(email)).answer.location).toBe('/completion')
})

test('«no fui yo» is refused where work was done: people settle that', async () => {
  const { email, as } = await signUp()
  const user = (await userOf(email))!
  const home = await world.home({ ...as, ...user } as never)
  await storeVisit(world, user as never, home, new Date(Date.now() - day), { state: 'done' })
  const answer = await disown(await newCodeOf(email))
  expectPage(answer, 409, 'Pide ayuda')
  expect(await userOf(email)).toMatchObject({ active: true })
})

test.each([
  ['used', 'Este enlace ya se usó', 409],
  ['expired', 'Este enlace venció', 409],
  ['forged', 'Este enlace no es válido', 400],
])('%s: which of the three, and the way to a new letter', async (kind, words, status) => {
  const { delivered } = await letterBox(world)
  const { email, as } = await signUp()
  const person = (await userOf(email))!
  const codes: Record<string, () => Promise<string>> = {
    used: async () => {
      const code = await newCodeOf(email)
      await apply(code, as)
      return code
    },
    expired: () => newCodeOf(email, new Date(Date.now() - 3_600_001)),
    forged: async () => 'x'.repeat(43),
  }
  const code = await codes[kind]!()
  const visitor = kind === 'forged' ? as : world.visitor()
  for (const answer of [await world.visit(pathOf(code), visitor), await apply(code, visitor)]) {
    expect(answer.status).toBe(status)
    expectWords(answer.text, words, 'Enviar otra vez')
  }
  await delivered()
  const again = await world.post(
    '/recover-password?mode=verifyEmail',
    { intent: 'resend', oobCode: code },
    visitor,
  )
  expect(again.status).toBe(303)
  // To a mailbox that was proved meanwhile nothing goes, and nobody is told that it does.
  const told = kind === 'used' ? 'Tu correo ya está confirmado' : 'Te mandamos otro correo'
  expect((await world.visit(kind === 'forged' ? '/completion' : again.location!, visitor)).text).toContain(
    told,
  )
  const letters = await delivered()
  expect(letters.filter(({ to }) => to === person.email)).toHaveLength(kind === 'used' ? 0 : 2)
})

test('signed out, a forged code sends nobody a letter', async () => {
  const page = await world.visit(pathOf('x'))
  expect(page.text).not.toContain('Enviar otra vez')
  expect(page.text).toContain('inicia sesión')
  const answer = await world.post('/recover-password?mode=verifyEmail', { intent: 'resend', oobCode: 'x' })
  expect(answer.status).toBe(401)
})

test('whoever is proved already goes home with the words', async () => {
  const person = await world.person()
  expect((await world.visit(pathOf('x'), person)).location).toBe('/')
  expect((await world.visit('/', person)).text).toContain('Tu correo ya está confirmado')
  const again = await world.post('/recover-password?mode=verifyEmail', { intent: 'resend' }, person)
  expect(again.location).toBe('/')
})

test('of two tabs at once one proves, and the other says that it was used, or goes home', async () => {
  const { email, as } = await signUp()
  const code = await newCodeOf(email)
  const answers = await Promise.all([apply(code, as), apply(code, as)])
  // A second one that comes after the first was done finds a proved person, who goes home.
  expect([
    [303, 303],
    [303, 409],
  ]).toContainEqual(answers.map(({ status }) => status).sort())
  expect(await isProved(email)).toBe(true)
})
