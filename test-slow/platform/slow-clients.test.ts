import { once } from 'node:events'
import { type AddressInfo, createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openGate, openServer } from '../../src/platform/http/gate.ts'

const times = { head: 300, request: 600, silence: 700, between: 400, look: 50 }
const gate = openGate()
const server = openServer(gate, times)

beforeAll(async () => {
  gate.open((request, response) => {
    if (request.url === '/live') {
      const beat = setInterval(() => response.write(': beat\n\n'), 100)
      response.on('close', () => clearInterval(beat))
    } else if (request.url === '/large') response.end(Buffer.alloc(64 * 1024 * 1024))
    else request.resume().on('end', () => response.end('whole'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Says something, then goes on with a piece every 50 ms for as long as it is let; answers what it heard and for how long. */
async function slowly(first: string, piece: string | null, mostMs = 10_000) {
  const socket = createConnection((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  let heard = ''
  socket.on('data', (part) => (heard += part))
  const from = performance.now()
  socket.write(first)
  const dripping = setInterval(() => piece !== null && socket.writable && socket.write(piece), 50)
  const closed = await Promise.race([
    new Promise<true>((resolve) => socket.on('close', () => resolve(true))),
    sleep(mostMs, false),
  ])
  clearInterval(dripping)
  socket.destroy()
  return { heard, closed, ms: performance.now() - from }
}

const host = 'Host: x\r\n'

test('a head or a body that comes drop by drop is given up', async () => {
  const [head, body] = await Promise.all([
    slowly(`GET / HTTP/1.1\r\n${host}X-Slow: `, 'a'),
    slowly(`POST / HTTP/1.1\r\n${host}Content-Length: 100000\r\n\r\n`, 'a'),
  ])
  expect([head.closed, body.closed]).toEqual([true, true])
  expect(head.heard).toMatch(/^HTTP\/1.1 408 /)
  expect(head.ms).toBeLessThan(9_000)
  expect(body.ms).toBeLessThan(9_000)
})

test('who asks for nothing more is given up, and who never reads', async () => {
  const idle = await slowly(`GET / HTTP/1.1\r\n${host}\r\n`, null)
  expect(idle.closed).toBe(true)
  expect(idle.heard).toContain('whole')
  const deaf = createConnection((server.address() as AddressInfo).port, '127.0.0.1').pause()
  deaf.write(`GET /large HTTP/1.1\r\n${host}\r\n`)
  const open = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))
  await vi.waitFor(async () => expect(await open()).toBe(1), 5_000)
  await vi.waitFor(async () => expect(await open()).toBe(0), 10_000)
  deaf.destroy()
})

test('a stream that beats stays open', async () => {
  const stream = await slowly(`GET /live HTTP/1.1\r\n${host}\r\n`, null, 1_500)
  expect(stream.closed).toBe(false)
  expect(stream.heard).toContain('beat')
})
