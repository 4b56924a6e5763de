import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { accounts, agencies, events, sessions, users } from '../src/server/database/schema.ts'
import type { Answer, Form, Visitor } from './visitor.ts'
import { openWorld, type World } from './world.ts'

const password = 'una-frase-larga'
let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
afterEach(() => {
  vi.useRealTimers()
})

let count = 0
const newEmail = () => `persona-${++count}@prueba.mx`
const userOf = async (email: string) => (await world.db.select().from(users).where(eq(users.email, email)))[0]
const sessionsOf = async (email: string) =>
  (await world.db.select().from(sessions).innerJoin(users, eq(users.id, sessions.userId))).filter(
    (row) => row.users.email === email,
  )

async function signUp(email = newEmail(), as = world.visitor()) {
  const answer = await world.post('/signup', { email, password }, as)
  return { email, as, answer }
}

/** What a person reads of a page, without what differs from one answer to the next. */
const readable = ({ text }: Answer, email: string) =>
  text
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll(email, '…')
    .replace(/nonce="[^"]*"/g, '')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '')

describe('sign-up', () => {
  test('makes a customer without a name, signed in, on the way to the profile', async () => {
    const { answer, as, email } = await signUp(' Alguien.Nuevo@Prueba.MX ')
    expect([answer.status, answer.location]).toEqual([303, '/completion'])
    const user = await userOf(email.trim().toLowerCase())
    const blank = { name: null, lastname: null, phone: null, kind: null, agencyId: null }
    expect(user).toMatchObject({ ...blank, role: 'customer', active: true, emailVerified: false })
    expect(user).toMatchObject({ termsVersion: '2025-01', termsAcceptedAt: expect.any(Date) })
    expect(await sessionsOf('alguien.nuevo@prueba.mx')).toHaveLength(1)
    const trail = await world.db.select().from(events).where(eq(events.entityId, user!.id))
    expect(trail).toMatchObject([{ entity: 'user', name: 'sign_up', actorId: user!.id }])
    expect((await world.visit('/', as)).location).toBe('/completion')
  })

  test('keeps no password that could be read', async () => {
    const { email } = await signUp()
    const user = await userOf(email)
    const [account] = await world.db.select().from(accounts).where(eq(accounts.userId, user!.id))
    expect(account).toMatchObject({ providerId: 'credential', accountId: user!.id })
    expect(account!.password).not.toContain(password)
  })

  test('nobody makes themselves staff, verified, inactive or somebody else', async () => {
    const email = newEmail()
    const id = '00000000-0000-7000-8000-000000000001'
    const more = { role: 'staff', kind: 'manager', active: 'false', emailVerified: 'true', id, name: 'X' }
    await world.post('/signup', { email, password, ...more })
    const made = { role: 'customer', kind: null, active: true, emailVerified: false, name: null }
    const user = await userOf(email)
    expect(user).toMatchObject(made)
    expect(user!.id).not.toBe(id)
  })

  test("the sign-in library's own addresses are not open", async () => {
    const email = newEmail()
    const headers = { 'content-type': 'application/json' }
    for (const path of ['/session/sign-up/email', '/session/sign-in/email', '/api/auth/sign-up/email'])
      expect((await world.post(path, { email, password }, world.visitor(), { headers })).status).not.toBe(200)
    expect(await userOf(email)).toBeUndefined()
  })

  test.each([
    ['', password, 'Escribe tu correo electrónico.'],
    ['no-es-correo', password, 'Escribe un correo válido'],
    ['corta@prueba.mx', '1234567', 'Usa al menos 8 caracteres.'],
    ['larga@prueba.mx', 'x'.repeat(65), 'Usa como máximo 64 caracteres.'],
  ])('refuses %o with the message under its field', async (email, secret, message) => {
    const answer = await world.post('/signup', { email, password: secret })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(message)
    expect(answer.text).toContain(`value="${email}"`)
    expect(answer.text).not.toContain(secret)
    expect(answer.cookies).toEqual([])
    expect(await userOf(email)).toBeUndefined()
  })

  test('takes 8 and 64 characters', async () => {
    for (const length of [8, 64]) {
      const [email, secret] = [newEmail(), 'ñ'.repeat(length)]
      expect((await world.post('/signup', { email, password: secret })).location).toBe('/completion')
      expect((await world.post('/signin', { email, password: secret })).location).toBe('/')
    }
  })

  test('says so when the e-mail has an account, and changes nothing', async () => {
    const { email } = await signUp()
    const answer = await world.post('/signup', { email: email.toUpperCase(), password: 'otra-clave-larga' })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('Ya hay una cuenta con este correo')
    expect((await world.post('/signin', { email, password })).location).toBe('/')
  })

  test('two at once with one e-mail make one account', async () => {
    const email = newEmail()
    const answers = await Promise.all([signUp(email), signUp(email), signUp(email)])
    const statuses = answers.map(({ answer }) => answer.status).sort()
    expect(statuses).toEqual([303, 409, 409])
    expect(await world.db.select().from(users).where(eq(users.email, email))).toHaveLength(1)
  })

  test('ten an hour from one address', async () => {
    const as = world.visitor()
    const { email } = await signUp()
    const again = () => world.post('/signup', { email, password }, as)
    for (let n = 0; n < 10; n++) expect((await again()).status).toBe(409)
    const refused = await again()
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('Demasiados intentos')
    expect((await world.post('/signup', { email, password })).status).toBe(409)
  })
})

describe('sign-in', () => {
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
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('Escribe tu contraseña.')
  })

  test('an inactive person gets in no more, and is told', async () => {
    const { email: gone } = await signUp()
    await world.db.update(users).set({ active: false }).where(eq(users.email, gone))
    const before = await sessionsOf(gone)
    const answer = await world.post('/signin', { email: gone, password })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('Tu cuenta está inactiva')
    expect(await sessionsOf(gone)).toEqual(before)
    expect((await world.post('/signin', { email: gone, password: 'equivocada' })).status).toBe(400)
  })

  test('ten tries a minute from one address, with words in Spanish, also when all come at once', async () => {
    const as = world.visitor()
    const wrong = () => world.post('/signin', { email: newEmail(), password: 'equivocada' }, as)
    const answers = await Promise.all(Array.from({ length: 14 }, wrong))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
    const refused = await world.post('/signin', { email, password }, as)
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('Demasiados intentos')
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
})

describe('the session', () => {
  test('its cookie is out of reach of scripts and of other sites', async () => {
    const { answer } = await signUp()
    const [cookie] = answer.cookies.filter((line) => line.startsWith('carga.session_token='))
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; SameSite=Lax/)
    expect(cookie).toMatch(/; Path=\//)
    expect(cookie).not.toMatch(/; Secure/)
  })

  test('behind TLS its cookie is Secure, and works', async () => {
    const tls = world.under({ BASE_URL: 'https://carga.test' })
    const as = world.visitor()
    const answer = await tls.post('/signup', { email: newEmail(), password }, as)
    const [cookie] = answer.cookies.filter((line) => line.includes('session_token='))
    expect(cookie).toMatch(/^__Host-carga\.session_token=.*; Secure/)
    expect(cookie).toMatch(/; HttpOnly/)
    expect((await tls.visit('/', as)).location).toBe('/completion')
    expect(answer.headers.get('strict-transport-security')).toContain('max-age=')
  })

  test('signing out ends it for good', async () => {
    const { as, email } = await signUp()
    const kept: Visitor = { cookies: new Map(as.cookies), address: as.address }
    const answer = await world.post('/signout', {}, as)
    expect([answer.status, answer.location]).toEqual([303, '/signin'])
    expect(await sessionsOf(email)).toEqual([])
    expect((await world.visit('/', as)).location).toBe('/signin')
    expect((await world.visit('/', kept)).location).toBe('/signin')
  })

  test('a link cannot sign anybody out', async () => {
    const { as, email } = await signUp()
    await world.visit('/signout', as)
    expect(await sessionsOf(email)).toHaveLength(1)
  })

  test('signing out here leaves the other browser signed in', async () => {
    const person = await world.person()
    const other = await world.secondBrowser(person)
    await world.post('/signout', {}, person)
    expect((await world.visit('/', other)).status).toBe(200)
  })

  test('it stops the moment the person is inactive', async () => {
    const person = await world.person({ kind: 'manager' })
    expect((await world.visit('/admin', person)).status).toBe(200)
    await world.db.update(users).set({ active: false }).where(eq(users.id, person.id))
    expect((await world.visit('/admin', person)).location).toBe('/signin')
    expect((await world.data('/admin', person)).location).toBe('/signin')
  })

  test('an ally whose agency is inactive is out, and stays out', async () => {
    const [agency] = await world.db.insert(agencies).values({ name: 'Autos que cierran' }).returning()
    const { email } = await signUp()
    const change = { name: 'Aldo', role: 'staff', kind: 'alliate', agencyId: agency!.id } as const
    await world.db.update(users).set(change).where(eq(users.email, email))
    const as = world.visitor()
    expect((await world.post('/signin', { email, password }, as)).location).toBe('/')
    expect((await world.visit('/admin', as)).status).toBe(200)
    await world.db.update(agencies).set({ active: false }).where(eq(agencies.id, agency!.id))
    expect((await world.visit('/admin', as)).location).toBe('/signin')
    const answer = await world.post('/signin', { email, password })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('Tu concesionaria está inactiva')
    expect((await world.post('/signin', { email, password: 'equivocada' })).status).toBe(400)
  })

  test('a token without our signature opens nothing, nor one whose end is near', async () => {
    const person = await world.person()
    const [token] = decodeURIComponent(person.cookies.get('carga.session_token')!).split('.')
    for (const forged of [token!, `${token}.`, `${token}.${'A'.repeat(43)}=`, '%E0%A4%A', '.']) {
      const as = world.visitor()
      as.cookies.set('carga.session_token', forged)
      expect((await world.visit('/', as)).location).toBe('/signin')
    }
    await world.db
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() + 29_000) })
      .where(eq(sessions.userId, person.id))
    expect((await world.visit('/', person)).location).toBe('/signin')
  })
})

describe('requests from elsewhere', () => {
  const form: Form = { name: 'Eva', lastname: 'Ajena', phone: '5512345678' }

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another scheme', { origin: 'https://carga.test' }],
    ['another port', { origin: 'http://carga.test:8080' }],
    ['a name that begins like ours', { origin: 'http://carga.test.evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['nowhere, with a cookie', { origin: null }],
    ['a page that says it is cross-site', { headers: { 'sec-fetch-site': 'cross-site' } }],
  ])('a change from %s is refused and changes nothing', async (_from, options) => {
    const person = await world.person({ name: null })
    for (const path of ['/completion', '/completion.data', '/signout', '/anything'])
      expect((await world.post(path, form, person, options)).status).toBe(403)
    expect(await userOf(person.email)).toMatchObject({ name: null })
    expect(await sessionsOf(person.email)).toHaveLength(1)
  })

  test('a program without cookies may leave the origin out', async () => {
    const { email } = await signUp()
    const answer = await world.post('/signin', { email, password }, world.visitor(), { origin: null })
    expect(answer.location).toBe('/')
  })
})

describe('completion', () => {
  const form = { name: '  Ana   María ', lastname: 'López', phone: '+52 55 1234 5678' }

  test('writes name, last name and phone, and when', async () => {
    const person = await world.person({ name: null })
    await world.db
      .update(users)
      .set({ createdAt: new Date(0) })
      .where(eq(users.id, person.id))
    const answer = await world.post('/completion', form, person)
    expect([answer.status, answer.location]).toEqual([303, '/'])
    const user = await userOf(person.email)
    expect(user).toMatchObject({ name: 'Ana María', lastname: 'López', phone: '5512345678', version: 2 })
    expect(Date.now() - user!.createdAt.getTime()).toBeLessThan(60_000)
    const home = await world.visit('/', person)
    expect(home.status).toBe(200)
    expect(home.text).toContain('Te damos la bienvenida, Ana María')
    expect((await world.visit('/', person)).text).not.toContain('Te damos la bienvenida')
  })

  test('gives nobody another role', async () => {
    const person = await world.person({ name: null })
    await world.post('/completion', { ...form, role: 'staff', kind: 'manager', active: 'false' }, person)
    expect(await userOf(person.email)).toMatchObject({ role: 'customer', kind: null, active: true })
  })

  test('staff complete theirs and stay what they are', async () => {
    const person = await world.person({ name: null, kind: 'tecnician' })
    expect((await world.visit('/admin', person)).location).toBe('/completion')
    await world.post('/completion', { ...form, role: 'customer', kind: '' }, person)
    expect(await userOf(person.email)).toMatchObject({ name: 'Ana María', role: 'staff', kind: 'tecnician' })
    expect((await world.visit('/admin', person)).status).toBe(200)
  })

  test.each([
    ['name', '', 'Escribe tu nombre.'],
    ['name', '123', 'Escribe al menos una letra.'],
    ['lastname', ' ', 'Escribe tus apellidos.'],
    ['phone', '', 'Escribe tu teléfono.'],
    ['phone', '12345', 'Escribe los 10 dígitos'],
  ])('%s %o is refused, and what was typed is kept', async (field, typed, message) => {
    const person = await world.person({ name: null })
    const answer = await world.post('/completion', { ...form, [field]: typed }, person)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(message)
    if (field !== 'lastname') expect(answer.text).toContain('value="López"')
    expect(await userOf(person.email)).toMatchObject({ name: null, phone: null })
  })

  test('happens once', async () => {
    const person = await world.person({ name: null })
    await Promise.all([1, 2, 3].map(() => world.post('/completion', form, person)))
    const done = and(eq(events.entityId, person.id), eq(events.name, 'complete_profile'))
    expect(await world.db.select().from(events).where(done)).toHaveLength(1)
    const again = await world.post('/completion', { ...form, name: 'Otra' }, person)
    expect([again.status, again.location]).toEqual([302, '/'])
    expect(await userOf(person.email)).toMatchObject({ name: 'Ana María' })
  })

  test('nobody signed in completes nothing', async () => {
    expect((await world.post('/completion', form)).location).toBe('/signin')
    expect((await world.post('/completion.data', form)).location).toBe('/signin')
  })
})
