import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeCode } from '../../src/server/accounts/letter-codes.ts'
import { letterCodes, users } from '../../src/server/platform/database/schema/accounts.ts'
import { events } from '../../src/server/platform/database/schema/projects.ts'
import { newEmail, password, readable, storiesIn } from '../kit/accounts.ts'
import { openBare, world } from '../kit/open.ts'
import { expectPage, rowsIn } from '../kit/reading.ts'
import { codeIn, letterBox, linkIn } from './letters.ts'

const chosen = 'otra-frase-larga'
openBare()
let { sessionsOf, signUp, userOf } = {} as ReturnType<typeof storiesIn>
beforeAll(async () => {
  ;({ sessionsOf, signUp, userOf } = storiesIn(world))
})

const pathOf = (oobCode: string) => `/recover-password?mode=resetPassword&oobCode=${oobCode}`
const choose = (oobCode: string, secret = chosen, as = world.visitor()) =>
  world.post(pathOf(oobCode), { intent: 'password', oobCode, password: secret }, as)
const ask = (email: string, as = world.visitor()) =>
  world.post('/recover-password', { intent: 'ask', email }, as)
const newCodeOf = async (email: string, now = new Date()) =>
  makeCode(world.db, 'reset_password', (await userOf(email))!.id, now)

test('a forgotten password: the letter, its link, the new password', async () => {
  const { delivered } = await letterBox(world)
  const { email, as } = await signUp()
  await delivered()
  const asked = await ask(email.toUpperCase())
  expect([asked.status, asked.location]).toEqual([303, '/recover-password?enviado'])
  expect((await world.visit(asked.location!)).text).toContain('Si hay una cuenta con ese correo')

  const letter = (await delivered()).at(-1)!
  expect(letter).toMatchObject({ to: email, subject: 'Cambia tu contraseña' })
  expect(letter.text).toContain('sirve una sola vez, durante una hora')
  expect(letter.source).toContain('text/html')
  const code = codeIn(letter)
  expect(code).toMatch(/^[\w-]{43}$/)
  const stored = await world.db.select().from(letterCodes)
  expect(JSON.stringify(stored)).not.toContain(code)

  // A mail scanner opens the link, also with HEAD, and uses nothing up.
  for (let n = 0; n < 3; n++) expect((await world.visit(linkIn(letter))).text).toContain(`Para ${email}`)
  const done = await choose(code)
  expect([done.status, done.location]).toEqual([303, '/signin'])
  expect(await sessionsOf(email)).toEqual([])
  expect((await world.visit('/', as)).location).toBe('/signin')
  expect((await world.post('/signin', { email, password })).status).toBe(400)
  expect((await world.post('/signin', { email, password: chosen })).location).toBe('/')
  // Whoever read the letter has the mailbox.
  expect(await userOf(email)).toMatchObject({ emailVerified: true })
  expect((await delivered()).at(-1)).toMatchObject({ to: email, subject: 'Tu contraseña cambió' })
  const trail = await rowsIn(world, events, { entityId: (await userOf(email))!.id })
  expect(trail.map(({ name }) => name)).toContain('reset_password')
})

test('an account that we made for a caller: its first password accepts the terms, as a sign-up does', async () => {
  const { id, email } = await world.person()
  await world.db.update(users).set({ termsVersion: null, termsAcceptedAt: null }).where(eq(users.id, id))
  const accepted = async () => {
    const { termsVersion, termsAcceptedAt } = (await userOf(email))!
    return { termsVersion, termsAcceptedAt }
  }
  const oobCode = await newCodeOf(email)
  const page = await world.visit(pathOf(oobCode))
  expect(readable(page, email)).toContain('>aviso de privacidad</a>.')
  expect(await accepted()).toEqual({ termsVersion: null, termsAcceptedAt: null })
  expect((await choose(oobCode)).status).toBe(303)
  const first = await accepted()
  expect(first).toEqual({ termsVersion: '2025-01', termsAcceptedAt: expect.any(Date) })
  // Once is enough, and the first time is the one that counts.
  const again = await newCodeOf(email)
  expect(readable(await world.visit(pathOf(again)), email)).not.toContain('aviso de privacidad</a>.')
  expect((await choose(again)).status).toBe(303)
  expect(await accepted()).toEqual(first)
})

test('the answer is the same for an e-mail nobody has, and no letter leaves', async () => {
  const { delivered } = await letterBox(world)
  const { email } = await signUp()
  const before = (await delivered()).length
  const unknown = newEmail()
  const [known, stranger] = [await ask(email), await ask(unknown)]
  expect(stranger.status).toBe(known.status)
  expect(stranger.location).toBe(known.location)
  expect([...known.cookies, ...stranger.cookies]).toEqual([])
  expect(readable(stranger, unknown)).toBe(readable(known, email))
  expect((await delivered()).slice(before).map(({ to }) => to)).toEqual([email])
})

test('somebody inactive gets no letter, and is not told so', async () => {
  const { delivered } = await letterBox(world)
  const { email } = await signUp()
  const before = (await delivered()).length
  await world.db.update(users).set({ active: false }).where(eq(users.email, email))
  expect((await ask(email)).location).toBe('/recover-password?enviado')
  expect(await delivered()).toHaveLength(before)
})

test('five letters an hour for one account, known or not, from wherever they are asked', async () => {
  for (const email of [(await signUp()).email, newEmail()]) {
    for (let n = 0; n < 5; n++) expect((await ask(email)).status).toBe(303)
    const refused = await ask(email)
    expect(refused.status).toBe(429)
    expect(refused.text).toMatch(/Espera \d+ minutos/)
  }
})

test.each([
  ['', 'Escribe tu correo electrónico.'],
  ['nadie', 'Escribe un correo válido'],
])('asked for %o it says what is wrong under the field', async (email, message) => {
  const answer = await ask(email)
  expectPage(answer, 400, message)
})

describe('a link serves once, for an hour, and only as it was written', () => {
  test.each([
    ['used', 'Este enlace ya se usó', 409],
    ['expired', 'Este enlace venció', 409],
    ['forged', 'Este enlace no es válido', 400],
    ['of another kind', 'Este enlace no es válido', 400],
    ['empty', 'Este enlace no es válido', 400],
  ])('%s', async (kind, words, status) => {
    const { email } = await signUp()
    const { id } = (await userOf(email))!
    const codes: Record<string, () => Promise<string>> = {
      used: async () => {
        const code = await newCodeOf(email)
        await choose(code, 'primera-frase-larga')
        return code
      },
      expired: () => newCodeOf(email, new Date(Date.now() - 3_600_001)),
      forged: async () => `${(await newCodeOf(email)).slice(0, -1)}~`,
      'of another kind': () => makeCode(world.db, 'verify_email', id, new Date()),
      empty: async () => '',
    }
    const code = await codes[kind]!()
    for (const answer of [await world.visit(pathOf(code)), await choose(code)]) {
      expect(answer.status).toBe(status)
      expect(answer.text).toContain(words)
      // The way to a new letter.
      expect(answer.text).toContain('Enviar enlace')
    }
    expect((await world.post('/signin', { email, password: chosen })).status).toBe(400)
  })

  test('of two at once one changes the password', async () => {
    const { email } = await signUp()
    const code = await newCodeOf(email)
    const answers = await Promise.all(
      ['primera-frase', 'segunda-frase'].map((secret) => choose(code, secret)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
    const winner = answers[0]!.status === 303 ? 'primera-frase' : 'segunda-frase'
    expect((await world.post('/signin', { email, password: winner })).location).toBe('/')
  })

  test('a new password takes the other letters with it', async () => {
    const { email } = await signUp()
    const [first, second] = [await newCodeOf(email), await newCodeOf(email)]
    expect((await choose(second)).status).toBe(303)
    expect((await choose(first, 'la-del-ladron')).text).toContain('Este enlace ya se usó')
  })

  test('a password that will not do leaves the code good', async () => {
    const { email } = await signUp()
    const code = await newCodeOf(email)
    const answer = await choose(code, 'corta')
    expectPage(answer, 400, 'Usa al menos 8 caracteres.', `Para ${email}`)
    expect((await choose(code)).status).toBe(303)
  })
})

describe('opened under a session', () => {
  test('a link to a new password ends it first', async () => {
    const { email, as } = await signUp()
    const path = pathOf(await newCodeOf(email))
    const answer = await world.visit(path, as)
    expect([answer.status, answer.location]).toEqual([302, path])
    expect(await sessionsOf(email)).toEqual([])
    expect((await world.visit(path, as)).text).toContain('Elige tu contraseña nueva')
  })

  test('one that serves no more ends nothing, and says so at home', async () => {
    const person = await world.person()
    const answer = await world.visit(pathOf('nada'), person)
    expect(answer.location).toBe('/')
    const home = await world.visit('/', person)
    expectPage(home, 200, 'Este enlace no es válido')
  })

  test('the rest of the screen is for the signed out', async () => {
    const person = await world.person()
    for (const path of ['/recover-password', '/recover-password?mode=otro&oobCode=x'])
      expect((await world.visit(path, person)).location).toBe('/')
  })

  test("somebody else's new password ends this session too", async () => {
    const { email } = await signUp()
    const person = await world.person()
    expect((await choose(await newCodeOf(email), chosen, person)).location).toBe('/signin')
    expect((await world.visit('/', person)).location).toBe('/signin')
  })
})
