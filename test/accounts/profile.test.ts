import { countPasswordTry } from '../../src/accounts/password.ts'
import { accounts, consents, sessions } from '../../src/platform/database/schema/accounts.ts'
import { signIn } from '../kit/accounts.ts'
import {
  db,
  eventsAbout,
  expectLed,
  expectScreen,
  expectTrail,
  expectUser,
  fixture,
  fromNow,
  ledTo,
  markupOf,
  newPerson,
  openBare,
  rowsWhere,
  setRow,
  storeRows,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import {
  expectAnswered,
  expectLocation,
  expectPage,
  expectStatus,
  expectStatuses,
  expectWords,
} from '../kit/reading.ts'
import { userOf as rowOf } from '../kit/users.ts'
import { account, lettersTo, memberOf, password, send } from './own.ts'

openBare()

const userOf = (person: Person) => rowOf(person)
const mine = '/cuenta'
const form = { name: 'Ana María', lastname: 'López Ruiz', phone: '+52 55 8765 4321', version: '1' }
const chosen = 'otra-frase-larga'

test.each([
  ['/?cuenta', '/cuenta'],
  ['/?index&cuenta', '/cuenta'],
  ['/?cuenta&datos', '/cuenta?datos'],
])('redirects the former address %s to %s, forms too, not those of staff', async (before, now) => {
  const person = await newPerson()
  await expectAnswered(fixture.visit(before, person), 301, now)
  const path = before.replace('/?cuenta', '/?index&cuenta')
  const send = (as: Person) => fixture.post(path, { intent: 'password-letter' }, as)
  await expectAnswered(send(person), 308, now)
  const analyst = await newPerson({ kind: 'analyst' })
  await expectLed(before, analyst, '/admin')
  await expectAnswered(send(analyst), 403)
})

describe.each([
  ['customer', mine, {}],
  ['technician', account, { kind: 'tecnician' }],
] as const)('%s', (_who, path, input) => {
  test('changes name and phone', async () => {
    const person = await newPerson(input)
    expectLocation(await send(person, 'profile', form, path), `${path}#perfil`)
    const { name, lastname } = form
    await expectUser(person, { name, lastname, phone: '5587654321', version: 2 })
    const changed = ['name', 'lastname', 'phone']
    const event = { name: 'edit_profile', actorId: person.id, data: { changed } }
    expect(await eventsAbout(person)).toMatchObject([event])
    await expectScreen(path, person, '558 765 43 21')
  })

  test('changes the password, which ends the other sessions', async () => {
    const person = await memberOf(input)
    const other = await fixture.secondBrowser(person)
    const typed = { currentPassword: password, newPassword: chosen }
    expectLocation(await send(person, 'password', typed, path), `${path}#contrasena`)
    expect([await ledTo(path, other), await ledTo(path, person)]).toEqual(['/signin', null])
    expectStatus(await signIn(person.email), 400)
    expectLocation(await signIn(person.email, chosen), '/')
    expect(await lettersTo(person)).toEqual(['password_changed'])
  })

  test('gets a first password by e-mail only', async () => {
    const person = await newPerson(input)
    await storeRows(accounts, { userId: person.id, accountId: person.id, providerId: 'oidc' })
    await expectScreen(path, person, 'todavía no tienes contraseña')
    expectStatus(await send(person, 'password-letter', {}, path), 303)
    const typed = { currentPassword: 'x', newPassword: chosen }
    expectStatus(await send(person, 'password', typed, path), 409)
  })

  test('switches the shortcuts of one key off, and on again', async () => {
    const person = await newPerson(input)
    const box = /<input[^>]*name="singleKeys"[^>]*>/
    const isOn = async () => box.exec(await markupOf(path, person))![0].includes('checked')
    expect(await isOn()).toBe(true)
    expectLocation(await send(person, 'keys', {}, path), `${path}#teclas`)
    expect([person.cookies.get('carga.keys'), await isOn()]).toEqual(['no', false])
    await send(person, 'keys', { singleKeys: 'on' }, path)
    expect(await isOn()).toBe(true)
  })

  test('is refused unknown forms', async () => {
    const person = await newPerson(input)
    for (const intent of ['', 'nada', 'second-factor-nada'])
      expectStatus(await send(person, intent, {}, path), 400)
  })
})

const edit = (person: Person, changes: Record<string, string> = {}) =>
  send(person, 'profile', { ...form, ...changes }, mine)

test('the profile form changes nothing else', async () => {
  const person = await newPerson()
  const before = await userOf(person)
  await edit(person, {
    role: 'staff',
    kind: 'manager',
    agencyId: person.id,
    email: 'otro@prueba.mx',
    active: 'false',
    emailVerified: 'true',
    id: person.id,
    deletedAt: '2026-01-01',
    twoFactorEnabled: 'true',
  })
  const { name, lastname, fullName, phone, phoneChangedAt, version, updatedAt, ...after } =
    await userOf(person)
  expect(version).toBe(2)
  expect(before).toMatchObject(after)
})

test('of two forms at once one is saved; a wrong or stale one is refused with what was typed', async () => {
  const person = await newPerson()
  expectPage(await edit(person, { phone: '123' }), 400, 'Escribe los 10 dígitos')
  expectStatuses(await Promise.all([edit(person), edit(person)]), 303, 409)
  const stale = await edit(person, { name: 'Otra' })
  expectPage(stale, 409, 'Revisa lo que cambió', 'value="Otra"')
  await expectUser(person, { name: 'Ana María' })
  await expectTrail(person, ['edit_profile'])
})

test.each([
  ['equivocada', chosen, 'La contraseña no es correcta.'],
  [password, 'c0rt4', 'Usa al menos 8 caracteres.'],
  ['', chosen, 'Escribe tu contraseña.'],
])('keeps the password after %o and %o', async (currentPassword, newPassword, message) => {
  const person = await memberOf()
  const answer = await send(person, 'password', { currentPassword, newPassword }, mine)
  expectPage(answer, 400, message)
  expect(answer.text).not.toContain(newPassword)
  expectLocation(await signIn(person.email), '/')
})

test('limits wrong passwords from an open session like those at sign-in', async () => {
  const person = await memberOf()
  for (let n = 0; n < 5; n++)
    await countPasswordTry(db, { email: person.email, place: 'own session' }, new Date())
  const typed = { currentPassword: password, newPassword: chosen }
  expectStatus(await send(person, 'password', typed, mine), 429)
})

const choose = (person: Person, version: number, form: Record<string, string> = {}) =>
  send(person, 'notices', { version: String(version), ...form }, mine)

test('notices store the time of the first consent and each change of it; withdrawn they store none', async () => {
  const person = await newPerson()
  const user = () => userOf(person)
  await choose(person, 1, { whatsapp: 'on' })
  const { whatsappOptInAt } = await user()
  expect(await user()).toMatchObject({ whatsappOptInAt: expect.any(Date), newsOptInAt: null, version: 2 })
  await choose(person, 2, { whatsapp: 'on', news: 'on' })
  expect(await user()).toMatchObject({ whatsappOptInAt, newsOptInAt: expect.any(Date) })
  await expectScreen(mine, person, 'Lo aceptaste el')
  await choose(person, 3, { news: 'on' })
  await choose(person, 4)
  await expectUser(person, { whatsappOptInAt: null, newsOptInAt: null })
  expectStatus(await choose(person, 4, { whatsapp: 'on' }), 409)
  const stored = await rowsWhere(consents, { userId: person.id, version: '2025-01', source: 'account' })
  const changes = ['news false', 'news true', 'whatsapp false', 'whatsapp true']
  expect(stored.map(({ given, kind }) => `${kind} ${given}`).toSorted()).toEqual(changes)
  await expectScreen('/cuenta?datos', person, 'Retiraste tu consentimiento')
})

test('staff get no notices', async () => {
  const person = await newPerson({ kind: 'manager' })
  const form = { whatsapp: 'on', version: '1' }
  expectStatus(await send(person, 'notices', form), 400)
  expectStatus(await send(person, 'notices', form, mine), 403)
})

// That a person ends no session of another: test/security/sessions.test.ts.
const sessionsOf = ({ id }: Person) => rowsWhere(sessions, { userId: id })

test('sessions are listed by device, address and time, without a token', async () => {
  const person = await newPerson()
  const [own] = await sessionsOf(person)
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'
  const other = { userId: person.id, token: 'ajeno', userAgent, ipAddress: '192.0.2.7' }
  await storeRows(sessions, { ...other, expiresAt: fromNow(1e9) })
  const text = await markupOf(mine, person)
  expectWords(text, 'Esta sesión', 'Safari en iPhone', '192.0.2.7', 'Cerrar las demás')
  for (const token of [own!.token, 'ajeno']) expect(text).not.toContain(token)
})

test('sessions are closed one by one, or all others', async () => {
  const person = await newPerson({ kind: 'analyst' })
  const browsers = [await fixture.secondBrowser(person), await fixture.secondBrowser(person)]
  const [, second] = await sessionsOf(person)
  const close = (sessionId: string) => send(person, 'close-session', { sessionId })
  expectStatus(await close('nada'), 400)
  expectLocation(await close(second!.id), `${account}#sesiones`)
  expect(await sessionsOf(person)).toHaveLength(2)
  expectStatus(await send(person, 'close-others'), 303)
  for (const browser of browsers) await expectLed('/admin', browser, '/signin')
  await expectLed('/admin', person, null)
})

test('sessions record when they were last used', async () => {
  const person = await newPerson()
  const used = async () => {
    await fixture.data('/', person)
    return (await sessionsOf(person))[0]!.lastUsedAt
  }
  const [session] = await sessionsOf(person)
  await setRow(sessions, session!, { lastUsedAt: new Date(0) })
  const first = await used()
  expect(Date.now() - first.getTime()).toBeLessThan(60_000)
  expect(await used()).toEqual(first)
})
