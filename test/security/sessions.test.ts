import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sessions, users } from '../../src/server/platform/database/schema/accounts.ts'
import { memberOf, password } from '../accounts/own.ts'
import { openBare, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { rowsIn } from '../kit/reading.ts'
import type { Visitor } from '../kit/visitor.ts'

const name = 'carga.session_token'
openBare()

const enter = async (email: string, as = world.visitor()) => {
  await world.post('/signin', { email, password }, as)
  return as
}
const tokenOf = ({ cookies }: Visitor) => decodeURIComponent(cookies.get(name) ?? '').split('.')[0]!
const with_ = (cookie: string): Visitor => {
  const visitor = world.visitor()
  visitor.cookies.set(name, cookie)
  return visitor
}

/** Whether a browser gets in anywhere at all: a page, data, a form, live updates. */
async function getsIn(as: Visitor): Promise<boolean[]> {
  const live = await world.open('/live', as)
  await live.body?.cancel()
  return [
    (await world.visit('/admin', as)).status === 200,
    (await world.data('/admin', as)).status === 200,
    (await world.post('/admin/account', { intent: 'close-others' }, as)).location ===
      '/admin/account#sesiones',
    live.status === 200,
  ]
}
const nowhere = [false, false, false, false]
const everywhere = [true, true, true, true]

describe('the token', () => {
  test('is new at every sign-in, long, and unlike any before', async () => {
    const { email } = await memberOf(world, { kind: 'gester' })
    const tokens = new Set<string>()
    for (let time = 0; time < 6; time++) tokens.add(tokenOf(await enter(email)))
    expect(tokens.size).toBe(6)
    for (const token of tokens) {
      // 32 letters and figures are more than 180 bits; a repeated beginning would say that it counts.
      expect(token).toMatch(/^[A-Za-z0-9]{32,}$/)
      expect([...tokens].filter((other) => other.slice(0, 6) === token.slice(0, 6))).toHaveLength(1)
    }
  })

  test('that somebody brings along is not taken on: the session after signing in is another', async () => {
    const [victim, attacker] = [
      await memberOf(world, { kind: 'gester' }),
      await memberOf(world, { kind: 'gester' }),
    ]
    const planted = attacker.cookies.get(name)!
    for (const cookie of ['planted.by-an-attacker', `${tokenOf(attacker)}.x`]) {
      const as = await enter(victim.email, with_(cookie))
      expect(tokenOf(as)).not.toBe(tokenOf(attacker))
      expect((await world.visit('/admin', as)).text).toContain(victim.email)
    }
    // Under a session that holds nobody signs in: it stays the attacker's, and shows nothing of the victim's.
    const as = await enter(victim.email, with_(planted))
    for (const browser of [as, with_(planted)])
      expect((await world.visit('/admin', browser)).text).not.toContain(victim.email)
  })

  test('stands in no page, no data, no address', async () => {
    const person = await memberOf(world, { kind: 'manager' })
    const as = await enter(person.email)
    for (const path of ['/admin', '/admin/account', `/admin/users/${person.id}`])
      for (const { text, location } of [await world.visit(path, as), await world.data(path, as)])
        expect(`${text}${location}`).not.toContain(tokenOf(as))
  })

  test('changed in any one character opens nothing', async () => {
    const { cookies } = await world.person({ kind: 'gester' })
    const cookie = decodeURIComponent(cookies.get(name)!)
    for (let at = 0; at < cookie.length - 2; at++) {
      const letter = cookie[at] === 'A' ? 'B' : 'A'
      const changed = cookie.slice(0, at) + letter + cookie.slice(at + 1)
      expect([at, (await world.visit('/admin', with_(encodeURIComponent(changed)))).location]).toEqual([
        at,
        '/signin',
      ])
    }
  })

  test('under another’s signature, twice, or in odd writing opens nothing', async () => {
    const [one, other] = [await world.person({ kind: 'gester' }), await world.person({ kind: 'gester' })]
    const signature = decodeURIComponent(other.cookies.get(name)!).split('.')[1]
    const good = one.cookies.get(name)!
    for (const cookie of [
      encodeURIComponent(`${tokenOf(one)}.${signature}`),
      `"${good}"`,
      `${good}, ${good}`,
      encodeURIComponent(good),
      `' or 1=1 --.${signature}`,
      '%00',
      'a'.repeat(7_000),
      '',
    ])
      expect((await world.visit('/admin', with_(cookie))).location).toBe('/signin')
  })
})

describe('a session ends', () => {
  const ways: [string, (person: Person, as: Visitor) => Promise<unknown>][] = [
    [
      'by its own button',
      (_person, as) => world.post('/signout', {}, { ...as, cookies: new Map(as.cookies) }),
    ],
    ['when its row goes', ({ id }) => world.db.delete(sessions).where(eq(sessions.userId, id))],
    [
      'when the person is inactive',
      ({ id }) => world.db.update(users).set({ active: false }).where(eq(users.id, id)),
    ],
    ['when its time is over', ({ id }) => ended(id, sql`now() + interval '29 seconds'`)],
    [
      'ninety days after signing in, however much it was used',
      ({ id }) => begun(id, sql`now() - interval '90 days'`),
    ],
  ]
  const ended = (id: string, at: ReturnType<typeof sql>) =>
    world.db.update(sessions).set({ expiresAt: at }).where(eq(sessions.userId, id))
  const begun = (id: string, at: ReturnType<typeof sql>) =>
    world.db.update(sessions).set({ createdAt: at }).where(eq(sessions.userId, id))

  test.each(ways)('%s', async (_way, end) => {
    const person = await memberOf(world, { kind: 'gester' })
    const as = await enter(person.email)
    const kept: Visitor = { cookies: new Map(as.cookies), address: as.address }
    expect(await getsIn(as)).toEqual(everywhere)
    await end(person, as)
    expect(await getsIn(kept)).toEqual(nowhere)
  })

  test('in all other browsers, when the password changes, by oneself or by letter', async () => {
    const person = await memberOf(world, { kind: 'gester' })
    const [here, there] = [await enter(person.email), await enter(person.email)]
    const form = { intent: 'password', currentPassword: password, newPassword: 'otra-frase-mas-larga' }
    expect((await world.post('/admin/account', form, here)).status).toBe(303)
    expect(await getsIn(there)).toEqual(nowhere)
    expect((await world.visit('/admin', here)).status).toBe(200)
    expect((await world.post('/signin', { email: person.email, password })).status).toBe(400)
  })

  test('when the manager changes role or access, while others go on', async () => {
    const [manager, other] = [await world.person({ kind: 'manager' }), await world.person({ kind: 'gester' })]
    const person = await memberOf(world, { kind: 'gester' })
    const as = await enter(person.email)
    const change = { intent: 'role', version: '1', role: 'analyst' }
    expect((await world.post(`/admin/users/${person.id}`, change, manager)).status).toBe(303)
    expect(await getsIn(as)).toEqual(nowhere)
    const again = await enter(person.email)
    const off = { intent: 'active', version: '2', active: 'no' }
    expect((await world.post(`/admin/users/${person.id}`, off, manager)).status).toBe(303)
    expect(await getsIn(again)).toEqual(nowhere)
    expect(await getsIn(other)).toEqual(everywhere)
  })

  test('and what is left of it in the browser’s history is not kept there', async () => {
    const as = await enter((await memberOf(world, { kind: 'gester' })).email)
    for (const answer of [await world.visit('/admin', as), await world.data('/admin', as)])
      expect(answer.headers.get('cache-control')).toContain('no-store')
    const left = await world.post('/signout', {}, as)
    expect(left.cookies.find((cookie) => cookie.startsWith(name))).toMatch(/Max-Age=0/)
  })
})

test('a session holds fifty live streams open and no more, and only its own count', async () => {
  const [person, other] = [await world.person({ kind: 'gester' }), await world.person({ kind: 'gester' })]
  const open = Array.from({ length: 50 }, () => world.open('/live', person))
  for (const { status } of await Promise.all(open)) expect(status).toBe(200)
  expect((await world.open('/live', person)).status).toBe(429)
  const others = await world.open('/live', other)
  expect(others.status).toBe(200)
  for (const answer of [...(await Promise.all(open)), others]) await answer.body?.cancel()
  const again = await world.open('/live', person)
  expect(again.status).toBe(200)
  await again.body?.cancel()
})

test('nobody ends the session of another', async () => {
  const [one, other] = [await memberOf(world, { kind: 'gester' }), await memberOf(world, { kind: 'gester' })]
  const as = await enter(one.email)
  const [row] = await rowsIn(world, sessions, { userId: other.id })
  const answer = await world.post('/admin/account', { intent: 'close-session', sessionId: row!.id }, as)
  expect(answer.status).toBe(404)
  expect((await world.visit('/admin', other)).status).toBe(200)
})
