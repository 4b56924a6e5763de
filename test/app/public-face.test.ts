import { existsSync } from 'node:fs'
import { keptPages } from '../../src/platform/http/kept-pages.ts'
import { ally, customer, fixture, gester, markupOf, openOnce, people, technician } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectWords } from '../kit/reading.ts'

openOnce()

type Manifest = { icons: { src: string; purpose: string }[]; shortcuts: { url: string }[] }

const manifestOf = async (who?: Person): Promise<Manifest> =>
  JSON.parse(await markupOf('/app.webmanifest', who)) as Manifest

test('the manifest has existing icons and the shortcuts of its reader', async () => {
  const { icons, shortcuts, ...rest } = await manifestOf()
  expect(rest).toMatchObject({ start_url: '/', display: 'standalone', lang: 'es-MX' })
  expect(icons.map(({ purpose }) => purpose)).toContain('maskable')
  for (const { src } of icons) expect(existsSync(`public${src}`), src).toBe(true)
  expect(shortcuts).toEqual([])

  const own = async (who: Person) => (await manifestOf(who)).shortcuts.map(({ url }) => url)
  expect(await own(customer)).toContain('/technics-visit')
  expect(await own(technician)).toEqual(['/admin/appointments-pending', '/admin/appointments-done'])
  expect(await own(ally)).toEqual(['/admin/alliate/clients', '/admin/alliate/codes'])
  // What a module switches off is no shortcut either.
  expect(await own(gester)).toEqual([])
  expect((await fixture.visit('/app.webmanifest')).headers.get('cache-control')).toMatch(/^private/)
})

test('who finds a hole reads whom to tell, for another year', async () => {
  const { headers, status, text } = await fixture.visit('/.well-known/security.txt')
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)])
  expect(text).toMatch(/^Contact: mailto:\S+@\S+\nExpires: /)
  expect(Date.parse(/Expires: (.+)/.exec(text)![1]!) - Date.now()).toBeGreaterThan(300 * 86_400_000)
})

test('search engines are led to the public pages, which describe themselves, and to nothing else', async () => {
  const robots = await markupOf('/robots.txt')
  expect(robots).toContain('Disallow: /\n')
  const map = await markupOf('/sitemap.xml')
  const listed = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address!))
  expect(listed.length).toBeGreaterThan(2)
  for (const { pathname } of listed) {
    expect(robots).toContain(`Allow: ${pathname}\n`)
    const { status, text } = await fixture.visit(pathname)
    expect(status).toBe(200)
    expect(text, pathname).toMatch(/<meta name="description" content="[^"]{60,160}"/)
  }
})

test('scripts are fetched with low priority', async () => {
  const text = await markupOf('/signin')
  const fetched = text.match(/<link [^>]*rel="modulepreload"[^>]*>/g) ?? []
  expect(fetched.length).toBeGreaterThan(3)
  expect(fetched.filter((link) => !link.includes('fetchpriority="low"'))).toEqual([])
})

test('a shared page has its card, and structured data that match it', async () => {
  const text = await markupOf('/approach?codigo=ABC234')
  expect(text).toContain('property="og:image"')
  const [, canonical] = /rel="canonical" href="([^"]+)"/.exec(text)!
  expect(new URL(canonical!).search).toBe('')
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)!
  const graph = (JSON.parse(json!) as { '@graph': { '@type': string; mainEntity?: { name: string }[] }[] })[
    '@graph'
  ]
  const questions = graph.find((one) => one['@type'] === 'FAQPage')!.mainEntity!
  expect(questions.length).toBeGreaterThan(5)
  for (const { name } of questions) expect(text.split(name).length, name).toBeGreaterThan(2)
})

test('help shows each role its own questions and a contact', async () => {
  const asked = (path: string, who: Person) => markupOf(path, who)
  expect(await asked('/ayuda', customer)).toContain('¿Cómo cambio o cancelo una cita?')
  for (const kind of ['manager', 'analyst', 'technician', 'gester', 'ally'] as const) {
    const page = await asked('/admin/ayuda', people[kind])
    expectWords(page, 'Me equivoqué, ¿se puede deshacer?', 'https://wa.me/')
    expect(page).not.toContain('¿Cómo pido mi factura?')
    // Only their pages work without a network.
    expect(page.includes('Me quedé sin señal'), kind).toBe(kind === 'technician')
  }
})

test('a public page is rendered once a minute for visitors without cookies, with keys and a nonce of its own', async () => {
  let now = 0
  const pages = keptPages(() => now)
  const mine = { nonce: 'two', requestId: 'second' }
  const html = '<i nonce="one" id="first"><input name="formKey" value="a"><input name="formKey" value="b">'
  const asked = (path = '/signin', init = {}) => new Request(`http://localhost${path}`, init)
  const keep = (request: Request, init = {}) =>
    pages.keep(request, { nonce: 'one', requestId: 'first' }, { html, answer: new Response(html, init) })
  const cookie = { headers: { cookie: 'flash=x' } }
  for (const other of [asked('/signin?next=/quote'), asked('/', {}), asked('/signin', cookie)]) keep(other)
  keep(asked('/signup'), { headers: { 'set-cookie': 'x=y' } })
  keep(asked('/signup'), { status: 404 })
  for (const path of ['/signin', '/', '/signup']) expect(pages.of(asked(path), mine)).toBeNull()

  keep(asked())
  now = 60_000
  const shown = pages.of(asked(), mine)!.html
  const [, first, second] =
    /^<i nonce="two" id="second"><input name="formKey" value="(.{36})"><input name="formKey" value="(.{36})">$/.exec(
      shown,
    )!
  expect(first).not.toBe(second)
  for (const other of [
    asked('/signin?next=/quote'),
    asked('/signin', cookie),
    asked('/signin', { method: 'POST' }),
  ])
    expect(pages.of(other, mine)).toBeNull()
  now += 1
  expect(pages.of(asked(), mine)).toBeNull()
})

test('a kept page differs from its first answer in nonces and keys only', async () => {
  const first = await fixture.visit('/approach')
  const second = await fixture.visit('/approach')
  const bare = ({ headers, text }: typeof first) => {
    const [, nonce] = /'nonce-([^']+)'/.exec(headers.get('content-security-policy')!)!
    return text
      .replaceAll(nonce!, '')
      .replaceAll(headers.get('x-request-id')!, '')
      .replace(/name="formKey" value="[^"]+"/g, '')
  }
  expect(second.text).not.toBe(first.text)
  expect(bare(second)).toBe(bare(first))
  expect(second.headers.get('cache-control')).toBe('private, no-store')
})
