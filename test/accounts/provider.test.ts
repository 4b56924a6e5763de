import { eq } from 'drizzle-orm'
import { sessionLimits } from '../../src/accounts/rules/sessions.ts'
import { signInErrors } from '../../src/accounts/rules/sign-in-errors.ts'
import { accounts, sessions, users, verifications } from '../../src/platform/database/schema/accounts.ts'
import { openFixture } from '../kit/fixture.ts'
import { ago, db, enter, fixture, markupOf, post, rowsWhere, rowWhere, storeRows } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectLocation, expectPage, expectStatus } from '../kit/reading.ts'
import { codeOf } from '../kit/totp.ts'
import { freePort } from '../kit/two-servers.ts'
import type { Visitor } from '../kit/visitor.ts'
import { client, startIssuer } from './issuer.ts'
import { account, enrol, lettersTo, memberOf, password, send } from './own.ts'

const base = 'http://carga.test'
let issuer: Awaited<ReturnType<typeof startIssuer>>
beforeAll(async () => {
  issuer = await startIssuer(await freePort(), `${base}/session/callback/oidc`)
  enter(
    await openFixture({
      OIDC_ISSUER: issuer.origin,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
    }),
  )
})
afterAll(async () => {
  await issuer.stop()
  await fixture.close()
})

/** Signs in at the issuer as a browser does; returns the address of ours that it leads back to. */
async function isSentBack(as: Visitor, { email }: Person, next: string): Promise<string> {
  issuer.story.person = { sub: email, email, verified: true }
  const cookies = new Map<string, string>()
  const { text } = await post('/session/provider/start', { next }, as)
  let at = /<a href="([^"]+)"/
    .exec(text)![1]!
    .replace(/&#(\d+);/g, (_, sign) => String.fromCodePoint(Number(sign)))
  while (!at.startsWith(base)) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    at = new URL(answer.headers.get('location')!, at).href
  }
  return at.slice(base.length)
}

/** Signs in at the issuer; returns where our own site leads then. */
const comesBack = async (as: Visitor, person: Person, next: string) =>
  (await fixture.visit(await isSentBack(as, person, next), as)).onward

const sessionsOf = ({ id }: Person) => rowsWhere(sessions, { userId: id })

test('asks for the second factor after the provider too', async () => {
  const person = await memberOf({ kind: 'manager' })
  const { secret } = await enrol(person)
  const before = await sessionsOf(person)
  const as = fixture.visitor()
  expect(await comesBack(as, person, '/admin/assignations')).toBe('/signin?next=%2Fadmin%2Fassignations')
  expect(await sessionsOf(person)).toEqual(before)
  expectLocation(await fixture.visit('/admin', as), '/signin')
  expectPage(await fixture.visit('/signin?next=%2Fadmin%2Fassignations', as), 200, 'Escribe tu código')
  const form = { intent: 'totp-code', code: codeOf(secret), next: '/admin/assignations' }
  expectLocation(await post('/signin', form, as), '/admin/assignations')
  expectStatus(await fixture.visit('/admin', as), 200)
})

test('a new link is announced by e-mail and listed; removed it signs in no more; the last way in stays', async () => {
  const person = await memberOf({ kind: 'analyst' })
  const byProvider = fixture.visitor()
  const other = await fixture.person({ kind: 'analyst' })
  // The second time it is linked already.
  for (const as of [byProvider, fixture.visitor()]) {
    expect(await comesBack(as, person, '/admin')).toBe('/admin')
    expect(await lettersTo(person)).toEqual(['provider_linked'])
  }
  expectStatus(await fixture.data('/admin', byProvider), 200)
  const ways = 'Otras formas de entrar'
  expect(await markupOf(account, other)).not.toContain(ways)
  expectPage(await fixture.visit(account, person), 200, ways)
  const wayOf = (providerId: string) => rowWhere(accounts, { userId: person.id, providerId })
  const { id: linkId } = (await wayOf('oidc'))!
  const remove = (by: Person, currentPassword = password) =>
    send(by, 'unlink-provider', { linkId, currentPassword })
  expectStatus(await remove(other), 404)
  for (const wrong of ['', 'no-es-la-mia'])
    expectPage(await remove(person, wrong), 400, 'La contraseña no es correcta')
  const kept = (await wayOf('credential'))!
  await db.delete(accounts).where(eq(accounts.id, kept.id))
  expectPage(await fixture.visit(account, person), 200, 'Es tu única forma de entrar')
  expectPage(await remove(person), 409, 'única forma de entrar')
  await db.update(sessions).set({ createdAt: ago(60 * 60_000) })
  expectPage(await remove(person), 409, 'vuelve a entrar')
  await storeRows(accounts, kept)
  expectLocation(await remove(person), '/admin/account#contrasena')
  expectLocation(await fixture.data('/admin', byProvider), '/signin')
  expectStatus(await fixture.data('/admin', person), 200)
  expectStatus(await remove(person), 404)
})

test('sends no e-mail about a link to a new account', async () => {
  const email = `nueva-${Date.now()}@prueba.mx`
  expect(await comesBack(fixture.visitor(), { email } as Person, '/')).toBe('/')
  const [user] = await rowsWhere(users, { email })
  expect(await lettersTo(user as never)).toEqual([])
})

test('accepts an answer of the issuer for 10 minutes, and once', async () => {
  const person = await memberOf({ kind: 'analyst' })
  const shown = async (as: Visitor, address: string) => {
    const { location } = await fixture.visit(address, as)
    return await markupOf((await fixture.visit(location!, as)).location!, as)
  }
  const late = fixture.visitor()
  await db.delete(verifications)
  const address = await isSentBack(late, person, '/admin')
  const [kept] = await rowsWhere(verifications)
  const state = JSON.parse(kept!.value) as { expiresAt: number }
  expect(Math.abs(state.expiresAt - Date.now() - sessionLimits.redirectAnswer)).toBeLessThan(5_000)
  const value = JSON.stringify({ ...state, expiresAt: Date.now() - 1 })
  await db.update(verifications).set({ value })
  const { title } = signInErrors['invalid-auth-event']
  expect(await shown(late, address)).toContain(title)

  const twice = fixture.visitor()
  const good = await isSentBack(twice, person, '/admin')
  expectLocation(await fixture.visit(good, twice), '/admin')
  const cookies = new Map([...twice.cookies].filter(([name]) => !name.includes('session_token')))
  expect(await shown({ ...twice, cookies }, good)).toContain(title)
  expect(await sessionsOf(person)).toHaveLength(2)
})
