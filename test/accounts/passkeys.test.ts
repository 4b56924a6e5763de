import { makeChangeCode } from '../../src/accounts/letter-codes.ts'
import {
  emailChanges,
  passkeys,
  sessions,
  twoFactors,
  users,
} from '../../src/platform/database/schema/accounts.ts'
import { choosePassword, resetCodeOf, signIn } from '../kit/accounts.ts'
import {
  ago,
  db,
  expectScreen,
  expectTrail,
  fixture,
  ledTo,
  newPerson,
  openBare,
  post,
  rowsWhere,
  rowWhere,
  runSql,
  setRow,
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
const add = (credential: object, as: Visitor) =>
  send(as, 'passkey-add', { credential: JSON.stringify(credential) }, home)
const remove = async (person: Person, path = home, fields: Record<string, string> = typed) =>
  send(person, 'passkey-remove', { passkeyId: (await keysOf(person)).at(-1)!.id, ...fields }, path)

test('a passkey is added by the password, signs in, is listed and is removed by the password', async () => {
  const { person, key } = await keyed()
  expect(await lettersTo(person)).toEqual(['passkey_added'])
  const as = fixture.visitor()
  const { cookies } = await enterBy(key, as)
  expect(cookies.join()).toMatch(/carga\.session_token=.*carga\.known=/)
  expect(await isIn(as)).toBe(true)
  const both = 'Tienes 1 llave de acceso: cada una vale por los dos pasos'
  await expectScreen(home, as, 'Llaves de acceso', 'Último uso', both)
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
  for (const odd of oddities) expectStatus(await addKey(key, person, typed, home, odd), 400)
  expectPage(await add(key.makes({ challenge: 'none' }), person), 400, 'Pasó demasiado tiempo.')
  expectStatus(await add(key.makes(await challengeFor(person)), person), 400)
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
  const as = fixture.visitor()
  for (const odd of [...oddities, { counter: 1 }])
    await refused(as, key.answers(await challengeFor(as), odd), 'No la reconocimos')
  const answer = key.answers(await challengeFor(as))
  await refused(fixture.visitor(), answer, 'Pasó demasiado tiempo')
  expectStatus(await sendPasskey(answer, as), 200)
  await refused(fixture.visitor(), answer, 'Pasó demasiado tiempo')
  const again = fixture.visitor()
  await challengeFor(again)
  await refused(again, answer, 'No la reconocimos')
  await refused(again, newAuthenticator().answers(await challengeFor(again)), 'ya no abre ninguna cuenta')
})

test('a sign-in is refused to who is inactive, and counts as those by password', async () => {
  const { person, key } = await keyed()
  await setRow(users, person, { active: false })
  const { status, result } = await enterBy(key)
  expect([status, result.error.title]).toEqual([403, 'Tu cuenta está inactiva'])
  await setRow(users, person, { active: true })
  const as = fixture.visitor()
  await sendPasskey(key.answers({ challenge: 'none' }), as)
  await runSql`update limits set count = 30 where key like 'sign-in by address %'`
  expectStatus(await enterBy(key, as), 429)
  expectStatus(await enterBy(key), 200)
})

/** A browser that gave the password. */
async function halfSigned({ email }: Person) {
  const as = fixture.visitor()
  expectLocation(await signIn(email, password, as), '/signin')
  return as
}

test('a passkey stands for both steps, and answers the second one of its own account only', async () => {
  const person = await memberOf({ kind: 'manager' })
  const { secret, codes } = await enrol(person)
  const key = newAuthenticator()
  expectStatus(await startAdding(person, typed, account), 400)
  expectStatus(await addKey(key, person, { ...typed, code: codes[0]! }, account), 303)
  const alone = fixture.visitor()
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
  const { text } = await fixture.visit('/signin', as)
  expectWords(text, 'Usa tu llave', 'Este navegador no puede usar tu llave.')
  expect(text).not.toContain('Código de 6 dígitos')
  expectStatus(await post('/signin', { intent: 'totp-code', code: '123456' }, as), 400)
  expectLocation(await post('/signin', { intent: 'recovery-code', recoveryCode: codes[0]! }, as), '/')
  expectPage(await remove(person), 409, 'Es tu segundo factor.')
  await ageSessions(person)
  const off = (by: Visitor) => send(by, 'second-factor-off', { ...typed, code: '' }, home)
  expectPage(await off(person), 409, 'vuelve a entrar')
  expect(await rowWhere(twoFactors, { userId: person.id })).toMatchObject({ byPasskey: true, verified: true })
  const fresh = fixture.visitor()
  await enterBy(key, fresh)
  expectLocation(await off(fresh), `${home}#segundo-factor`)
  expectLocation(await signIn(person.email), '/')
})

test('a passkey beside an open password is no second factor: REQUIRE_2FA still asks for one', async () => {
  const person = await memberOf({ kind: 'manager' })
  const key = newAuthenticator()
  await addKey(key, person, typed, account)
  const app = fixture.under({ REQUIRE_2FA: 'true' })
  const as = fixture.visitor()
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

/** A customer whose second factor is a passkey. */
async function secured() {
  const { person, key } = await keyed()
  return {
    person,
    key,
    codes: recoveryCodesOn((await send(person, 'second-factor-passkey', typed, home)).text),
  }
}
const chosen = 'otra-frase-larga'
const choose = async (person: Person, as?: Visitor) =>
  expectLocation(await choosePassword(await resetCodeOf(person), chosen, as), '/signin')
const factorOf = ({ id }: Person) => rowsWhere(twoFactors, { userId: id })

test('a new password by e-mail ends passkeys, unless they are the second factor, which the page then says', async () => {
  const { person, key } = await keyed()
  await choose(person)
  expectStatus(await enterBy(key), 400)
  const { person: owner, key: second } = await secured()
  const as = fixture.visitor()
  await choose(owner, as)
  await expectScreen('/signin', as, 'Tus llaves de acceso siguen abriendo tu cuenta.')
  expectStatus(await enterBy(second), 200)
})

const unprove = (person: Person) => setRow(users, person, { emailVerified: false })

/** What gives an account to the owner of its mailbox. */
const handOvers = {
  'a new password where the mailbox was not verified': async (person: Person) => {
    await unprove(person)
    await choose(person)
  },
  'a correction by the manager': async (person: Person) => {
    await unprove(person)
    const { version } = (await rowWhere(users, { id: person.id }))!
    const change = { intent: 'correct-email', version: String(version), email: `nuevo-${person.email}` }
    expectStatus(await post(`/admin/users/${person.id}`, change, await newPerson({ kind: 'manager' })), 303)
  },
  'an objection of the old mailbox': async (person: Person) => {
    expectStatus(await send(person, 'email', { ...typed, email: `otro-${person.email}` }, home), 303)
    const change = (await rowWhere(emailChanges, { userId: person.id }))!
    const { code: oobCode } = await makeChangeCode(db, 'object_email', change, new Date())
    const form = { intent: 'object-email', oobCode, password: chosen }
    expectLocation(await post(`/recover-password?mode=recoverEmail&oobCode=${oobCode}`, form), '/signin')
    expectLocation(await signIn(person.email, chosen), '/')
  },
}

test.each(Object.entries(handOvers))(
  '%s ends passkeys, with the second factor that only they answer',
  async (_what, handOver) => {
    const { person } = await secured()
    await handOver(person)
    expect([await keysOf(person), await factorOf(person)]).toEqual([[], []])
  },
)

test('the second step without a passkey left says that a recovery code opens the account', async () => {
  const { person, codes } = await secured()
  await runSql`delete from passkeys where user_id = ${person.id}`
  const as = await halfSigned(person)
  await expectScreen('/signin', as, 'Usa un código de recuperación')
  expectLocation(await post('/signin', { intent: 'recovery-code', recoveryCode: codes[0]! }, as), '/')
})

test('a second factor by passkey takes no code of six digits', async () => {
  const person = await memberOf({ kind: 'manager' })
  const { secret, codes } = await enrol(person)
  await runSql`update two_factors set by_passkey = true where user_id = ${person.id}`
  const as = await halfSigned(person)
  expectStatus(await post('/signin', { intent: 'totp-code', code: codeOf(secret, 1) }, as), 400)
  const renew = (code: string) => send(person, 'second-factor-codes', { ...typed, code })
  expectPage(await renew(codeOf(secret, 1)), 400, 'Escribe uno de tus códigos de recuperación.')
  expectStatus(await renew(codes[0]!), 200)
})

test('adding takes no certificates, whose addresses are never asked, but a key that signs for itself', async () => {
  const person = await memberOf()
  const outside = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('closed'))
  const asked = toMakeOf(await startAdding(person, typed, home))
  const key = newAuthenticator()
  for (const fmt of ['apple', 'android-key', 'fido-u2f', 'packed'])
    expectStatus(await add(key.makes(asked, { fmt, isCertified: true }), person), 400)
  expect(outside).not.toHaveBeenCalled()
  outside.mockRestore()
  // The library, which takes a challenge once, did not see them.
  expectStatus(await add(key.makes(asked, { fmt: 'packed' }), person), 303)
})

test('adding is undone for one too many of two begun at once, and under a session that ended meanwhile', async () => {
  const { person } = await keyed()
  const other = await fixture.secondBrowser(person)
  for (let n = 1; n < 9; n++) await addKey(newAuthenticator(), person, typed, home)
  const begin = async (as: Visitor) => newAuthenticator().makes(toMakeOf(await startAdding(as, typed, home)))
  const tenth = await begin(person)
  const more = await begin(other)
  expectStatus(await add(tenth, person), 303)
  expectPage(await add(more, other), 409, 'Ya tienes 10 llaves.')
  expect(await keysOf(person)).toHaveLength(10)
  await remove(person)
  const late = await begin(person)
  await runSql`update sessions set former_expires_at = expires_at where user_id = ${person.id}`
  expectPage(await add(late, person), 409, 'Tu sesión terminó.')
  expect(await keysOf(person)).toHaveLength(9)
})

test('others at its address keep out neither a known browser nor the second step', async () => {
  const { person, key } = await keyed()
  await send(person, 'second-factor-passkey', typed, home)
  const known = fixture.visitor()
  await enterBy(key, known)
  const half = { ...(await halfSigned(person)), address: known.address }
  const stranger = { ...fixture.visitor(), address: known.address }
  await sendPasskey(key.answers({ challenge: 'none' }), stranger)
  await runSql`update limits set count = 30 where key like 'sign-in by address %'`
  expectStatus(await enterBy(key, stranger), 429)
  for (const as of [known, half]) expectStatus(await enterBy(key, as), 200)
})

test('a session set aside survives a visit of /signin with its challenge', async () => {
  const { person } = await keyed()
  await runSql`update sessions set former_expires_at = expires_at, expires_at = now() where user_id = ${person.id}`
  await fixture.visit('/signin', person)
  await challengeFor(person)
  expect(await rowsWhere(sessions, { userId: person.id })).toHaveLength(1)
  expect([...person.cookies.keys()]).toContain('carga.session_token')
})
