import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCode } from '../../src/server/accounts/letter-codes.ts'
import { openWorld, type World } from '../world.ts'
import { codeIn, letterBox, linkIn } from './letters.ts'
import { storiesIn } from './story.ts'

let world: World
let { signUp, userOf } = {} as ReturnType<typeof storiesIn>
beforeAll(async () => {
  world = await openWorld()
  ;({ signUp, userOf } = storiesIn(world))
})
afterAll(() => world.close())

const pathOf = (oobCode: string) => `/recover-password?mode=verifyEmail&oobCode=${oobCode}`
const apply = (oobCode: string, as = world.visitor()) =>
  world.post(pathOf(oobCode), { intent: 'prove', oobCode }, as)
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
    expect(page.status).toBe(200)
    expect(page.text).toContain('Confirmar mi correo')
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

test('signed out it ends at /signin with a toast', async () => {
  const { email } = await signUp()
  const visitor = world.visitor()
  const answer = await apply(await newCodeOf(email), visitor)
  expect(answer.location).toBe('/signin')
  expect((await world.visit('/signin', visitor)).text).toContain('Confirmamos tu correo')
})

test("somebody else's session neither hinders nor gains", async () => {
  const { email } = await signUp()
  const other = await world.person({ emailVerified: false })
  expect((await apply(await newCodeOf(email), other)).location).toBe('/')
  expect([await isProved(email), await isProved(other.email)]).toEqual([true, false])
  expect((await world.visit('/', other)).status).toBe(200)
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
      await apply(code)
      return code
    },
    expired: () => newCodeOf(email, new Date(Date.now() - 3_600_001)),
    forged: async () => 'x'.repeat(43),
  }
  const code = await codes[kind]!()
  const visitor = kind === 'forged' ? as : world.visitor()
  for (const answer of [await world.visit(pathOf(code), visitor), await apply(code, visitor)]) {
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(words)
    expect(answer.text).toContain('Enviar otra vez')
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

test('of two at once one proves, and the other says that it was used', async () => {
  const { email } = await signUp()
  const code = await newCodeOf(email)
  const answers = await Promise.all([apply(code), apply(code)])
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
  expect(await isProved(email)).toBe(true)
})
