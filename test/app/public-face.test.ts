import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../kit/people.ts'
import { newVisitor } from '../kit/visitor.ts'
import { openWorld, type World } from '../kit/world.ts'

let world: World
let people: Awaited<ReturnType<World['people']>>
beforeAll(async () => {
  world = await openWorld()
  people = await world.people()
})
afterAll(() => world.close())

type Manifest = {
  name: string
  start_url: string
  display: string
  icons: { src: string; purpose: string }[]
  shortcuts: { name: string; url: string }[]
}

const manifestOf = async (who?: Person): Promise<Manifest> =>
  JSON.parse((await world.visit('/app.webmanifest', who)).text) as Manifest

test('the manifest has icons that exist, and the shortcuts of whoever asks', async () => {
  const { icons, shortcuts, ...rest } = await manifestOf()
  expect(rest).toMatchObject({ start_url: '/', display: 'standalone', lang: 'es-MX' })
  expect(icons.map(({ purpose }) => purpose)).toContain('maskable')
  for (const { src } of icons) expect(existsSync(`public${src}`), src).toBe(true)
  expect(shortcuts).toEqual([])

  const own = async (who: Person) => (await manifestOf(who)).shortcuts.map(({ url }) => url)
  expect(await own(people.customer)).toContain('/technics-visit')
  expect(await own(people.technician)).toEqual(['/admin/appointments-pending', '/admin/appointments-done'])
  expect(await own(people.ally)).toEqual(['/admin/alliate/clients', '/admin/alliate/codes'])
  // What a module switches off is no shortcut either.
  expect(await own(people.gester)).toEqual([])
  expect((await world.visit('/app.webmanifest')).headers.get('cache-control')).toMatch(/^private/)
})

test('search engines are led to the public pages and to nothing else', async () => {
  const robots = (await world.visit('/robots.txt')).text
  expect(robots).toContain('Disallow: /\n')
  const map = (await world.visit('/sitemap.xml')).text
  const listed = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address!))
  expect(listed.length).toBeGreaterThan(1)
  for (const { pathname } of listed) {
    expect(robots).toContain(`Allow: ${pathname}\n`)
    expect((await world.visit(pathname)).status).toBe(200)
  }
})

test('each page of the sitemap says what it is', async () => {
  const { text } = await world.visit('/sitemap.xml')
  const paths = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => new URL(address!).pathname)
  expect(paths.length).toBeGreaterThanOrEqual(3)
  for (const path of paths)
    expect((await world.visit(path)).text, path).toMatch(/<meta name="description" content="[^"]{60,160}"/)
})

test('what a page is read by is fetched before its scripts', async () => {
  const { text } = await world.visit('/signin')
  const fetched = text.match(/<link [^>]*rel="modulepreload"[^>]*>/g) ?? []
  expect(fetched.length).toBeGreaterThan(3)
  expect(fetched.filter((link) => !link.includes('fetchpriority="low"'))).toEqual([])
})

test('a shared link has its card, and the facts are what the page says', async () => {
  const { text } = await world.visit('/approach?codigo=ABC234', newVisitor())
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

test('Ayuda answers each kind with its own questions, and leads to a person', async () => {
  const asked = async (path: string, who: Person) => (await world.visit(path, who)).text
  expect(await asked('/ayuda', people.customer)).toContain('¿Cómo cambio o cancelo una cita?')
  for (const kind of ['manager', 'analyst', 'technician', 'gester', 'ally'] as const) {
    const page = await asked('/admin/ayuda', people[kind])
    expect(page).toContain('Me equivoqué, ¿se puede deshacer?')
    expect(page).toContain('https://wa.me/')
    expect(page).not.toContain('¿Cómo pido mi factura?')
  }
})
