import { beforeAll, describe, expect, test } from 'vitest'
import { openBare, world } from '../kit/open.ts'

openBare()
const form = { email: 'alguien@prueba.mx', password: 'una-frase-larga' }
beforeAll(async () => {
  await world.post('/signup', form)
})

/** Addresses that browsers take to another site, or that end a header and begin another. */
const outside = [
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/%2e%2e//evil.example',
  'http:evil.example',
  'https:/evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '@evil.example',
  '/ok\r\nSet-Cookie: taken=1',
  '/ok%0d%0aSet-Cookie:%20taken=1',
  '/ok\u2028x',
  '/\0/evil.example',
  '/ñ'.repeat(3000),
]

describe('after signing in', () => {
  test.each(outside)('%j leads to no other site', async (next) => {
    const answer = await world.post('/signin', { ...form, next })
    expect([303, 400]).toContain(answer.status)
    const base = 'http://carga.test'
    const { origin, pathname } = new URL(answer.location ?? '/', base)
    expect(origin).toBe(base)
    expect(pathname.startsWith('//')).toBe(false)
    expect(answer.location ?? '/').toMatch(/^\/(?![/\\])[\x21-\x7e]*$/)
    expect(answer.cookies.join()).not.toContain('taken')
  })

  test('a path of ours is kept', async () => {
    expect((await world.post('/signin', { ...form, next: '/address?codigo=04000#a' })).location).toBe(
      '/address?codigo=04000#a',
    )
  })
})

/** Every parameter that might be taken for a destination, on every screen that sends people on. */
const names = [
  'next',
  'callback',
  'callbackURL',
  'redirect',
  'redirectTo',
  'redirect_uri',
  'returnTo',
  'url',
  'to',
]

test('no parameter of an address leads away', async () => {
  const customer = await world.person()
  for (const name of names)
    for (const path of [
      '/signin',
      '/signup',
      '/signout',
      '/completion',
      '/admin',
      '/recover-password',
      '/approach',
      '/',
    ])
      for (const person of [undefined, customer]) {
        const query = `?${name}=${encodeURIComponent('//evil.example')}`
        for (const answer of [
          await world.visit(path + query, person),
          await world.data(path + query, person),
        ])
          expect(new URL(answer.location ?? '/', 'http://carga.test').host).toBe('carga.test')
      }
})
