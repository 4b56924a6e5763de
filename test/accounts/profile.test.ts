import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { accounts, sessions, users } from '../../src/server/platform/database/schema/accounts.ts'
import { openBare, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { eventsOf, expectPage, rowIn, rowsIn } from '../kit/reading.ts'
import { account, lettersTo, memberOf, password, send } from './own.ts'

openBare()

const userOf = async ({ id }: Person) => (await rowIn(world, users, { id }))!
const mine = '/cuenta'
const form = { name: 'Ana María', lastname: 'López Ruiz', phone: '+52 55 8765 4321', version: '1' }

test.each([
  ['/?cuenta', '/cuenta'],
  ['/?index&cuenta', '/cuenta'],
  ['/?cuenta&datos', '/cuenta?datos'],
])('%s, the address of before, leads to %s, also what is sent', async (before, now) => {
  const person = await memberOf(world, {})
  const read = await world.visit(before, person)
  expect([read.status, read.location]).toEqual([301, now])
  const sent = await world.post(
    before.replace('/?cuenta', '/?index&cuenta'),
    { intent: 'password-letter' },
    person,
  )
  expect([sent.status, sent.location]).toEqual([308, now])
})

test('the account is a part of the home: guarded as that is', async () => {
  const analyst = await memberOf(world, { kind: 'analyst' })
  expect((await world.visit('/cuenta')).onward).toBe('/signin?next=%2Fcuenta')
  for (const path of ['/cuenta', '/?cuenta']) {
    expect((await world.visit(path, analyst)).location).toBe('/admin')
    expect((await world.post(path, { intent: 'password-letter' }, analyst)).status).toBe(403)
  }
})

/** Both kinds of people have the same forms, each at their own address. */
const places = [
  ['a customer', mine, '/cuenta', undefined],
  ['a technician', account, account, 'tecnician'],
] as const

describe.each(places)('%s', (_who, path, back, kind) => {
  const somebody = () => memberOf(world, kind ? { kind } : {})

  test('changes name and phone', async () => {
    const person = await somebody()
    const answer = await send(world, person, 'profile', form, path)
    expect([answer.status, answer.location]).toEqual([303, `${back}#perfil`])
    expect(await userOf(person)).toMatchObject({
      name: 'Ana María',
      lastname: 'López Ruiz',
      phone: '5587654321',
      version: 2,
    })
    const [event] = await eventsOf(world, person)
    expect(event).toMatchObject({ name: 'edit_profile', actorId: person.id })
    expect(event!.data).toEqual({ changed: ['name', 'lastname', 'phone'] })
    expect((await world.visit(back, person)).text).toContain('558 765 43 21')
  })

  test('nothing else, whatever the form says', async () => {
    const person = await somebody()
    const before = await userOf(person)
    const more = {
      role: 'staff',
      kind: 'manager',
      agencyId: person.id,
      email: 'otro@prueba.mx',
      active: 'false',
    }
    const others = { emailVerified: 'true', id: person.id, deletedAt: '2026-01-01', twoFactorEnabled: 'true' }
    await send(world, person, 'profile', { ...form, ...more, ...others }, path)
    const { name, lastname, fullName, phone, version, updatedAt, ...after } = await userOf(person)
    expect(before).toMatchObject(after)
  })

  test('by a page that somebody else overtook: 409, and nothing changes', async () => {
    const person = await somebody()
    await send(world, person, 'profile', form, path)
    const stale = await send(world, person, 'profile', { ...form, name: 'Otra' }, path)
    expectPage(stale, 409, 'Alguien más actualizó este registro.', 'value="Otra"')
    expect(await userOf(person)).toMatchObject({ name: 'Ana María' })
  })

  test('sent twice at once it is one change', async () => {
    const person = await somebody()
    const answers = await Promise.all([1, 2].map(() => send(world, person, 'profile', form, path)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
    expect(await eventsOf(world, person)).toHaveLength(1)
  })

  test.each([
    ['name', '', 'Escribe tu nombre.'],
    ['lastname', '123', 'Escribe al menos una letra.'],
    ['phone', '123', 'Escribe los 10 dígitos'],
  ])('%s %o is refused under its field', async (field, typed, message) => {
    const person = await somebody()
    const answer = await send(world, person, 'profile', { ...form, [field]: typed }, path)
    expectPage(answer, 400, message)
    expect(await userOf(person)).toMatchObject({ version: 1 })
  })

  test('a form that is none of the page is refused', async () => {
    const person = await somebody()
    for (const intent of ['', 'nada', 'second-factor-nada'])
      expect((await send(world, person, intent, {}, path)).status).toBe(400)
  })

  test('changes the password: the other sessions end, and only the new one serves', async () => {
    const person = await somebody()
    const other = await world.secondBrowser(person)
    const answer = await send(
      world,
      person,
      'password',
      {
        currentPassword: password,
        newPassword: 'otra-frase-larga',
      },
      path,
    )
    expect([answer.status, answer.location]).toEqual([303, `${back}#contrasena`])
    expect((await world.visit(back, other)).location).toBe('/signin')
    expect((await world.visit(back, person)).status).toBe(200)
    expect((await world.post('/signin', { email: person.email, password })).status).toBe(400)
    const entered = await world.post('/signin', { email: person.email, password: 'otra-frase-larga' })
    expect(entered.location).toBe('/')
    expect(await lettersTo(world, person)).toEqual(['password_changed'])
  })

  test.each([
    [{ currentPassword: 'equivocada', newPassword: 'otra-frase-larga' }, 'La contraseña no es correcta.'],
    [{ currentPassword: password, newPassword: 'c0rt4' }, 'Usa al menos 8 caracteres.'],
    [{ currentPassword: '', newPassword: 'otra-frase-larga' }, 'Escribe tu contraseña.'],
  ])('keeps the password after %o', async (typed, message) => {
    const person = await somebody()
    const answer = await send(world, person, 'password', typed, path)
    expectPage(answer, 400, message)
    expect(answer.text).not.toContain(typed.newPassword)
    expect((await world.post('/signin', { email: person.email, password })).location).toBe('/')
  })

  test('the password can be guessed as little from an open session as at sign-in', async () => {
    const person = await somebody()
    const guess = () =>
      send(world, person, 'password', { currentPassword: 'x', newPassword: 'una-nueva-frase' }, path)
    const statuses = []
    for (let n = 0; n < 7; n++) statuses.push((await guess()).status)
    expect(statuses).toContain(429)
  })

  test('whoever came by the provider gets a password by letter', async () => {
    const person = await world.person(kind ? { kind } : {})
    await world.db.insert(accounts).values({ userId: person.id, accountId: person.id, providerId: 'oidc' })
    const page = await world.visit(back, person)
    expect(page.text).toContain('todavía no tienes contraseña')
    expect((await send(world, person, 'password-letter', {}, path)).status).toBe(303)
    const changed = await send(
      world,
      person,
      'password',
      { currentPassword: 'x', newPassword: 'otra-frase-larga' },
      path,
    )
    expect(changed.status).toBe(409)
  })
})

describe('notices', () => {
  test('keep when they were wanted, and forget it when they no longer are', async () => {
    const person = await memberOf(world)
    await send(world, person, 'notices', { whatsapp: 'on', version: '1' }, mine)
    const first = await userOf(person)
    expect(first).toMatchObject({ whatsappOptInAt: expect.any(Date), newsOptInAt: null, version: 2 })
    await send(world, person, 'notices', { whatsapp: 'on', news: 'on', version: '2' }, mine)
    const second = await userOf(person)
    expect(second.whatsappOptInAt).toEqual(first.whatsappOptInAt)
    expect(second.newsOptInAt).toEqual(expect.any(Date))
    expect((await world.visit('/cuenta', person)).text).toContain('Lo aceptaste el')
    await send(world, person, 'notices', { version: '3' }, mine)
    expect(await userOf(person)).toMatchObject({ whatsappOptInAt: null, newsOptInAt: null })
    const stale = await send(world, person, 'notices', { whatsapp: 'on', version: '3' }, mine)
    expect(stale.status).toBe(409)
  })

  test('are not for staff', async () => {
    const person = await memberOf(world, { kind: 'manager' })
    expect((await send(world, person, 'notices', { whatsapp: 'on', version: '1' })).status).toBe(400)
    expect((await send(world, person, 'notices', { whatsapp: 'on', version: '1' }, mine)).status).toBe(403)
  })
})

describe('sessions', () => {
  const sessionsOf = ({ id }: Person) => rowsIn(world, sessions, { userId: id })

  test('are listed by device, address and time, without a token', async () => {
    const person = await memberOf(world)
    const [own] = await sessionsOf(person)
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'
    await world.db.insert(sessions).values({
      userId: person.id,
      token: 'ajeno',
      userAgent,
      ipAddress: '192.0.2.7',
      expiresAt: new Date(Date.now() + 1e9),
    })
    const { text } = await world.visit('/cuenta', person)
    for (const words of ['Esta sesión', 'Safari en iPhone', '192.0.2.7', 'Cerrar las demás'])
      expect(text).toContain(words)
    for (const token of [own!.token, 'ajeno']) expect(text).not.toContain(token)
  })

  test('one is closed, and all others', async () => {
    const person = await memberOf(world, { kind: 'analyst' })
    const browsers = [await world.secondBrowser(person), await world.secondBrowser(person)]
    const [, second] = await sessionsOf(person)
    const answer = await send(world, person, 'close-session', { sessionId: second!.id })
    expect([answer.status, answer.location]).toEqual([303, `${account}#sesiones`])
    expect(await sessionsOf(person)).toHaveLength(2)
    expect((await send(world, person, 'close-others')).status).toBe(303)
    expect(await sessionsOf(person)).toHaveLength(1)
    for (const browser of browsers) expect((await world.visit('/admin', browser)).location).toBe('/signin')
    expect((await world.visit('/admin', person)).status).toBe(200)
  })

  test("another person's is not there", async () => {
    const [person, stranger] = [await memberOf(world, { kind: 'manager' }), await memberOf(world)]
    const [theirs] = await sessionsOf(stranger)
    expect((await send(world, person, 'close-session', { sessionId: theirs!.id })).status).toBe(404)
    expect((await send(world, person, 'close-session', { sessionId: 'nada' })).status).toBe(400)
    expect(await sessionsOf(stranger)).toHaveLength(1)
  })

  test('say when they were last used', async () => {
    const person = await memberOf(world)
    const [own] = await sessionsOf(person)
    await world.db
      .update(sessions)
      .set({ lastUsedAt: new Date(0) })
      .where(eq(sessions.id, own!.id))
    await world.visit('/', person)
    const [used] = await sessionsOf(person)
    expect(Date.now() - used!.lastUsedAt.getTime()).toBeLessThan(60_000)
    await world.visit('/', person)
    expect((await sessionsOf(person))[0]!.lastUsedAt).toEqual(used!.lastUsedAt)
  })
})

test.each([
  ['a customer', {}, mine],
  ['staff', { kind: 'analyst' }, '/admin/account'],
] as const)('%s switches the shortcuts of one key off, and on again', async (_who, wish, path) => {
  const person = await memberOf(world, wish)
  const box = async () =>
    /<input[^>]*name="singleKeys"[^>]*>/.exec((await world.visit(path, person)).text)![0]
  expect(await box()).toContain('checked')
  expect((await world.post(path, { intent: 'keys' }, person)).location).toBe(`${path}#teclas`)
  expect(person.cookies.get('carga.keys')).toBe('no')
  expect(await box()).not.toContain('checked')
  await world.post(path, { intent: 'keys', singleKeys: 'on' }, person)
  expect(await box()).toContain('checked')
})
