import { makeCode } from '../../src/accounts/letter-codes.ts'
import { type Connection, openDatabase } from '../../src/platform/database/client.ts'
import { accounts, letterCodes, users } from '../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { blockDue } from '../../src/privacy/deletion.ts'
import {
  accountOf,
  choosePassword,
  newEmail,
  password,
  readable,
  resetCodeOf,
  resetPath,
  sessionsOf,
  signIn,
  signUp,
} from '../kit/accounts.ts'
import { visitAtHome } from '../kit/appointments.ts'
import {
  ago,
  db,
  expectCount,
  expectEmails,
  expectLed,
  expectRow,
  expectRowsIn,
  expectScreen,
  expectUser,
  fixture,
  markupOf,
  newPerson,
  openBare,
  post,
  rowsWhere,
  setRow,
  storeRows,
} from '../kit/open.ts'
import { type Person, type PersonInput, secret } from '../kit/people.ts'
import {
  expectAnswered,
  expectLocation,
  expectPage,
  expectStatus,
  expectStatuses,
  expectWords,
  trailOf,
} from '../kit/reading.ts'
import type { Visitor } from '../kit/visitor.ts'
import { inDays } from './holdings.ts'
import { codeIn, letterBox, linkIn } from './letters.ts'
import { memberOf } from './own.ts'

openBare()

const verifying = '/recover-password?mode=verifyEmail'
const pathOf = (oobCode: string) => `${verifying}&oobCode=${oobCode}`
const newCodeOf = async ({ id }: { id: string }, now = new Date()) =>
  (await makeCode(db, 'verify_email', id, now)).code
const newcomer = (input: PersonInput = {}) => memberOf({ emailVerified: false, ...input })
const press = (intent: string, oobCode: string, as: Visitor = fixture.visitor(), typed = password) =>
  post(pathOf(oobCode), { intent, oobCode, password: typed }, as)
const apply = (oobCode: string, as?: Visitor) => press('prove', oobCode, as)
const isVerified = async ({ email }: { email: string }) => (await accountOf(email))!.emailVerified
const link = (person: Person, accountId: string) =>
  storeRows(accounts, { userId: person.id, accountId, providerId: 'oidc' })

test('signing up sends the e-mail; only the button behind its link verifies the mailbox', async () => {
  const { delivered } = await letterBox()
  const { email, as } = await signUp()
  const letter = (await delivered()).at(-1)!
  expect(letter).toMatchObject({ to: email, subject: 'Confirma tu correo' })
  expectWords(letter.text, 'Hola:')
  for (const visitor of [fixture.visitor(), as])
    await expectScreen(linkIn(letter), visitor, 'Confirmar mi correo')
  expect(await isVerified({ email })).toBe(false)
  // It works before the profile is completed; home leads on to that.
  const answer = await apply(codeIn(letter), as)
  expect([answer.status, answer.location]).toEqual([303, '/'])
  expect(await isVerified({ email })).toBe(true)
  expectLocation(await fixture.visit('/', as), '/completion')
  await expectScreen('/completion', as, 'Confirmamos tu correo')
})

test('the button verifies nothing without a session of the account, for a script neither', async () => {
  const person = await newcomer()
  const other = await newcomer()
  const oobCode = await newCodeOf(person)
  for (const visitor of [fixture.visitor(), other]) {
    expectPage(await apply(oobCode, visitor), 409, 'Falta tu contraseña')
    const script = await fixture.send('/v1/session/apply-action-code', visitor, {
      method: 'POST',
      body: JSON.stringify({ oobCode }),
      headers: { 'content-type': 'application/json', origin: 'http://carga.test' },
    })
    expectStatus(script, 409)
  }
  expect([await isVerified(person), await isVerified(other)]).toEqual([false, false])
  await expectScreen(pathOf(oobCode), undefined, 'Tu contraseña')
})

test('the password of the account verifies it, signs in, and keeps its other sessions', async () => {
  const person = await newcomer({ name: null })
  const code = await newCodeOf(person)
  const as = fixture.visitor()
  expectPage(await press('prove-by-password', code, as, 'no-es-la-clave'), 400, 'no son correctos')
  expect(await isVerified(person)).toBe(false)
  expectLocation(await press('prove-by-password', code, as), '/')
  expect(await isVerified(person)).toBe(true)
  await expectScreen('/completion', as, 'Confirmamos tu correo')
  await expectLed('/completion', person, null)
})

test('a new password verifies it and ends every former way into the account', async () => {
  const stranger = await newcomer()
  const { email, id: userId } = stranger
  await link(stranger, 'ajeno')
  const code = await newCodeOf(stranger)
  const choose = (typed: string) => press('prove-by-new', code, fixture.visitor(), typed)
  expectWords((await choose('corta')).text, 'Usa al menos 8 caracteres.')
  expectLocation(await choose('la-mia-de-verdad'), '/signin')
  expect(await isVerified(stranger)).toBe(true)
  await expectLed('/', stranger, '/signin')
  expectStatus(await signIn(email), 400)
  expectLocation(await signIn(email, 'la-mia-de-verdad'), '/')
  await expectRowsIn(accounts, { userId }, [{ providerId: 'credential' }])
  expectWords((await choose('otra-vez-la-mia')).text, 'Tu correo ya está confirmado')
})

test('a recovered password ends a provider linked before the mailbox was verified, not one linked after', async () => {
  const person = await newcomer()
  for (const [accountId, left] of [
    ['ajeno', 0],
    ['propio', 1],
  ] as const) {
    await link(person, accountId)
    expectStatus(await choosePassword(await resetCodeOf(person), 'recuperada-y-larga'), 303)
    await expectCount(accounts, { userId: person.id, providerId: 'oidc' }, left)
  }
})

test('«no fui yo» deletes the account, cancels its visit, notifies the technician and frees the mailbox', async () => {
  const stranger = await newcomer({ name: 'Ajena' })
  const { email, id } = stranger
  const technician = await newPerson({ kind: 'tecnician' })
  const visit = await visitAtHome(stranger, inDays(3), {
    assigneeId: technician.id,
  })
  const code = await newCodeOf(stranger)
  await expectScreen(pathOf(code), undefined, 'No fui yo')
  expectStatuses(await Promise.all([press('disown', code), press('disown', code)]), 303, 409)
  await expectLed('/', stranger, '/signin')
  expectStatus(await signIn(email), 400)
  expect(await accountOf(email)).toBeUndefined()
  await expectRow(appointments, { id: visit.id }, { state: 'cancelled' })
  await expectEmails(visit, [expect.stringMatching(/ to person$/)])
  // The job that it asks for erases the rest, without the days of waiting.
  const { host, user: role, database } = fixture.db.$client.options
  const db = openDatabase({ host, user: role, database } as Connection, 2)
  await blockDue(db, secret, new Date())
  await db.$client.end()
  await expectUser({ id }, { name: null, phone: null, active: false, deletedAt: expect.any(Date) })
  expect((await signUp(email)).answer.location).toBe('/completion')
})

test('«no fui yo» is refused where work was done', async () => {
  const person = await newcomer()
  await visitAtHome(person, inDays(-1), { state: 'done' })
  expectPage(await press('disown', await newCodeOf(person)), 409, 'Pide ayuda')
  await expectUser({ email: person.email }, { active: true })
})

test.each([
  ['expired', 'Este enlace venció', 409],
  ['forged', 'Este enlace no es válido', 400],
])(
  'a link that is %s shows so and offers another, which only an unverified mailbox gets',
  async (kind, words, status) => {
    const { delivered } = await letterBox()
    const person = await newcomer()
    const isForged = kind === 'forged'
    const madeAt = ago(kind === 'expired' ? 3_600_001 : 0)
    const code = isForged ? 'x'.repeat(43) : await newCodeOf(person, madeAt)
    const visitor = isForged ? person : fixture.visitor()
    for (const answer of [await fixture.visit(pathOf(code), visitor), await apply(code, visitor)])
      expectPage(answer, status, words, 'Enviar otra vez')
    const again = await post(verifying, { intent: 'resend', oobCode: code }, visitor)
    await expectScreen(isForged ? '/' : again.location!, visitor, 'Te mandamos otro correo')
    expect((await delivered()).filter(({ to }) => to === person.email)).toHaveLength(1)
  },
)

test.each(['its own button', 'a recovered password'])(
  'a link whose mailbox was verified by %s says so, is no failure, and sends and changes nothing',
  async (by) => {
    const person = await newcomer()
    const code = await newCodeOf(person)
    if (by === 'its own button') await apply(code, person)
    else await choosePassword(await resetCodeOf(person), 'la-mia-de-verdad')
    const { delivered } = await letterBox()
    await expectScreen(pathOf(code), undefined, 'Tu correo ya está confirmado', 'Iniciar sesión')
    expectLocation(await apply(code), '/signin')
    const answer = await fixture.send('/v1/session/apply-action-code', fixture.visitor(), {
      method: 'POST',
      body: JSON.stringify({ oobCode: code }),
      headers: { 'content-type': 'application/json', origin: 'http://carga.test' },
    })
    expect(JSON.parse(answer.text)).toEqual({
      ok: true,
      value: { email: person.email, alreadyVerified: true },
    })
    expectLocation(await fixture.post(verifying, { intent: 'resend', oobCode: code }), '/signin')
    expect((await delivered()).filter(({ subject }) => subject === 'Confirma tu correo')).toEqual([])
    // Its mailbox unproved again, as by an objection: the link serves no more, and offers the next.
    await setRow(users, person, { emailVerified: false })
    expectPage(await fixture.visit(pathOf(code)), 409, 'Este enlace ya se usó', 'Enviar otra vez')
  },
)

test('a forged code sends no e-mail signed out, and leads a verified account home', async () => {
  const text = await markupOf(pathOf('x'))
  expect(text).not.toContain('Enviar otra vez')
  expectWords(text, 'inicia sesión')
  expectStatus(await post(verifying, { intent: 'resend', oobCode: 'x' }), 401)
  const person = await newPerson()
  expectLocation(await fixture.visit(pathOf('x'), person), '/')
  await expectScreen('/', person, 'Tu correo ya está confirmado')
  expectLocation(await post(verifying, { intent: 'resend' }, person), '/')
})

const chosen = 'otra-frase-larga'

const ask = (email: string) => post('/recover-password', { intent: 'ask', email })

test('a forgotten password is replaced by the link of an e-mail, which verifies the mailbox and ends sessions', async () => {
  const { delivered } = await letterBox()
  const person = await memberOf({ emailVerified: false })
  const { email } = person
  await expectAnswered(ask(email.toUpperCase()), 303, '/recover-password?enviado')
  await expectScreen('/recover-password?enviado', undefined, 'Si hay una cuenta con ese correo')

  const letter = (await delivered()).at(-1)!
  expect(letter).toMatchObject({ to: email, subject: 'Cambia tu contraseña' })
  expect(letter.text).toMatch(/sirve una sola vez, hasta (el .* a )?las? \d+:\d\d [ap]/)
  expectWords(letter.source, 'text/html')
  const code = codeIn(letter)
  expect(code).toMatch(/^[\w-]{43}$/)
  expect(JSON.stringify(await rowsWhere(letterCodes))).not.toContain(code)

  // A mail scanner that opens the link uses nothing up.
  for (let n = 0; n < 2; n++) await expectScreen(linkIn(letter), undefined, `Para ${email}`)
  await expectAnswered(choosePassword(code, chosen), 303, '/signin')
  expect(await sessionsOf(email)).toEqual([])
  expectStatus(await signIn(email), 400)
  expectLocation(await signIn(email, chosen), '/')
  await expectUser({ email }, { emailVerified: true })
  expect((await delivered()).at(-1)).toMatchObject({ to: email, subject: 'Tu contraseña cambió' })
  expect(await trailOf(fixture, person)).toContain('reset_password')
})

test('the first password of an account made for a caller accepts the terms, once', async () => {
  const person = await newPerson()
  const none = { termsVersion: null, termsAcceptedAt: null }
  await setRow(users, person, none)
  const notice = 'aviso de privacidad</a>.'
  const code = await resetCodeOf(person)
  await expectScreen(resetPath(code), undefined, notice)
  await expectUser(person, none)
  expectStatus(await choosePassword(code, chosen), 303)
  const { termsAcceptedAt } = (await accountOf(person.email))!
  const accepted = { termsVersion: '2025-01', termsAcceptedAt: termsAcceptedAt! }
  await expectUser(person, accepted)
  const again = await resetCodeOf(person)
  expect(await markupOf(resetPath(again))).not.toContain(notice)
  expectStatus(await choosePassword(again, chosen), 303)
  await expectUser(person, accepted)
})

test('answers an unknown e-mail and an inactive account the same, and sends them nothing', async () => {
  const { delivered } = await letterBox()
  const { email } = await newPerson()
  const inactive = await newPerson({ active: false })
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
  for (const email of [(await newPerson()).email, newEmail()]) {
    for (let n = 0; n < 5; n++) expectStatus(await ask(email), 303)
    const refused = await ask(email)
    expectStatus(refused, 429)
    expect(refused.text).toMatch(/Espera \d+ minutos/)
  }
})

test.each<[string, string, number, (of: { id: string }) => Promise<string> | string]>([
  ['expired', 'Este enlace venció', 409, (of) => resetCodeOf(of, ago(3_600_001))],
  ['forged', 'Este enlace no es válido', 400, async (of) => `${(await resetCodeOf(of)).slice(0, -1)}~`],
  ['of another kind', 'Este enlace no es válido', 400, (of) => newCodeOf(of)],
  ['empty', 'Este enlace no es válido', 400, () => ''],
])('a link for a new password is refused if %s', async (_kind, words, status, make) => {
  const person = await memberOf()
  const code = await make(person)
  for (const answer of [await fixture.visit(resetPath(code)), await choosePassword(code, chosen)])
    expectPage(answer, status, words, 'Enviar enlace')
  expectLocation(await signIn(person.email), '/')
})

test('of two uses of a link at once one changes the password', async () => {
  const person = await newPerson()
  const code = await resetCodeOf(person)
  const choices = ['primera-frase', 'segunda-frase']
  const answers = await Promise.all(choices.map((typed) => choosePassword(code, typed)))
  expectStatuses(answers, 303, 409)
  const winner = choices[answers.findIndex(({ status }) => status === 303)]!
  expectLocation(await signIn(person.email, winner), '/')
})

test('a new password voids the other links; a refused one leaves the link good', async () => {
  const person = await newPerson()
  const first = await resetCodeOf(person)
  const second = await resetCodeOf(person)
  const short = await choosePassword(second, 'corta')
  expectPage(short, 400, 'Usa al menos 8 caracteres.', `Para ${person.email}`)
  expectStatus(await choosePassword(second, chosen), 303)
  for (const code of [first, second]) {
    expectPage(await fixture.visit(resetPath(code)), 409, 'Este enlace ya se usó', 'Enviar enlace')
    expectPage(await choosePassword(code, 'la-del-ladron'), 409, 'Este enlace ya se usó')
  }
})

test('a link for a new password opened while signed in ends the session first', async () => {
  const person = await newPerson()
  const path = resetPath(await resetCodeOf(person))
  await expectAnswered(fixture.visit(path, person), 302, path)
  expect(await sessionsOf(person.email)).toEqual([])
  await expectScreen(path, person, 'Elige tu contraseña nueva')
})

test('a used link opened while signed in keeps the session and shows so at home; other links lead home', async () => {
  const person = await newPerson()
  expectLocation(await fixture.visit(resetPath('nada'), person), '/')
  await expectScreen('/', person, 'Este enlace no es válido')
  for (const path of ['/recover-password', '/recover-password?mode=otro&oobCode=x'])
    await expectLed(path, person, '/')
})

test('a new password for another account ends this session too', async () => {
  const person = await newPerson()
  expectLocation(await choosePassword(await resetCodeOf(await newPerson()), chosen, person), '/signin')
  await expectLed('/', person, '/signin')
})
