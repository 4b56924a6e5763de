import { crlf, type Listening, listening, statusOf } from './listening.ts'

// Without BASE_URL nobody said who we are. A page of another site whose own name leads here (DNS rebinding) would be one of
// ours: it is answered to this machine's own names only.
let server: Listening
beforeAll(async () => {
  server = await listening({ BASE_URL: '', NODE_ENV: '', DEMO: 'false' })
  // The first page of a process takes longest, and a raw connection waits little.
  await fetch(`${server.base}/signin`)
})
afterAll(() => server.close())

const get = (host: string, target = '/signin', ...more: string[]) =>
  server.raw([`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...more, '', ''].join(crlf))
const port = () => new URL(server.base).port

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '[::1]'])(
  'without BASE_URL %s is one of our names, at any port',
  async (name) => {
    // A busy machine may answer that there is too much to do: the name was taken.
    for (const host of [name, `${name}:${port()}`, `${name}:80`])
      expect([200, 503]).toContain(statusOf(await get(host)))
  },
)

test.each([
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.nip.io',
  'evil.localhost',
  '0.0.0.0',
  '10.0.0.1',
  '[::ffff:10.0.0.1]',
  'localhost.',
  'evil.example:80:80',
])('without BASE_URL %s is none of our names', async (host) => {
  for (const target of ['/signin', '/dev/correo', '/healthz', '/live', '/api/v1/openapi.json'])
    expect([400, 421], target).toContain(statusOf(await get(host, target)))
})

test('without BASE_URL no name is ours in the first line of a request, or in a header of a proxy', async () => {
  expect(statusOf(await get('localhost', 'http://evil.example/signin'))).toBe(421)
  expect(statusOf(await get('evil.example', 'http://localhost/signin'))).toBe(421)
  expect(statusOf(await get('evil.example', '/signin', 'X-Forwarded-Host: localhost'))).toBe(421)
})

test('without BASE_URL no form is taken under another name', async () => {
  const form = ['Origin: http://evil.example', 'Content-Length: 0', '', ''].join(crlf)
  const sent = `POST /signin HTTP/1.1${crlf}Host: evil.example${crlf}Connection: close${crlf}${form}`
  expect(statusOf(await server.raw(sent))).toBe(421)
})

test('without BASE_URL no socket of a call is opened under another name', async () => {
  const headers =
    `Connection: Upgrade|Upgrade: websocket|Sec-WebSocket-Version: 13|Origin: http://evil.example
    |Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`.split(/\s*\|/)
  expect(statusOf(await get('evil.example', `/call/${crypto.randomUUID()}/socket`, ...headers))).toBe(404)
})
