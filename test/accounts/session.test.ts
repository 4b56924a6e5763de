import { createHmac } from 'node:crypto'
import { idTokenKey } from '../../src/accounts/auth.ts'
import { endSessions } from '../../src/accounts/providers.ts'
import { markerIn } from '../../src/accounts/rules/sessions.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { sessions } from '../../src/platform/database/schema/accounts.ts'
import { agencies } from '../../src/platform/database/schema/projects.ts'
import { newEmail, password, sessionsOf, signIn, signUp } from '../kit/accounts.ts'
import { ago, db, expectLed, fixture, newPerson, openBare, setRow } from '../kit/open.ts'
import { secret } from '../kit/people.ts'
import { expectLocation, expectPage, expectStatus, expectWords, rowsIn } from '../kit/reading.ts'
import type { Visitor } from '../kit/visitor.ts'
import { inDays } from './holdings.ts'
import { memberOf } from './own.ts'

openBare()

// How a session ends, and which tokens open nothing: test/security/sessions.test.ts.
test('keeps the cookie from scripts and from other sites; over TLS it is Secure too', async () => {
  const ofSession = ({ cookies }: { cookies: string[] }) =>
    cookies.find((line) => line.includes('carga.session_token='))!
  const plain = ofSession((await signUp()).answer)
  expectWords(plain, '; HttpOnly', '; SameSite=Lax', '; Path=/')
  expect(plain).not.toContain('; Secure')

  const tls = fixture.under({ BASE_URL: 'https://carga.test' })
  const as = fixture.visitor()
  const answer = await tls.post('/signup', { email: newEmail(), password }, as)
  expect(ofSession(answer)).toMatch(/^__Host-carga\.session_token=(?=.*; HttpOnly).*; Secure/)
  expectLocation(await tls.data('/', as), '/completion')
  expect(answer.headers.get('strict-transport-security')).toContain('max-age=')
})

test('a session keeps the beginning of what its browser calls itself, and the least used end beyond fifty', async () => {
  const { email, id: userId } = await memberOf()
  const usedAt = (n: number) => new Date(Date.now() - n * 60_000)
  const rows = Array.from({ length: 55 }, (_, n) => ({
    userId,
    token: `${userId} ${n}`,
    expiresAt: inDays(1),
    lastUsedAt: usedAt(n + 1),
  }))
  await fixture.db.insert(sessions).values(rows)
  const sent = { headers: { 'user-agent': 'x'.repeat(12_000) } }
  await fixture.post('/signin', { email, password }, fixture.visitor(), sent)
  const left = await rowsIn(fixture, sessions, { userId })
  expect(left).toHaveLength(50)
  expect(left.map(({ userAgent }) => userAgent?.length)).toContain(300)
  expect(left.map(({ token }) => token)).toContain(rows[40]!.token)
  expect(left.map(({ token }) => token)).not.toContain(rows[54]!.token)
})

test('signing out deletes this session and leaves the other browser signed in', async () => {
  const person = await newPerson()
  const other = await fixture.secondBrowser(person)
  const answer = await fixture.post('/signout', {}, person)
  expect([answer.status, answer.location]).toEqual([303, '/signin'])
  expect(await sessionsOf(person.email)).toHaveLength(1)
  await expectLed('/', other, null)
})

test('signs an ally of an inactive agency out, and lets none in', async () => {
  const agency = await fixture.agency()
  const ally = await memberOf({ kind: 'alliate', agencyId: agency.id })
  await expectLed('/admin', ally, null)
  await setRow(agencies, agency, { active: false })
  await expectLed('/admin', ally, '/signin')
  expectPage(await signIn(ally.email), 403, 'Tu concesionaria está inactiva')
  expectStatus(await signIn(ally.email, 'equivocada'), 400)
})

const ofMarker = ({ cookies }: { cookies: string[] }) =>
  cookies.filter((cookie) => cookie.startsWith('carga.who='))

test('marks each session by a cookie of its own that scripts may read, set once', async () => {
  const person = await newPerson()
  const [set] = ofMarker(await fixture.visit('/', person))
  expect(set).toMatch(/^carga\.who=[\w-]{16}; Path=\/; SameSite=Lax$/)
  expect(ofMarker(await fixture.visit('/', person))).toEqual([])
  expect(ofMarker(await fixture.visit('/', await fixture.secondBrowser(person)))[0]).not.toBe(set)
})

test('sets the marker Secure and host-only over https', async () => {
  const { visit } = fixture.under({ BASE_URL: 'https://carga.test' })
  // Signed out there is none.
  expect((await visit('/')).cookies).toEqual([])
  const planted = fixture.visitor()
  planted.cookies.set('__Host-carga.who', 'another')
  expect((await visit('/', planted)).cookies[0]).toMatch(/^__Host-carga\.who=; .*; Secure$/)
})

test('removes the marker by any kind of answer once the session ended elsewhere', async () => {
  for (const path of ['/', '/live', '/v1/session']) {
    const person = await newPerson()
    await fixture.visit('/', person)
    await transaction(db, (tx) => endSessions(tx, person.id))
    expect(ofMarker(await fixture.visit(path, person))).toEqual([
      'carga.who=; Path=/; SameSite=Lax; Max-Age=0',
    ])
    expect(ofMarker(await fixture.visit(path, person))).toEqual([])
  }
})

test('finds the marker among other cookies by its whole name', () => {
  expect(markerIn('flash=x; carga.who=abc; other=1')).toBe('abc')
  expect(markerIn('notcarga.who=abc; other=carga.who=1')).toBe('')
  expect(markerIn('')).toBe('')
  expect(markerIn('carga.who=planted; __Host-carga.who=abc')).toBe('abc')
})

const tokenOf = async (as?: Visitor) => {
  const { visit } = fixture.under({ AUTH_SYNC_PATH: '/sincronizar' })
  return JSON.parse((await visit('/v1/token', as)).text).token as string | null
}

test('the token for other services names the signed-in person, signed by our key, for 300 s', async () => {
  const person = await newPerson()
  const [head, claims, signature] = ((await tokenOf(person)) ?? '').split('.')
  const expected = createHmac('sha256', idTokenKey(secret)).update(`${head}.${claims}`).digest('base64url')
  expect(signature).toBe(expected)
  const said = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())
  const who = { sub: person.id, email: person.email, email_verified: true }
  expect(said).toMatchObject({ iss: 'http://carga.test', ...who })
  expect(said.exp - said.iat).toBe(300)
})

test('the token for other services is null without a session, and after 300 s', async () => {
  const person = await newPerson()
  const [session] = await sessionsOf(person.email)
  const age = (seconds: number) => setRow(sessions, session!, { updatedAt: ago(seconds * 1000) })
  await age(290)
  expect(await tokenOf(person)).toMatch(/\./)
  await age(301)
  expect(await tokenOf(person)).toBeNull()
  expect(await tokenOf()).toBeNull()
})

test('there is no token for other services without AUTH_SYNC_PATH', async () =>
  expectStatus(await fixture.visit('/v1/token', await newPerson()), 404))
