import { expect, test } from 'vitest'
import { markerIn } from '../../src/domain/accounts/sessions.ts'
import { endSessions } from '../../src/server/accounts/providers.ts'
import { transaction } from '../../src/server/platform/database/client.ts'
import { openBare, world } from '../kit/open.ts'

openBare()

const ofMarker = ({ cookies }: { cookies: string[] }) =>
  cookies.filter((cookie) => cookie.startsWith('carga.who='))

test('marks each session by a cookie of its own that scripts may read, set once', async () => {
  const person = await world.person()
  const [set] = ofMarker(await world.visit('/', person))
  expect(set).toMatch(/^carga\.who=[\w-]{16}; Path=\/; SameSite=Lax$/)
  expect(ofMarker(await world.visit('/', person))).toEqual([])
  expect(ofMarker(await world.visit('/', await world.secondBrowser(person)))[0]).not.toBe(set)
})

test('is Secure and host-only over https', async () => {
  const { visit } = world.under({ BASE_URL: 'https://carga.test' })
  // Signed out there is none.
  expect((await visit('/')).cookies).toEqual([])
  const planted = world.visitor()
  planted.cookies.set('__Host-carga.who', 'another')
  expect((await visit('/', planted)).cookies[0]).toMatch(/^__Host-carga\.who=; .*; Secure$/)
})

test('is removed by any kind of answer once the session was ended elsewhere', async () => {
  for (const path of ['/', '/live', '/v1/session']) {
    const person = await world.person()
    await world.visit('/', person)
    await transaction(world.db, (tx) => endSessions(tx, person.id))
    expect(ofMarker(await world.visit(path, person))).toEqual(['carga.who=; Path=/; SameSite=Lax; Max-Age=0'])
    expect(ofMarker(await world.visit(path, person))).toEqual([])
  }
})

test('is found among other cookies by its whole name', () => {
  expect(markerIn('flash=x; carga.who=abc; other=1')).toBe('abc')
  expect(markerIn('notcarga.who=abc; other=carga.who=1')).toBe('')
  expect(markerIn('')).toBe('')
  expect(markerIn('carga.who=planted; __Host-carga.who=abc')).toBe('abc')
})
