import { connect } from 'node:net'
import { crlf, type Listening, listening, statusOf } from './listening.ts'

let server: Listening
beforeAll(async () => {
  server = await listening()
})
afterAll(() => server.close())

const request = (first: string, ...headers: string[]) =>
  [`${first} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', ''].join(crlf)
const secrets = /node_modules|\bat .+:\d+:\d+|AUTH_SECRET|postgres:\/\/|root:x:|"dependencies"/

test.each(['TRACE', 'TRACK', 'CONNECT', 'PROPFIND', 'PURGE', 'DEBUG'])('%s is not served', async (method) => {
  for (const path of ['/', '/signin', '/healthz', '/assets/x.js']) {
    const answer = await server.raw(request(`${method} ${path}`, 'X-Secret: marker-of-mine'))
    // CONNECT is answered by closing the connection.
    if (answer) expect([400, 403, 404, 405, 501]).toContain(statusOf(answer))
    expect(answer).not.toContain('marker-of-mine')
    expect(answer).not.toMatch(secrets)
  }
})

describe('paths that try to leave the folder of built files', () => {
  test.each([
    '/%2e%2e/assets',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/....//....//package.json',
    '/assets/%252e%252e/%252e%252e/package.json',
    '/assets/..;/..;/package.json',
    '/assets/%00../../.env',
    '/assets//etc/passwd',
    '/assets',
    '/.env',
    '/data/auth-secret',
    '/src/app/main.ts',
    '/favicon.svg/../../package.json',
  ])('%s is refused or not there', async (path) => {
    const answer = await server.raw(request(`GET ${path}`))
    expect([301, 302, 400, 404]).toContain(statusOf(answer))
    expect(answer).not.toMatch(secrets)
  })

  test.each([
    '//evil.example/',
    '//evil.example/admin',
    '/\\evil.example',
    '/%5cevil.example',
    '///evil.example//',
  ])('%s leads to no other site', async (path) =>
    expect(await server.raw(request(`GET ${path}`))).not.toMatch(/^location:\s*(https?:)?[\\/]{2}/im),
  )
})

describe('messages that are not what they say', () => {
  const form = 'Content-Type: application/x-www-form-urlencoded'

  test('two lengths, or a length and pieces, are refused', async () => {
    for (const headers of [
      ['Content-Length: 5', 'Content-Length: 6'],
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
      ['Transfer-Encoding: xchunked'],
      ['Content-Length: -1'],
      ['Content-Length : 5'],
    ])
      expect(statusOf(await server.raw(`${request('POST /signin', form, ...headers)}hello`))).toBe(400)
  })

  test('a header with a line end, a NUL or no name is refused', async () => {
    for (const line of ['X-A: b\nX-C: d\0', ': empty', ' X-Folded: yes'])
      expect([400, 200]).toContain(statusOf(await server.raw(request('GET /healthz', line))))
    expect(statusOf(await server.raw(request('GET /healthz', 'X-A: \0')))).toBe(400)
  })

  test('an address or a cookie that is too long is refused', async () => {
    const long = 'a'.repeat(70_000)
    expect([414, 431]).toContain(statusOf(await server.raw(request(`GET /signin?next=/${long}`))))
    const cookie = `Cookie: carga.session_token=${long}`
    expect(statusOf(await server.raw(request('GET /signin', cookie)))).toBe(431)
  })

  test('a body over a megabyte is refused, told beforehand or not', async () => {
    const origin = `Origin: ${server.base}`
    const told = request('POST /signin', form, origin, 'Content-Length: 1048577')
    expect(statusOf(await server.raw(told))).toBe(413)
    const piece = `10000${crlf}${'a'.repeat(0x10000)}${crlf}`
    const untold = request('POST /signin', form, origin, 'Transfer-Encoding: chunked') + piece.repeat(17)
    expect(statusOf(await server.raw(`${untold}0${crlf}${crlf}`))).toBe(413)
  })

  test('a host that is not ours appears nowhere', async () => {
    for (const host of ['evil.example', 'evil.example:80', '', '"><script>', '127.0.0.1@evil.example'])
      for (const path of ['/signin', '/admin', '/nowhere', '/signout']) {
        const text = `GET ${path} HTTP/1.1${crlf}Host: ${host}${crlf}Connection: close${crlf}${crlf}`
        const answer = await server.raw(text)
        expect(statusOf(answer)).toBeLessThan(500)
        expect(answer).not.toMatch(/evil\.example|"><script>/)
      }
  })
})

test('people who send slowly hold nobody up', async () => {
  const begun = `${request('POST /signin', `Origin: ${server.base}`, 'Content-Length: 900')}a`
  const slow = Array.from({ length: 50 }, () =>
    connect(Number(new URL(server.base).port), '127.0.0.1').on('error', () => undefined),
  )
  for (const socket of slow) socket.write(begun)
  expect((await fetch(`${server.base}/signin`)).status).toBe(200)
  for (const socket of slow) socket.destroy()
})

test('many requests on one connection are answered in their order, each by its own session', async () => {
  const paths = ['/healthz', '/admin', '/nowhere']
  const kept = paths.map((path) => `GET ${path} HTTP/1.1${crlf}Host: 127.0.0.1${crlf}${crlf}`).join('')
  const answers = await server.raw(kept + request('GET /healthz'))
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
  expect(statuses).toEqual(['200', '302', '404', '200'])
})
