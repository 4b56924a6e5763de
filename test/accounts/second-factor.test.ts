import { sessions, twoFactors, users } from '../../src/platform/database/schema/accounts.ts'
import { signIn } from '../kit/accounts.ts'
import {
  expectScreen,
  expectTrail,
  fixture,
  fromNow,
  inParallel,
  ledTo,
  markupOf,
  newPerson,
  openBare,
  post,
  realClockAfterEach,
  rowsWhere,
  rowWhere,
  setRow,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import {
  expectLocation,
  expectPage,
  expectStatus,
  expectStatuses,
  expectWords,
  trailOf,
} from '../kit/reading.ts'
import { codeOf } from '../kit/totp.ts'
import type { Visitor } from '../kit/visitor.ts'
import { account, enrol, lettersTo, memberOf, password, recoveryCodesOn, secretOn, send } from './own.ts'

openBare()
/** Milliseconds that one code serves. */
const step = 30_000
// In the middle of one, and the clock stands: no code ends while a test is under way.
beforeEach(() => fixture.at(new Date(Math.floor(Date.now() / step) * step + step / 2)))
realClockAfterEach()
const pass = (minutes: number) => fixture.at(fromNow(minutes * 60_000))

const sessionsOf = ({ id }: Person) => rowsWhere(sessions, { userId: id })
const factorOf = ({ id }: Person) => rowWhere(twoFactors, { userId: id })
/** A code of six digits that the authenticator does not show. */
const wrong = (secret: string) =>
  ['000000', '111111', '222222', '333333'].find(
    (code) => ![-1, 0, 1].some((n) => codeOf(secret, n) === code),
  )!

const staff = () => memberOf({ kind: 'manager' })
async function enrolled() {
  const person = await staff()
  return { person, ...(await enrol(person)) }
}
const start = (person: Person, currentPassword = password) =>
  send(person, 'second-factor-start', { currentPassword })
const confirm = (person: Visitor, code: string) => send(person, 'second-factor-confirm', { code })
const shownSecret = async (as: Visitor) => secretOn(await markupOf(account, as))
async function begun() {
  const person = await staff()
  await start(person)
  return { person, secret: await shownSecret(person) }
}

/** A browser that gave the password and is asked for the code. */
async function halfSigned({ email }: Person): Promise<Visitor> {
  const as = fixture.visitor()
  expect((await signIn(email, password, as)).onward).toBe('/signin')
  return as
}
const type = (as: Visitor, code: string) => post('/signin', { intent: 'totp-code', code }, as)
const recover = (as: Visitor, recoveryCode: string) =>
  post('/signin', { intent: 'recovery-code', recoveryCode }, as)
const isIn = async (as: Visitor) => (await ledTo('/admin', as)) === null

test('turning the second factor on takes the password and a first code, and shows ten recovery codes once', async () => {
  const person = await staff()
  const other = await fixture.secondBrowser(person)
  expectLocation(await start(person), `${account}#segundo-factor`)
  const page = await fixture.visit(account, person)
  const secret = secretOn(page.text)
  expect(secret).toMatch(/^[A-Z2-7]{48}$/)
  expectWords(page.text, 'Código QR de tu segundo factor')
  expect(await factorOf(person)).toMatchObject({ verified: false })
  const on = await confirm(person, codeOf(secret))
  expectStatus(on, 200)
  const codes = recoveryCodesOn(on.text)
  expect(codes).toHaveLength(10)
  const again = await fixture.visit(account, person)
  expectWords(again.text, 'Te quedan 10 códigos de recuperación.')
  expect(recoveryCodesOn(again.text)).toEqual([])
  expect(again.text).not.toContain(secret)
  const kept = JSON.stringify(await factorOf(person))
  for (const text of [secret, ...codes]) expect(kept).not.toContain(text)
  expect([await isIn(other), await isIn(person)]).toEqual([false, true])
  await expectTrail(person, ['turn_on_second_factor'])
  expect(await lettersTo(person)).toEqual(['second_factor_on'])
})

test('turning the second factor on is refused with a wrong password, and without one', async () => {
  const person = await staff()
  expectPage(await start(person, 'equivocada'), 400, 'La contraseña no es correcta.')
  expect(await factorOf(person)).toBeUndefined()
  const without = await newPerson({ kind: 'analyst' })
  await expectScreen(account, without, 'Para activarlo necesitas una contraseña.')
  expectStatus(await start(without), 409)
})

test('turning the second factor on shows the secret to its own session only, keeps it after a wrong code, and starts again after 15 minutes', async () => {
  const { person, secret } = await begun()
  const other = await fixture.secondBrowser(person)
  expect(await shownSecret(other)).toBe('')
  expectStatus(await confirm(other, codeOf(secret)), 409)
  const answer = await confirm(person, wrong(secret))
  expectPage(answer, 400, 'Ese código no es correcto.')
  expect(secretOn(answer.text)).toBe(secret)
  expectWords((await confirm(person, '12345')).text, 'El código tiene 6 dígitos.')
  pass(16)
  expect(await shownSecret(person)).toBe('')
  expectWords((await confirm(person, codeOf(secret))).text, 'Pasó demasiado tiempo.')
  expect(await factorOf(person)).toMatchObject({ verified: false })
})

test('turning the second factor on happens once of three at the same time', async () => {
  const { person, secret } = await begun()
  expectStatuses(await inParallel(3, () => confirm(person, codeOf(secret))), 200, 409, 409)
  await expectTrail(person, ['turn_on_second_factor'])
  expectWords((await start(person)).text, 'Tu segundo factor ya está activado.')
})

test('the sign-in needs the code after the password, of an active account', async () => {
  const { person, secret } = await enrolled()
  const before = await sessionsOf(person)
  const as = fixture.visitor()
  const next = '/admin/assignations'
  const { onward } = await post('/signin', { email: person.email, password, next }, as)
  expect(onward).toBe('/signin?next=%2Fadmin%2Fassignations')
  expect(await sessionsOf(person)).toHaveLength(before.length)
  expect(await isIn(as)).toBe(false)
  await expectScreen(onward!, as, 'Escribe tu código')
  const late = await halfSigned(person)
  expectLocation(await post('/signin', { intent: 'totp-code', code: codeOf(secret), next }, as), next)
  expect(await isIn(as)).toBe(true)
  expect([...as.cookies.keys()]).not.toContain('carga.two_factor')
  await setRow(users, person, { active: false })
  expectPage(await type(late, codeOf(secret, 1)), 403, 'Tu cuenta está inactiva')
})

test('the sign-in accepts a clock that is off by one step of 30 seconds, not by three', async () => {
  const { person, secret } = await enrolled()
  const as = await halfSigned(person)
  // Turning it on spent the step before.
  pass(2)
  for (const steps of [-3, 3]) expectStatus(await type(as, codeOf(secret, steps)), 400)
  for (const steps of [-1, 0, 1])
    expectLocation(await type(await halfSigned(person), codeOf(secret, steps)), '/')
})

test('the sign-in accepts a code once, in one browser of several, not after turning it on with it', async () => {
  const { person, secret } = await enrolled()
  const before = await sessionsOf(person)
  const browsers = await inParallel(2, () => halfSigned(person))
  expectPage(await type(browsers[0]!, codeOf(secret, -1)), 400, 'Ese código ya se usó.')
  const code = codeOf(secret)
  const answers = await Promise.all([...browsers, ...browsers].map((as) => type(as, code)))
  expect(answers.filter(({ location }) => location === '/')).toHaveLength(1)
  expect(await sessionsOf(person)).toHaveLength(before.length + 1)
  const late = await halfSigned(person)
  expectWords((await type(late, code)).text, 'Ese código ya se usó.')
  expect(await isIn(late)).toBe(false)
})

test('the sign-in accepts a recovery code once, of two at the same time too, however it is written', async () => {
  const { person, codes } = await enrolled()
  const [one, other] = codes.map((code) => ` ${code.toUpperCase().replace('-', ' ')} `)
  const as = await halfSigned(person)
  expectLocation(await recover(as, one!), '/')
  expect(await isIn(as)).toBe(true)
  const again = await halfSigned(person)
  expectPage(await recover(again, codes[0]!), 400, 'Ese código de recuperación no es correcto o ya se usó.')
  const both = await Promise.all([again, await halfSigned(person)].map((browser) => recover(browser, other!)))
  expect(both.filter(({ location }) => location === '/')).toHaveLength(1)
  await expectScreen(account, as, 'Te quedan 8 códigos de recuperación.')
})

test('the sign-in asks for the password again after 5 wrong codes, and blocks the account for 15 minutes after 10', async () => {
  const { person, secret } = await enrolled()
  const as = await halfSigned(person)
  for (let n = 0; n < 5; n++) expectPage(await type(as, wrong(secret)), 400, 'Ese código no es correcto.')
  expectLocation(await type(as, codeOf(secret)), '/signin')
  await expectScreen('/signin', as, 'Hubo demasiados códigos equivocados.', 'Correo electrónico')
  const elsewhere = await halfSigned(person)
  for (let n = 0; n < 5; n++) await type(elsewhere, wrong(secret))
  const third = await halfSigned(person)
  expectPage(await type(third, codeOf(secret)), 429, 'Espera 15 minutos')
  expect([await isIn(as), await isIn(third)]).toEqual([false, false])
  pass(16)
  expectLocation(await type(await halfSigned(person), codeOf(secret)), '/')
})

test('the sign-in counts wrong codes that arrive at once', async () => {
  const { person, secret } = await enrolled()
  const as = await halfSigned(person)
  await inParallel(12, () => type({ ...as, cookies: new Map(as.cookies) }, wrong(secret)))
  expect((await factorOf(person))!.failedVerificationCount).toBeLessThanOrEqual(5)
})

test('the sign-in starts over after 10 minutes, with a forged cookie, with none, and when asked to', async () => {
  const { person, secret } = await enrolled()
  const forged = fixture.visitor()
  forged.cookies.set('carga.two_factor', 'nada.nada')
  const late = await halfSigned(person)
  pass(11)
  const other = await halfSigned(person)
  await post('/signin', { intent: 'start-over' }, other)
  for (const as of [late, forged, fixture.visitor(), other]) {
    expectLocation(await type(as, codeOf(secret)), '/signin')
    await expectScreen('/signin', as, 'Correo electrónico')
  }
})

const prove = (person: Person, intent: 'off' | 'codes', code: string, currentPassword = password) =>
  send(person, `second-factor-${intent}`, { currentPassword, code })

test('turning the second factor off and new recovery codes need the password and a code; then the password alone signs in', async () => {
  const { person, secret } = await enrolled()
  for (const intent of ['off', 'codes'] as const) {
    expectStatus(await prove(person, intent, codeOf(secret), 'equivocada'), 400)
    expectStatus(await prove(person, intent, wrong(secret)), 400)
  }
  expect(await factorOf(person)).toMatchObject({ verified: true })
  const off = await prove(person, 'off', codeOf(secret))
  expect([off.status, off.location]).toEqual([303, `${account}#segundo-factor`])
  expect(await factorOf(person)).toBeUndefined()
  expectLocation(await signIn(person.email), '/')
  expect(await lettersTo(person)).toEqual(['second_factor_off', 'second_factor_on'])
  expect(await trailOf(fixture, person)).toContain('turn_off_second_factor')
})

test('new recovery codes, proved by a recovery code, replace the old ones', async () => {
  const { person, codes } = await enrolled()
  const fresh = recoveryCodesOn((await prove(person, 'codes', codes[3]!)).text)
  expect(fresh).toHaveLength(10)
  expect(fresh.filter((code) => codes.includes(code))).toEqual([])
  const as = await halfSigned(person)
  expectStatus(await recover(as, codes[4]!), 400)
  expectLocation(await recover(as, fresh[4]!), '/')
})

test('turning the second factor off limits wrong codes from an open session to 9', async () => {
  const { person, secret } = await enrolled()
  for (let n = 0; n < 9; n++) expectStatus(await prove(person, 'off', wrong(secret)), 400)
  expectStatus(await prove(person, 'off', wrong(secret)), 429)
})

const required = () => fixture.under({ REQUIRE_2FA: 'true' })

test('REQUIRE_2FA lets a manager turn it on there, and go on', async () => {
  const { person, secret } = await begun()
  const app = required()
  const on = await app.post(account, { intent: 'second-factor-confirm', code: codeOf(secret) }, person)
  expect(recoveryCodesOn(on.text)).toHaveLength(10)
  for (const { text } of [on, await app.visit(account, person)])
    expect(text).not.toContain('Activa tu segundo factor para continuar')
  expectStatus(await app.data('/admin', person), 200)
})

// Every kind: test/access/screens.test.ts.
test('REQUIRE_2FA keeps a manager without it at the account, whose configuration is closed too', async () => {
  const person = await newPerson({ kind: 'manager' })
  const app = required()
  const hours = `${account}/configuracion/horario`
  for (const path of ['/admin', hours]) expectLocation(await app.data(path, person), account)
  const form = { intent: 'settings.hours', version: '1' }
  for (const path of ['/admin', hours, `${hours}.data`]) {
    const { location, status } = await app.post(path, form, person)
    expect([path, status >= 400 || status === 204 || location === account]).toEqual([path, true])
  }
  expectPage(await app.visit(account, person), 200, 'Activa tu segundo factor para continuar')
  expectLocation(await app.post('/signout', {}, person), '/signin')
})
