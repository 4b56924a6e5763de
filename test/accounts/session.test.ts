import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { sessions, users } from '../../src/server/platform/database/schema/accounts.ts'
import { agencies } from '../../src/server/platform/database/schema/projects.ts'
import { newEmail, password, storiesIn } from '../kit/accounts.ts'
import { openBare, world } from '../kit/open.ts'
import { expectPage } from '../kit/reading.ts'
import type { Visitor } from '../kit/visitor.ts'

openBare()
let { sessionsOf, signUp } = {} as ReturnType<typeof storiesIn>
beforeAll(async () => {
  ;({ sessionsOf, signUp } = storiesIn(world))
})

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
  const agency = await world.agency({ name: 'Autos que cierran' })
  const { email } = await signUp()
  const change = { name: 'Aldo', role: 'staff', kind: 'alliate', agencyId: agency.id } as const
  await world.db.update(users).set(change).where(eq(users.email, email))
  const as = world.visitor()
  expect((await world.post('/signin', { email, password }, as)).location).toBe('/')
  expect((await world.visit('/admin', as)).status).toBe(200)
  await world.db.update(agencies).set({ active: false }).where(eq(agencies.id, agency.id))
  expect((await world.visit('/admin', as)).location).toBe('/signin')
  const answer = await world.post('/signin', { email, password })
  expectPage(answer, 403, 'Tu concesionaria está inactiva')
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
