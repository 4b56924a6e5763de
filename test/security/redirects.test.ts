import { beforeAll, describe, expect, test } from 'vitest'
import { openBare, world } from '../kit/open.ts'

openBare()
const form = { email: 'alguien@prueba.mx', password: 'una-frase-larga' }
beforeAll(async () => {
  await world.post('/signup', form)
})

/** Of each kind that browsers take to another site, or that ends a header; all others: test/accounts/account.test.ts. */
const outside = [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/x/..//evil.example',
  'javascript:alert(1)',
  '/ok\r\nSet-Cookie: taken=1',
  '/ok\u2028x',
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

test('no parameter of an address leads away', async () => {
  const customer = await world.person()
  const names = 'next callback callbackURL redirect redirectTo redirect_uri returnTo url to'
  const paths = '/signin /signup /signout /completion /admin /recover-password /approach /'
  for (const name of names.split(' '))
    for (const path of paths.split(' '))
      for (const person of [undefined, customer])
        for (const ask of [world.visit, world.data]) {
          const { location } = await ask(`${path}?${name}=%2F%2Fevil.example`, person)
          expect(new URL(location ?? '/', 'http://carga.test').host).toBe('carga.test')
        }
})
