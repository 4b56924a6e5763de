import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { runInNewContext } from 'node:vm'
import { openGate, openServer } from '../../src/platform/http/gate.ts'
import type { Fixture } from '../kit/fixture.ts'
import { customer, db, fixture, manager, openOnce, post } from '../kit/open.ts'
import type { Answer, Visitor } from '../kit/visitor.ts'

openOnce()

const script = () => readdirSync('build/client/assets').find((file) => file.endsWith('.js'))!
type Ask = () => Promise<Answer>
const long = 'x'.repeat(1_100_000)

/** One answer of each sort, with the status that shows that it is that sort. */
const answers: readonly [sort: string, status: number, ask: Ask][] = [
  ['a public page', 200, () => fixture.visit('/signin')],
  ['a private page', 200, () => fixture.visit('/admin', manager)],
  ['data', 200, () => fixture.data('/admin', manager)],
  ['a redirect', 302, () => fixture.visit('/admin')],
  ['a redirect as data', 202, () => fixture.data('/admin')],
  ['a form with mistakes', 400, () => post('/signin', {})],
  ['a change without rights', 403, () => post('/address', {}, manager)],
  ['a page that is not there', 404, () => fixture.visit('/nowhere')],
  ['a row that is not there', 404, () => fixture.visit('/admin/appointments-done/x', manager)],
  ['a screen without a form', 405, () => post('/admin/appointments-done', {}, manager)],
  ['another site’s form', 403, () => post('/signin', {}, undefined, { origin: 'https://evil.test' })],
  ['too large a form', 413, () => post('/signin', { email: long })],
  ['the host’s own', 200, () => fixture.visit('/healthz')],
  ['live updates refused', 401, () => fixture.visit('/live')],
  ['a built file', 200, () => fixture.visit(`/assets/${script()}`)],
  ['a built file that is not there', 404, () => fixture.visit('/assets/nothing.js')],
  ['the icon', 200, () => fixture.visit('/favicon.svg')],
]

test.each(answers)(
  '%s carries the headers of every answer, and names nothing of what made it',
  async (_sort, status, ask) => {
    const answer = await ask()
    const header = (name: string) => answer.headers.get(name)
    expect(answer.status).toBe(status)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': expect.stringMatching(/^same-origin/),
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringMatching(/geolocation=\(self\).*payment=\(\).*usb=\(\)/),
    })
    for (const name of ['access-control-allow-origin', 'server', 'x-powered-by', 'via'])
      expect(header(name)).toBeNull()
    // No foreign script runs, and no frame shows it.
    const policy = header('content-security-policy')!
    for (const name of ['default-src', 'object-src', 'base-uri', 'frame-ancestors'])
      expect(policy).toContain(`${name} 'none'`)
    expect(ruleOf(policy, 'script-src') ?? '').not.toMatch(/unsafe|https?:|\*/)
    if (policy.includes('nonce-')) expect(policy).toContain("require-trusted-types-for 'script'")
    if (answer.text)
      expect(header('content-type')).toMatch(/charset=utf-8|application\/json|text\/x-script|image\//i)
    expect(answer.text).not.toMatch(/node_modules|\bat \S+ \(|DrizzleQueryError/)
    // Only built files are kept.
    const isBuilt = status === 200 && /javascript|image/.test(header('content-type') ?? '')
    if (!isBuilt) expect(header('cache-control') ?? 'no-store').toMatch(/no-store/)
  },
)

const ruleOf = (policy: string, name: string) => policy.split('; ').find((rule) => rule.startsWith(name))
const ruleUnder = async (name: string, under: Pick<Fixture, 'visit'> = fixture) =>
  ruleOf((await under.visit('/signin')).headers.get('content-security-policy')!, name)

/** Whether a page as somebody sees it has some words. */
const shows = async (under: Pick<Fixture, 'visit'>, path: string, as: Visitor, words: string) =>
  (await under.visit(path, as)).text.includes(words)
const signedOut = 'Cerraste tu sesión'
const code = 'VERDE26'

const stripe = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
test('pages speak to our own addresses only, sockets included', async () => {
  expect(await ruleUnder('connect-src')).toBe("connect-src 'self' ws://carga.test")
  const two = fixture.under({
    BASE_URL: 'https://carga.test',
    ALLOWED_ORIGINS: 'https://carga.test,https://otra.test:8443',
  })
  expect(await ruleUnder('connect-src', two)).toBe("connect-src 'self' wss://carga.test wss://otra.test:8443")
})

test.each([
  [{}, ''],
  [stripe, ' https://checkout.stripe.com'],
  [{ ...stripe, STRIPE_API_URL: 'http://127.0.0.1:12111' }, ' http://127.0.0.1:12111'],
])('pages send forms to ourselves, and with %o on to%s', async (environment, to) =>
  expect(await ruleUnder('form-action', fixture.under(environment))).toBe(`form-action 'self'${to}`),
)

test('every script and style of a page is ours and carries the nonce, which is another one in every answer', async () => {
  const pages = [
    await fixture.visit('/signin'),
    await fixture.visit('/signin'),
    await fixture.visit('/nowhere'),
  ]
  const nonces = pages.map(({ headers, text }) => {
    const nonce = /'nonce-([^']+)'/.exec(headers.get('content-security-policy')!)![1]!
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16)
    const tags = text.match(/<(script|style)\b[^>]*>/g) ?? []
    expect(tags.length).toBeGreaterThan(2)
    for (const tag of tags) expect(tag).toContain(`nonce="${nonce}"`)
    expect(text).not.toMatch(/<[^>]+\son[a-z]+=|javascript:/i)
    expect(text).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?\/\//)
    return nonce
  })
  expect(new Set(nonces).size).toBe(3)
})

test('only text, icons and addresses of ours become HTML or scripts in a page', async () => {
  const { text } = await fixture.visit('/signin')
  const [, script] = /<head><script nonce="[^"]+">(.+?)<\/script>/.exec(text)!
  type Policy = Record<'createHTML' | 'createScriptURL', (text: string) => string | null>
  let policy: Policy | undefined
  const trustedTypes = { createPolicy: (_name: string, made: Policy) => (policy = made) }
  const location = { href: 'https://carga.example/signin', origin: 'https://carga.example' }
  runInNewContext(script!, { self: { trustedTypes }, location, URL })
  const { createHTML, createScriptURL } = policy!
  for (const fine of ['palabras', '<script></script>', '<path d="M1 1h2"/><circle cx="1" r="2"/>'])
    expect([fine, createHTML(fine)]).toEqual([fine, fine])
  for (const bad of [
    '<img src=x onerror="x()">',
    '<script>x()</script>',
    '<path onload="x()"/>',
    '<path d="">',
  ])
    expect([bad, createHTML(bad)]).toEqual([bad, null])
  expect(createScriptURL('/sw.js')).toBe('/sw.js')
  expect(createScriptURL('https://other.example/a.js')).toBeNull()
})

test('under https HSTS holds for a year, and every cookie is Secure, for this host only, out of reach of scripts', async () => {
  const tls = fixture.under({ BASE_URL: 'https://carga.test' })
  const as = fixture.visitor()
  const form = { email: 'seguro@prueba.mx', password: 'una-frase-larga' }
  const answers = [await tls.post('/signup', form, as), await tls.post('/signout', {}, as)]
  // The marker of the session is there for scripts: it says that somebody else is signed in now, never who.
  const isMarker = (cookie: string) => cookie.includes('carga.who=')
  const cookies = answers.flatMap((answer) => answer.cookies).filter((cookie) => !isMarker(cookie))
  expect(cookies.some((cookie) => cookie.includes('flash='))).toBe(true)
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__Host-/)
    for (const part of [/; Path=\/(;|$)/i, /; Secure/i, /; HttpOnly/i, /; SameSite=(Lax|Strict)/i])
      expect(cookie).toMatch(part)
    expect(cookie).not.toMatch(/; Domain/i)
    expect(cookie.length).toBeLessThan(4096)
  }
  for (const answer of [...answers, await tls.visit('/healthz'), await tls.visit('/nowhere')])
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  const read = await tls.visit('/signin', as)
  expect(read.text).toContain(signedOut)
  expect(read.cookies.join()).toMatch(/__Host-flash=;.*Max-Age=0.*Secure/i)
})

test('under https a cookie without the prefix, as another host of the domain could plant, is not there', async () => {
  const tls = fixture.under({ BASE_URL: 'https://carga.test' })
  expect((await tls.visit('/admin', manager)).location).toBe('/signin')
  const as = fixture.visitor()
  const link = fixture.visitor()
  await tls.post('/signout', {}, as)
  await tls.visit(`/approach?codigo=${code}`, link)
  expect([...as.cookies.keys(), ...link.cookies.keys()]).toEqual(
    expect.arrayContaining(['__Host-flash', '__Host-first-touch']),
  )
  const planted = fixture.visitor()
  for (const [name, value] of [...as.cookies, ...link.cookies])
    planted.cookies.set(name.replace('__Host-', ''), value)
  const seen = async (one: Visitor, other: Visitor) => [
    await shows(tls, '/signin', one, signedOut),
    await shows(tls, '/signup', other, code),
  ]
  expect(await seen(planted, planted)).toEqual([false, false])
  expect(await seen(as, link)).toEqual([true, true])
})

const words = { title: 'Llama al 55 0000 0000', description: 'Dicta', variant: 'default' }
const encoded = (value: unknown) => encodeURIComponent(btoa(JSON.stringify(value)))

test.each(['http://carga.test', 'https://carga.test'])(
  'cookies whose words a page shows or counts are believed from us only, at %s',
  async (base) => {
    const site = fixture.under({ BASE_URL: base })
    const prefix = base.startsWith('https') ? '__Host-' : ''
    const own = fixture.visitor()
    await site.post('/signout', {}, own)
    const signature = own.cookies.get(`${prefix}flash`)!.split('.').at(-1)!
    for (const tail of ['', '.', `.${signature}`, '.x', '.%00']) {
      const forged = fixture.visitor()
      forged.cookies.set(`${prefix}flash`, encoded(words) + tail)
      forged.cookies.set(`${prefix}first-touch`, encoded({ code, invitation: null }) + tail)
      expect(await shows(site, '/signin', forged, '55 0000 0000')).toBe(false)
      expect(await shows(site, '/signup', forged, code)).toBe(false)
    }
    expect(await shows(site, '/signin', own, signedOut)).toBe(true)
  },
)

test('cookies whose words a page shows or counts are not taken one for the other', async () => {
  const as = fixture.visitor()
  await fixture.visit(`/approach?codigo=${code}`, as)
  expect(await shows(fixture, '/signup', as, code)).toBe(true)
  const moved = fixture.visitor()
  moved.cookies.set('flash', as.cookies.get('first-touch')!)
  expect((await fixture.visit('/signin', moved)).cookies.join()).not.toContain('flash=')
})

test('HEAD leaves no stream behind', async () => {
  for (let n = 0; n < 60; n++)
    expect((await fixture.send('/live', customer, { method: 'HEAD' })).status).toBe(200)
  const stream = await fixture.open('/live', customer)
  expect(stream.status).toBe(200)
  await stream.body!.cancel()
})

test('HEAD answers for a page or an export as GET does, without its text', async () => {
  for (const path of ['/admin/appointments-done.csv', '/admin', '/signin']) {
    const head = await fixture.send(path, manager, { method: 'HEAD' })
    const get = await fixture.visit(path, manager)
    expect([head.status, head.text]).toEqual([get.status, ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
  }
})

test('an error says its number and nothing else', async () => {
  await db.$client.query('alter table projects rename to hidden')
  const page = await fixture.visit('/address', customer)
  const data = await fixture.data('/address', customer)
  for (const { status, text, headers } of [page, data]) {
    expect(status).toBe(500)
    expect(text).not.toMatch(/42P01|relation|from "projects"|Drizzle|node_modules|\.[jt]sx?:\d/)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  expect(page.text).toContain(page.headers.get('x-request-id')!)
})

test.each([
  ['starts', '/'],
  ['stops', '/readyz'],
])('a server that %s answers with the headers that close an answer', async (what, path) => {
  const gate = openGate({ https: true })
  if (what === 'stops') gate.leave({ replaced: false })
  const server = openServer(gate).listen(0)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const answer = await fetch(`http://localhost:${(server.address() as AddressInfo).port}${path}`)
  expect(answer.status).toBe(503)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'strict-transport-security': expect.stringMatching(/^max-age=31536000/),
    'x-content-type-options': 'nosniff',
  })
})
