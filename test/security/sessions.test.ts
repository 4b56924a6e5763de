import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { sessions, users } from '../../src/platform/database/schema/accounts.ts'
import { memberOf, password } from '../accounts/own.ts'
import { db, fixture, markupOf, newPerson, openBare, post, rowsWhere, setRow } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import type { Visitor } from '../kit/visitor.ts'

const name = 'carga.session_token'
const gester = { kind: 'gester' } as const
openBare()

const enter = async (email: string, as = fixture.visitor()) => {
  await post('/signin', { email, password }, as)
  return as
}
const tokenOf = ({ cookies }: Visitor) => decodeURIComponent(cookies.get(name) ?? '').split('.')[0]!
const withCookie = (cookie: string): Visitor => {
  const visitor = fixture.visitor()
  visitor.cookies.set(name, cookie)
  return visitor
}

/** Whether a browser gets in anywhere at all: a page, data, a form, live updates. */
async function getsIn(as: Visitor): Promise<boolean[]> {
  const live = await fixture.open('/live', as)
  await live.body?.cancel()
  return [
    (await fixture.visit('/admin', as)).status === 200,
    (await fixture.data('/admin', as)).status === 200,
    (await post('/admin/account', { intent: 'close-others' }, as)).location === '/admin/account#sesiones',
    live.status === 200,
  ]
}

test('a sign-in makes a new, long token, unlike any before', async () => {
  const { email } = await memberOf(gester)
  const tokens = new Set<string>()
  for (let time = 0; time < 6; time++) tokens.add(tokenOf(await enter(email)))
  expect(tokens.size).toBe(6)
  for (const token of tokens) {
    // 32 letters and figures are more than 180 bits; a repeated beginning would say that it counts.
    expect(token).toMatch(/^[A-Za-z0-9]{32,}$/)
    expect([...tokens].filter((other) => other.slice(0, 6) === token.slice(0, 6))).toHaveLength(1)
  }
})

test('a sign-in does not keep a token that was planted', async () => {
  const victim = await memberOf(gester)
  const attacker = await memberOf(gester)
  const planted = attacker.cookies.get(name)!
  for (const cookie of ['planted.by-an-attacker', `${tokenOf(attacker)}.x`]) {
    const as = await enter(victim.email, withCookie(cookie))
    expect(tokenOf(as)).not.toBe(tokenOf(attacker))
    expect(await markupOf('/admin', as)).toContain(victim.email)
  }
  // Under a session that holds nobody signs in: it stays the attacker's, and shows nothing of the victim's.
  const as = await enter(victim.email, withCookie(planted))
  for (const browser of [as, withCookie(planted)])
    expect(await markupOf('/admin', browser)).not.toContain(victim.email)
})

test('a token with one character changed is refused', async () => {
  const { cookies } = await newPerson(gester)
  const cookie = decodeURIComponent(cookies.get(name)!)
  for (let at = 0; at < cookie.length - 2; at++) {
    const letter = cookie[at] === 'A' ? 'B' : 'A'
    const changed = cookie.slice(0, at) + letter + cookie.slice(at + 1)
    const { location } = await fixture.data('/admin', withCookie(encodeURIComponent(changed)))
    expect(location, String(at)).toBe('/signin')
  }
})

test('a token with another signature, sent twice or oddly encoded is refused', async () => {
  const one = await newPerson(gester)
  const signature = decodeURIComponent((await newPerson(gester)).cookies.get(name)!).split('.')[1]
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
    expect((await fixture.visit('/admin', withCookie(cookie))).location).toBe('/signin')
})

describe('a session ends', () => {
  const set = ({ id }: Person, values: PgUpdateSetSource<typeof sessions>) =>
    db.update(sessions).set(values).where(eq(sessions.userId, id))
  const ways: Record<string, (as: Person) => Promise<unknown>> = {
    'by its own button, and its cookie goes': async (as) => {
      const left = await post('/signout', {}, { ...as, cookies: new Map(as.cookies) })
      expect(left.cookies.find((cookie) => cookie.startsWith(name))).toMatch(/Max-Age=0/)
    },
    'when its row goes': ({ id }) => db.delete(sessions).where(eq(sessions.userId, id)),
    'when the person is inactive': (as) => setRow(users, as, { active: false }),
    'when its time is over': (as) => set(as, { expiresAt: sql`now() + interval '29 seconds'` }),
    'ninety days after signing in, however much it was used': (as) =>
      set(as, { createdAt: sql`now() - interval '90 days'` }),
  }

  test.each(Object.entries(ways))('%s', async (_way, end) => {
    const as = await newPerson(gester)
    const kept: Visitor = { cookies: new Map(as.cookies), address: as.address }
    expect(await getsIn(as)).toEqual(Array(4).fill(true))
    await end(as)
    expect(await getsIn(kept)).toEqual(Array(4).fill(false))
  })
})

test('nobody ends the session of another', async () => {
  const other = await newPerson(gester)
  const as = await newPerson(gester)
  const [row] = await rowsWhere(sessions, { userId: other.id })
  const answer = await post('/admin/account', { intent: 'close-session', sessionId: row!.id }, as)
  expect(answer.status).toBe(404)
  expect((await fixture.visit('/admin', other)).status).toBe(200)
})
