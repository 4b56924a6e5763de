import { createServer } from 'node:net'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sessionLimits } from '../../src/domain/accounts/sessions.ts'
import { signInErrors } from '../../src/domain/accounts/sign-in-errors.ts'
import {
  accounts,
  sessions,
  users,
  verifications,
} from '../../src/server/platform/database/schema/accounts.ts'
import type { Person } from '../kit/people.ts'
import { expectLocation, expectStatus, expectWords, rowsIn } from '../kit/reading.ts'
import { expectShown } from '../kit/screens.ts'
import type { Visitor } from '../kit/visitor.ts'
import { openWorld, type World } from '../kit/world.ts'
import { client, startIssuer } from './issuer.ts'
import { account, codeOf, enrol, lettersTo, memberOf, send } from './own.ts'

const base = 'http://carga.test'
let issuer: Awaited<ReturnType<typeof startIssuer>>
let world: World
beforeAll(async () => {
  issuer = await startIssuer(await freePort(), `${base}/session/callback/oidc`)
  world = await openWorld({
    OIDC_ISSUER: issuer.origin,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
  })
})
afterAll(async () => {
  await issuer.stop()
  await world.close()
})

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** Signs in at the issuer as a browser does; answers the address of ours that it sends the person back to. */
async function isSentBack(as: Visitor, { email }: Person, next: string): Promise<string> {
  issuer.story.person = { sub: email, email, verified: true }
  const cookies = new Map<string, string>()
  const { text } = await world.post('/session/provider/start', { next }, as)
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

/** Signs in at the issuer; answers where our own site sends the person then. */
const comesBack = async (as: Visitor, person: Person, next: string) =>
  (await world.visit(await isSentBack(as, person, next), as)).onward

const sessionsOf = ({ id }: Person) => rowsIn(world, sessions, { userId: id })

test('whoever has a second factor is asked for it after the provider too', async () => {
  const person = await memberOf(world, { kind: 'manager' })
  const { secret } = await enrol(world, person)
  const before = await sessionsOf(person)
  const as = world.visitor()
  expect(await comesBack(as, person, '/admin/assignations')).toBe('/signin?next=%2Fadmin%2Fassignations')
  expect(await sessionsOf(person)).toEqual(before)
  expectLocation(await world.visit('/admin', as), '/signin')
  const page = await world.visit('/signin?next=%2Fadmin%2Fassignations', as)
  expectWords(page.text, 'Escribe tu código')
  const form = { intent: 'totp-code', code: codeOf(secret), next: '/admin/assignations' }
  expectLocation(await world.post('/signin', form, as), '/admin/assignations')
  expectStatus(await world.visit('/admin', as), 200)
})

test('whoever has none is not', async () => {
  const person = await memberOf(world, { kind: 'manager' })
  const as = world.visitor()
  expect(await comesBack(as, person, '/admin/assignations')).toBe('/admin/assignations')
  expectStatus(await world.visit('/admin', as), 200)
  const linked = await rowsIn(world, accounts, { userId: person.id })
  expect(linked.map(({ providerId }) => providerId).sort()).toEqual(['credential', 'oidc'])
})

test('a new link is told by letter and listed; taken away it leads in no more, and other sessions end; never the last way in', async () => {
  const person = await memberOf(world, { kind: 'analyst' })
  const [byProvider, other] = [world.visitor(), await memberOf(world, { kind: 'analyst' })]
  expect(await comesBack(byProvider, person, '/admin')).toBe('/admin')
  expect(await lettersTo(world, person)).toEqual(['provider_linked'])
  expect(await comesBack(world.visitor(), person, '/admin')).toBe('/admin')
  expect(await lettersTo(world, person)).toEqual(['provider_linked'])
  expect((await world.visit(account, other)).text).not.toContain('Otras formas de entrar')
  await expectShown(account, person, 'Otras formas de entrar')
  const [link] = await world.db
    .select()
    .from(accounts)
    .where(and(eq(accounts.userId, person.id), eq(accounts.providerId, 'oidc')))
  const remove = (by: Person, linkId = link!.id) => send(world, by, 'unlink-provider', { linkId })
  expectStatus(await remove(other), 404)
  const credential = and(eq(accounts.userId, person.id), eq(accounts.providerId, 'credential'))
  const [kept] = await world.db.delete(accounts).where(credential).returning()
  await expectShown(account, person, 'Es tu única forma de entrar')
  const last = await remove(person)
  expect([last.status, last.text]).toEqual([409, expect.stringContaining('única forma de entrar')])
  await world.db.insert(accounts).values(kept!)
  expectLocation(await remove(person), '/admin/account#contrasena')
  expectLocation(await world.visit('/admin', byProvider), '/signin')
  expectStatus(await world.visit('/admin', person), 200)
  expectStatus(await remove(person), 404)
})

test('whose account begins with the provider gets no letter about it', async () => {
  const email = `nueva-${Date.now()}@prueba.mx`
  const as = world.visitor()
  expect(await comesBack(as, { email } as Person, '/')).toBe('/')
  const [user] = await rowsIn(world, users, { email })
  expect(await lettersTo(world, user as never)).toEqual([])
})

test('an answer of the issuer counts ten minutes, and once', async () => {
  const person = await memberOf(world, { kind: 'analyst' })
  const told = async (as: Visitor, address: string) => {
    const { location } = await world.visit(address, as)
    return (await world.visit((await world.visit(location!, as)).location!, as)).text
  }
  const late = world.visitor()
  await world.db.delete(verifications)
  const address = await isSentBack(late, person, '/admin')
  const [kept] = await world.db.select().from(verifications)
  const state = JSON.parse(kept!.value) as { expiresAt: number }
  expect(Math.abs(state.expiresAt - Date.now() - sessionLimits.redirectAnswer)).toBeLessThan(5_000)
  const value = JSON.stringify({ ...state, expiresAt: Date.now() - 1 })
  await world.db.update(verifications).set({ value })
  const { title } = signInErrors['invalid-auth-event']
  expect(await told(late, address)).toContain(title)

  const twice = world.visitor()
  const good = await isSentBack(twice, person, '/admin')
  expectLocation(await world.visit(good, twice), '/admin')
  const cookies = new Map([...twice.cookies].filter(([name]) => !name.includes('session_token')))
  expect(await told({ ...twice, cookies }, good)).toContain(title)
  expect(await sessionsOf(person)).toHaveLength(2)
})
