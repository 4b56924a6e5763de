import { redirectWithToast, takeFlash } from '../../src/kit/flash.ts'

const withCookie = (cookie: string) => new Request('http://localhost/', { headers: { cookie } })
const sentBy = (answer: Response) => answer.headers.getSetCookie().at(-1)!.split(';')[0]!

test('a toast set on a redirect is read once, words with accents included', async () => {
  const answer = await redirectWithToast(
    '/technics-visit',
    'Tu visita quedó agendada',
    'mar 24 nov, 10:00 a. m. ☀',
  )
  expect(answer.headers.get('location')).toBe('/technics-visit')
  expect(answer.headers.getSetCookie()[0]).toMatch(/HttpOnly.*SameSite=Lax/)
  const { flash, headers } = await takeFlash(withCookie(sentBy(answer)))
  expect(flash).toEqual({
    title: 'Tu visita quedó agendada',
    description: 'mar 24 nov, 10:00 a. m. ☀',
    variant: 'success',
    once: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(headers.getSetCookie()[0]).toContain('Max-Age=0')
})

test('without a toast nothing is cleared', async () => {
  const { flash, headers } = await takeFlash(new Request('http://localhost/'))
  expect(flash).toBeNull()
  expect(headers.getSetCookie()).toEqual([])
})

const noDescription = `flash=${btoa('{"title":"Hola","variant":"default"}')}`
const oversized = `flash=${btoa(JSON.stringify({ title: 'a', description: 'b', variant: 'success', undo: 'x'.repeat(3000) }))}`

test.each([
  'flash=',
  'flash=nonsense',
  `flash=${btoa('{"title":7}')}`,
  noDescription,
  oversized,
  'flash=%E0%A4%A',
])('a forged cookie (%s) is no toast', async (cookie) => {
  expect((await takeFlash(withCookie(cookie))).flash).toBeNull()
})
