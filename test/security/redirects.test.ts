import { fixture, openBare, post } from '../kit/open.ts'

openBare()
const form = { email: 'alguien@prueba.mx', password: 'una-frase-larga' }
beforeAll(async () => {
  await post('/signup', form)
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

test.each(outside)('signing in leads to no other site by %j', async (next) => {
  const { cookies, location, status } = await post('/signin', { ...form, next })
  expect([303, 400]).toContain(status)
  expect(new URL(location ?? '/', 'http://carga.test').origin).toBe('http://carga.test')
  expect(location ?? '/').toMatch(/^\/(?![/\\])[\x21-\x7e]*$/)
  expect(cookies.join()).not.toContain('taken')
})

test('no parameter of an address leads away', async () => {
  const customer = await fixture.person()
  const names = 'next callback callbackURL redirect redirectTo redirect_uri returnTo url to'
  const paths = '/signin /signup /signout /completion /admin /recover-password /approach /'
  for (const name of names.split(' '))
    for (const path of paths.split(' '))
      for (const person of [undefined, customer])
        for (const ask of [fixture.visit, fixture.data]) {
          const { location } = await ask(`${path}?${name}=%2F%2Fevil.example`, person)
          expect(new URL(location ?? '/', 'http://carga.test').host).toBe('carga.test')
        }
})
