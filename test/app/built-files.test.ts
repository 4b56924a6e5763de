import { readdirSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { builtFiles } from '../../src/platform/http/security.ts'

const app = builtFiles('build/client')
const names = readdirSync('build/client/assets')
const named = (kind: RegExp) => `/assets/${names.find((name) => kind.test(name))}`
const ask = async (path: string, encoding: string) => {
  const headers = { 'accept-encoding': encoding }
  return await app.fetch(new Request(`http://localhost${path}`, { headers }))
}

test.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
] as const)('a browser that takes %s is sent the copy that the build made', async (taken, given, unpack) => {
  for (const path of [named(/^framework-.*\.js$/), named(/\.css$/), '/favicon.svg', '/sw.js']) {
    const plain = Buffer.from(await (await ask(path, 'identity')).arrayBuffer())
    const answer = await ask(path, taken)
    expect(answer.headers.get('content-encoding'), path).toBe(given)
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i)
    const body = Buffer.from(await answer.arrayBuffer())
    expect(body.length).toBeLessThan(plain.length)
    expect(unpack(body).equals(plain)).toBe(true)
  }
})

const keptAs = async (path: string) => (await ask(path, 'br')).headers.get('cache-control')

test('scripts, styles and fonts are cached for a year', async () => {
  for (const kind of [/\.js$/, /\.css$/, /\.woff2$/])
    expect(await keptAs(named(kind))).toBe('public, max-age=31536000, immutable')
})

test('the icon is cached for a day, and neither the service worker nor missing files are', async () => {
  expect(await keptAs('/favicon.svg')).toBe('public, max-age=86400')
  expect(await keptAs('/sw.js')).toBe('no-cache')
  for (const path of ['/assets/framework-00000000.js', '/icons/none.png', '/assets/', '/assets/..%2f..']) {
    const answer = await ask(path, 'br')
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 404, null])
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await answer.text()).toBe('No encontrado.')
  }
})
