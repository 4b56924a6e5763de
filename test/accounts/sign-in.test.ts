import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { newEmail, password, readable, storiesIn } from '../kit/accounts.ts'
import { openBare, realClockAfterEach, world } from '../kit/open.ts'
import { expectPage } from '../kit/reading.ts'

openBare()
let { sessionsOf, signUp } = {} as ReturnType<typeof storiesIn>
beforeAll(async () => {
  ;({ sessionsOf, signUp } = storiesIn(world))
})
realClockAfterEach()

let email: string
beforeAll(async () => {
  email = (await signUp()).email
  await world.db.update(users).set({ name: 'Ana', lastname: 'Prueba' }).where(eq(users.email, email))
})

test('opens a session, whatever the case of the e-mail', async () => {
  const as = world.visitor()
  const answer = await world.post('/signin', { email: email.toUpperCase(), password }, as)
  expect([answer.status, answer.location]).toEqual([303, '/'])
  expect((await world.visit('/', as)).status).toBe(200)
})

test.each([
  ['/technics-visit?x=1', '/technics-visit?x=1'],
  ['https://evil.example/', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['javascript:alert(1)', '/'],
])('going to %o ends at %o', async (next, location) => {
  expect((await world.post('/signin', { email, password, next })).location).toBe(location)
})

test('answers the same to a wrong password and to an unknown e-mail', async () => {
  const [known, unknown] = [
    await world.post('/signin', { email, password: 'equivocada' }),
    await world.post('/signin', { email: 'nadie@prueba.mx', password: 'equivocada' }),
  ]
  expect(known.status).toBe(400)
  expect(unknown.status).toBe(known.status)
  expect(readable(known, email)).toContain('El correo o la contraseña no son correctos.')
  expect(readable(unknown, 'nadie@prueba.mx')).toBe(readable(known, email))
  expect([...known.cookies, ...unknown.cookies]).toEqual([])
  expect(known.text).not.toContain('equivocada')
})

test('asks for what is missing', async () => {
  const answer = await world.post('/signin', { email, password: '' })
  expectPage(answer, 400, 'Escribe tu contraseña.')
})

test('an inactive person gets in no more, and is told', async () => {
  const { email: gone } = await signUp()
  await world.db.update(users).set({ active: false }).where(eq(users.email, gone))
  const before = await sessionsOf(gone)
  const answer = await world.post('/signin', { email: gone, password })
  expectPage(answer, 403, 'Tu cuenta está inactiva')
  expect(await sessionsOf(gone)).toEqual(before)
  expect((await world.post('/signin', { email: gone, password: 'equivocada' })).status).toBe(400)
})

test('ten tries a minute from one address, with words in Spanish, also when all come at once', async () => {
  const as = world.visitor()
  const wrong = () => world.post('/signin', { email: newEmail(), password: 'equivocada' }, as)
  const answers = await Promise.all(Array.from({ length: 14 }, wrong))
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
  const refused = await world.post('/signin', { email, password }, as)
  expectPage(refused, 429, 'Demasiados intentos')
  expect(refused.text).toMatch(/Espera \d+ segundos/)
  expect((await world.post('/signin', { email, password })).location).toBe('/')
  world.at(new Date(Date.now() + 61_000))
  expect((await world.post('/signin', { email, password }, as)).location).toBe('/')
})

test('a header cannot move a visitor to another address', async () => {
  const as = world.visitor()
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) {
    const headers = { 'x-forwarded-for': `192.0.2.${n}`, 'x-real-ip': `192.0.2.${n}` }
    const answer = await world.post('/signin', { email: newEmail(), password: 'equivocada' }, as, {
      headers,
    })
    statuses.push(answer.status)
  }
  expect(statuses.at(-1)).toBe(429)
})
