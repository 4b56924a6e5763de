import { expect, test } from 'vitest'
import { passkeys, sessions, twoFactors, users } from '../../src/server/platform/database/schema/accounts.ts'
import { choosePassword, resetCodeOf, signIn } from '../kit/accounts.ts'
import {
  ago,
  expectScreen,
  expectTrail,
  ledTo,
  newPerson,
  openBare,
  post,
  rowsWhere,
  rowWhere,
  runSql,
  setRow,
  world,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectLocation, expectPage, expectStatus, expectWords } from '../kit/reading.ts'
import { codeOf } from '../kit/totp.ts'
import type { Visitor } from '../kit/visitor.ts'
import {
  addKey,
  challengeFor,
  enterBy,
  newAuthenticator,
  sendPasskey,
  startAdding,
  toMakeOf,
} from './authenticator.ts'
import { account, enrol, lettersTo, memberOf, password, recoveryCodesOn, send } from './own.ts'

openBare()

const home = '/cuenta'
const typed = { currentPassword: password }
const keysOf = ({ id }: { id: string }) => rowsWhere(passkeys, { userId: id })
const isIn = async (as: Visitor) => (await ledTo(home, as)) === null

/** What no answer of a passkey may be. */
const oddities = [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { isVerified: false }]
/** A customer with a passkey. */
async function keyed() {
  const person = await memberOf()
  const key = newAuthenticator()
  expectLocation(await addKey(key, person, typed, home), `${home}#llaves`)
  return { person, key }
}
/** Their session began an hour ago. */
const ageSessions = async ({ id }: Person) => {
  for (const one of await rowsWhere(sessions, { userId: id }))
    await setRow(sessions, one, { createdAt: ago(60 * 60_000) })
}
const remove = async (person: Person, path = home, fields: Record<string, string> = typed) =>
  send(person, 'passkey-remove', { passkeyId: (await keysOf(person)).at(-1)!.id, ...fields }, path)

test('a passkey is added by the password, signs in, is listed and is removed by the password', async () => {
  const { person, key } = await keyed()
  expect(await lettersTo(person)).toEqual(['passkey_added'])
  const as = world.visitor()
  const { cookies } = await enterBy(key, as)
  expect(cookies.join()).toMatch(/carga\.session_token=.*carga\.known=/)
  expect(await isIn(as)).toBe(true)
  await expectScreen(home, as, 'Llaves de acceso', 'Último uso')
  expect(await keysOf(person)).toMatchObject([{ deviceType: 'singleDevice', counter: 2 }])
  expectPage(
    await remove(person, home, { currentPassword: 'equivocada' }),
    400,
    'La contraseña no es correcta.',
  )
  expectLocation(await remove(person), `${home}#llaves`)
  expect([await isIn(as), await isIn(person)]).toEqual([false, true])
  expectStatus(await enterBy(key), 400)
  await expectTrail(person, ['add_passkey', 'remove_passkey'])
  expect(await lettersTo(person)).toEqual(['passkey_added', 'passkey_removed'])
})

test('adding is refused with a wrong password, to an old session without one, and for an eleventh', async () => {
  const person = await memberOf()
  expectStatus(await startAdding(person, { currentPassword: 'equivocada' }, home), 400)
  expectStatus(await startAdding(person, {}, home), 400)
  const without = await newPerson()
  expectStatus(await startAdding(without, {}, home), 200)
  await ageSessions(without)
  expectStatus(await startAdding(without, {}, home), 409)
  for (let n = 0; n < 10; n++) await addKey(newAuthenticator(), person, typed, home)
  expectStatus(await startAdding(person, typed, home), 409)
  expect(await keysOf(person)).toHaveLength(10)
})

test('adding is refused from another origin, unverified, late, twice, and with another person’s challenge', async () => {
  const person = await memberOf()
  const other = await memberOf()
  const key = newAuthenticator()
  const add = (credential: object, as: Visitor = person) =>
    send(as, 'passkey-add', { credential: JSON.stringify(credential) }, home)
  for (const odd of oddities) expectStatus(await addKey(key, person, typed, home, odd), 400)
  expectPage(await add(key.makes({ challenge: 'none' })), 400, 'Pasó demasiado tiempo.')
  expectStatus(await add(key.makes(await challengeFor(person))), 400)
  const asked = toMakeOf(await startAdding(person, typed, home))
  other.cookies.set('carga.passkey', person.cookies.get('carga.passkey')!)
  expectStatus(await add(key.makes(asked), other), 400)
  expect([await keysOf(person), await keysOf(other)]).toEqual([[], []])
  expectStatus(await addKey(key, person, typed, home), 303)
  expectStatus(await addKey(key, other, typed, home), 400)
})

test('a sign-in is refused from another origin, unverified, sent again, without its challenge and by a copy', async () => {
  const { key } = await keyed()
  const refused = async (as: Visitor, credential: object, words: string) => {
    const { status, result } = await sendPasskey(credential, as)
    expect([status, result.error.description]).toEqual([400, expect.stringContaining(words)])
    expect(await isIn(as)).toBe(false)
  }
  const as = world.visitor()
  for (const odd of [...oddities, { counter: 1 }])
    await refused(as, key.answers(await challengeFor(as), odd), 'No la reconocimos')
  const answer = key.answers(await challengeFor(as))
  await refused(world.visitor(), answer, 'Pasó demasiado tiempo')
  expectStatus(await sendPasskey(answer, as), 200)
  await refused(world.visitor(), answer, 'Pasó demasiado tiempo')
  const again = world.visitor()
  await challengeFor(again)
  await refused(again, answer, 'No la reconocimos')
  const unknown = newAuthenticator()
  await refused(again, unknown.answers(await challengeFor(again)), 'ya no abre ninguna cuenta')
})

test('a sign-in is refused to who is inactive, and counts as those by password', async () => {
  const { person, key } = await keyed()
  await setRow(users, person, { active: false })
  const { status, result } = await enterBy(key)
  expect([status, result.error.title]).toEqual([403, 'Tu cuenta está inactiva'])
  await setRow(users, person, { active: true })
  const as = world.visitor()
  await sendPasskey(key.answers({ challenge: 'none' }), as)
  await runSql`update limits set count = 30 where key like 'sign-in by address %'`
  expectStatus(await enterBy(key, as), 429)
  expectStatus(await enterBy(key), 200)
})

/** A browser that gave the password. */
async function halfSigned({ email }: Person) {
  const as = world.visitor()
  expectLocation(await signIn(email, password, as), '/signin')
  return as
}

test('a passkey stands for both steps, and answers the second one of its own account only', async () => {
  const person = await memberOf({ kind: 'manager' })
  const { secret, codes } = await enrol(person)
  const key = newAuthenticator()
  expectStatus(await startAdding(person, typed, account), 400)
  expectStatus(await addKey(key, person, { ...typed, code: codes[0]! }, account), 303)
  const alone = world.visitor()
  expectStatus(await enterBy(key, alone), 200)
  expect(await ledTo('/admin', alone)).toBeNull()
  const as = await halfSigned(person)
  const { key: foreign } = await keyed()
  const { result } = await enterBy(foreign, as)
  expect(result.error.description).toBe('Esa llave es de otra cuenta.')
  await expectScreen('/signin', as, 'Escribe tu código')
  const kept = new Map(as.cookies)
  expectStatus(await enterBy(key, as), 200)
  expect(await ledTo('/admin', as)).toBeNull()
  expect([...as.cookies.keys()]).not.toContain('carga.two_factor')
  const late = { ...as, cookies: kept }
  expectLocation(await post('/signin', { intent: 'totp-code', code: codeOf(secret, 1) }, late), '/signin')
})

test('a customer turns the second factor on with a passkey alone, and off minutes after signing in', async () => {
  const { person, key } = await keyed()
  const codes = recoveryCodesOn((await send(person, 'second-factor-passkey', typed, home)).text)
  expect(codes).toHaveLength(10)
  const as = await halfSigned(person)
  const { text } = await world.visit('/signin', as)
  expectWords(text, 'Usa tu llave')
  expect(text).not.toContain('Código de 6 dígitos')
  expectStatus(await post('/signin', { intent: 'totp-code', code: '123456' }, as), 400)
  expectLocation(await post('/signin', { intent: 'recovery-code', recoveryCode: codes[0]! }, as), '/')
  expectPage(await remove(person), 409, 'Es tu segundo factor.')
  await ageSessions(person)
  const off = (by: Visitor) => send(by, 'second-factor-off', { ...typed, code: '' }, home)
  expectPage(await off(person), 409, 'vuelve a entrar')
  expect(await rowWhere(twoFactors, { userId: person.id })).toMatchObject({ byPasskey: true, verified: true })
  const fresh = world.visitor()
  await enterBy(key, fresh)
  expectLocation(await off(fresh), `${home}#segundo-factor`)
  expectLocation(await signIn(person.email), '/')
})

test('a passkey beside an open password is no second factor: REQUIRE_2FA still asks for one', async () => {
  const person = await memberOf({ kind: 'manager' })
  const key = newAuthenticator()
  await addKey(key, person, typed, account)
  const app = world.under({ REQUIRE_2FA: 'true' })
  const as = world.visitor()
  await enterBy(key, as)
  expectLocation(await app.data('/admin', as), account)
  await app.post(account, { intent: 'second-factor-passkey', ...typed }, as)
  expectStatus(await app.data('/admin', as), 200)
})

test('the second factor is refused to a customer with an unverified mailbox, and without a passkey', async () => {
  const { person } = await keyed()
  await setRow(users, person, { emailVerified: false })
  for (const intent of ['second-factor-start', 'second-factor-passkey'])
    expectPage(await send(person, intent, typed, home), 409, 'Confirma primero tu correo')
  expectPage(
    await send(await memberOf(), 'second-factor-passkey', typed, home),
    409,
    'Agrega primero una llave',
  )
})

test('passkeys end with a change of hands, and outlast a new password of a verified mailbox', async () => {
  const { person, key } = await keyed()
  await choosePassword(await resetCodeOf(person), 'otra-frase-larga')
  expectStatus(await enterBy(key), 200)
  await setRow(users, person, { emailVerified: false })
  await choosePassword(await resetCodeOf(person), 'otra-frase-larga')
  expect(await keysOf(person)).toEqual([])
  const { person: caller } = await keyed()
  await setRow(users, caller, { emailVerified: false })
  const { version } = (await rowWhere(users, { id: caller.id }))!
  const change = { intent: 'correct-email', version: String(version), email: `nuevo-${caller.email}` }
  expectStatus(await post(`/admin/users/${caller.id}`, change, await newPerson({ kind: 'manager' })), 303)
  expect(await keysOf(caller)).toEqual([])
})
