import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeCode } from '../../src/server/accounts/letter-codes.ts'
import { letterCodes, users } from '../../src/server/platform/database/schema/accounts.ts'
import {
  accountOf,
  choosePassword,
  newEmail,
  readable,
  resetCodeOf,
  resetPath,
  sessionsOf,
  signIn,
} from '../kit/accounts.ts'
import { expectLed, expectScreen, expectUser, openBare, world } from '../kit/open.ts'
import {
  expectLocation,
  expectPage,
  expectStatus,
  expectStatuses,
  expectWords,
  trailOf,
} from '../kit/reading.ts'
import { codeIn, letterBox, linkIn } from './letters.ts'
import { memberOf } from './own.ts'

const chosen = 'otra-frase-larga'
openBare()

const ask = (email: string) => world.post('/recover-password', { intent: 'ask', email })

test('a forgotten password: the e-mail, its link, the new password', async () => {
  const { delivered } = await letterBox(world)
  const person = await memberOf(world, { emailVerified: false })
  const { email } = person
  const asked = await ask(email.toUpperCase())
  expect([asked.status, asked.location]).toEqual([303, '/recover-password?enviado'])
  await expectScreen(asked.location!, undefined, 'Si hay una cuenta con ese correo')

  const letter = (await delivered()).at(-1)!
  expect(letter).toMatchObject({ to: email, subject: 'Cambia tu contraseña' })
  expectWords(letter.text, 'sirve una sola vez, durante una hora')
  expect(letter.source).toContain('text/html')
  const code = codeIn(letter)
  expect(code).toMatch(/^[\w-]{43}$/)
  expect(JSON.stringify(await world.db.select().from(letterCodes))).not.toContain(code)

  // A mail scanner that opens the link uses nothing up.
  for (let n = 0; n < 2; n++) await expectScreen(linkIn(letter), undefined, `Para ${email}`)
  const done = await choosePassword(code, chosen)
  expect([done.status, done.location]).toEqual([303, '/signin'])
  expect(await sessionsOf(email)).toEqual([])
  await expectLed('/', person, '/signin')
  expectStatus(await signIn(email), 400)
  expectLocation(await signIn(email, chosen), '/')
  await expectUser({ email }, { emailVerified: true })
  expect((await delivered()).at(-1)).toMatchObject({ to: email, subject: 'Tu contraseña cambió' })
  expect(await trailOf(world, person)).toContain('reset_password')
})

test('the first password of an account made for a caller accepts the terms, once', async () => {
  const person = await world.person()
  const { email, id } = person
  await world.db.update(users).set({ termsVersion: null, termsAcceptedAt: null }).where(eq(users.id, id))
  const accepted = async () => {
    const { termsVersion, termsAcceptedAt } = (await accountOf(email))!
    return { termsVersion, termsAcceptedAt }
  }
  const notice = 'aviso de privacidad</a>.'
  const code = await resetCodeOf(person)
  await expectScreen(resetPath(code), undefined, notice)
  expect(await accepted()).toEqual({ termsVersion: null, termsAcceptedAt: null })
  expectStatus(await choosePassword(code, chosen), 303)
  const first = await accepted()
  expect(first).toEqual({ termsVersion: '2025-01', termsAcceptedAt: expect.any(Date) })
  const again = await resetCodeOf(person)
  expect((await world.visit(resetPath(again))).text).not.toContain(notice)
  expectStatus(await choosePassword(again, chosen), 303)
  expect(await accepted()).toEqual(first)
})

test('answers an unknown e-mail and an inactive account the same, and sends them nothing', async () => {
  const { delivered } = await letterBox(world)
  const { email } = await world.person()
  const inactive = await world.person({ active: false })
  const known = await ask(email)
  for (const other of [newEmail(), inactive.email]) {
    const answer = await ask(other)
    expect([answer.status, answer.location]).toEqual([known.status, known.location])
    expect([...known.cookies, ...answer.cookies]).toEqual([])
    expect(readable(answer, other)).toBe(readable(known, email))
  }
  const sent = (await delivered()).map(({ to }) => to)
  expect(sent).toContain(email)
  expect(sent).not.toContain(inactive.email)
})

test('refuses an invalid e-mail, and limits e-mails to 5 an hour per account, known or not', async () => {
  expectPage(await ask('nadie'), 400, 'Escribe un correo válido')
  for (const email of [(await world.person()).email, newEmail()]) {
    for (let n = 0; n < 5; n++) expectStatus(await ask(email), 303)
    const refused = await ask(email)
    expectStatus(refused, 429)
    expect(refused.text).toMatch(/Espera \d+ minutos/)
  }
})

describe('a link serves once, for an hour', () => {
  type Owner = { id: string }
  test.each<[string, string, number, (of: Owner) => Promise<string> | string]>([
    ['expired', 'Este enlace venció', 409, (of) => resetCodeOf(of, new Date(Date.now() - 3_600_001))],
    ['forged', 'Este enlace no es válido', 400, async (of) => `${(await resetCodeOf(of)).slice(0, -1)}~`],
    [
      'of another kind',
      'Este enlace no es válido',
      400,
      ({ id }) => makeCode(world.db, 'verify_email', id, new Date()),
    ],
    ['empty', 'Este enlace no es válido', 400, () => ''],
  ])('not if %s', async (_kind, words, status, make) => {
    const person = await memberOf(world)
    const code = await make(person)
    for (const answer of [await world.visit(resetPath(code)), await choosePassword(code, chosen)])
      expectPage(answer, status, words, 'Enviar enlace')
    expectLocation(await signIn(person.email), '/')
  })

  test('and one of two at once changes the password', async () => {
    const person = await world.person()
    const code = await resetCodeOf(person)
    const choices = ['primera-frase', 'segunda-frase']
    const answers = await Promise.all(choices.map((typed) => choosePassword(code, typed)))
    expectStatuses(answers, 303, 409)
    const winner = choices[answers.findIndex(({ status }) => status === 303)]!
    expectLocation(await signIn(person.email, winner), '/')
  })

  test('a new password voids the other links; a refused one leaves the link good', async () => {
    const person = await world.person()
    const first = await resetCodeOf(person)
    const second = await resetCodeOf(person)
    expectPage(
      await choosePassword(second, 'corta'),
      400,
      'Usa al menos 8 caracteres.',
      `Para ${person.email}`,
    )
    expectStatus(await choosePassword(second, chosen), 303)
    for (const code of [first, second]) {
      expectPage(await world.visit(resetPath(code)), 409, 'Este enlace ya se usó', 'Enviar enlace')
      expectPage(await choosePassword(code, 'la-del-ladron'), 409, 'Este enlace ya se usó')
    }
  })
})

describe('opened while signed in', () => {
  test('a link for a new password ends the session first', async () => {
    const person = await world.person()
    const path = resetPath(await resetCodeOf(person))
    const answer = await world.visit(path, person)
    expect([answer.status, answer.location]).toEqual([302, path])
    expect(await sessionsOf(person.email)).toEqual([])
    await expectScreen(path, person, 'Elige tu contraseña nueva')
  })

  test('a link that no longer serves keeps the session and says so at home; the rest leads home', async () => {
    const person = await world.person()
    expectLocation(await world.visit(resetPath('nada'), person), '/')
    await expectScreen('/', person, 'Este enlace no es válido')
    for (const path of ['/recover-password', '/recover-password?mode=otro&oobCode=x'])
      await expectLed(path, person, '/')
  })

  test('a new password for another account ends this session too', async () => {
    const person = await world.person()
    const code = await resetCodeOf(await world.person())
    expectLocation(await choosePassword(code, chosen, person), '/signin')
    await expectLed('/', person, '/signin')
  })
})
