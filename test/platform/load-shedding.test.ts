import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseEnv } from '../../src/server/app/env.ts'
import { createLoadShedder, shedLoad } from '../../src/server/platform/http/load-shedding.ts'
import type { HttpEnv } from '../../src/server/platform/http/types.ts'
import { retryWhenOverloaded } from '../../src/web/lib/retry-overloaded.ts'
import { expectWords } from '../kit/reading.ts'
import { openWorld, type World } from '../kit/world.ts'

const limits = { peakLimit: 8, sustainedLimit: 4 }

/** A crowd under a clock of its own, and requests that stay inside until they are let go. */
function shedderAt() {
  let time = 0
  const leave: (() => void)[] = []
  const shedder = createLoadShedder(limits, () => time)
  return {
    shedder,
    pass: (ms: number) => {
      time += ms
    },
    enter: (arrived = true) => {
      void shedder.within({ arrived: () => arrived }, () => new Promise((resolve) => leave.push(resolve)))
    },
    async leave() {
      leave.pop()?.()
      await new Promise(setImmediate)
    },
  }
}

describe('a crowd', () => {
  test('that comes all at once is let in up to the most, and no further', () => {
    const { shedder, enter } = shedderAt()
    for (let n = 0; n < limits.peakLimit; n++) {
      expect(shedder.admits(false)).toBe(true)
      enter()
    }
    expect([shedder.admits(false), shedder.admits(true)]).toEqual([false, false])
    expect(shedder.figures()).toEqual({ inside: limits.peakLimit, shed: 2 })
  })

  test('that stays is kept short; what changes something is let in still', async () => {
    const { shedder, enter, leave, pass } = shedderAt()
    for (let n = 0; n < limits.sustainedLimit; n++) enter()
    pass(900)
    expect(shedder.admits(false)).toBe(true)
    pass(200)
    expect([shedder.admits(false), shedder.admits(true)]).toEqual([false, true])
    // One left is no end of it: it would be back in the same moment.
    await leave()
    expect(shedder.admits(false)).toBe(true)
    enter()
    expect(shedder.admits(false)).toBe(false)
    await leave()
    await leave()
    enter()
    enter()
    expect(shedder.admits(false)).toBe(true)
  })

  test('of requests that are still on their way takes nobody’s turn', () => {
    const { shedder, enter, pass } = shedderAt()
    for (let n = 0; n < limits.peakLimit * 2; n++) enter(false)
    pass(5_000)
    expect(shedder.admits(false)).toBe(true)
  })
})

describe('whoever is turned away', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ REQUESTS_AT_ONCE: '1', REQUESTS_STANDING: '1' })
    // The first page of all has the screens read from the disk.
    await world.visit('/signin')
  })
  afterAll(() => world.close())
  const html = { accept: 'text/html,*/*' }
  const ask = (path: string, init = {}) =>
    world.send(path, world.visitor(), { headers: { ...html, origin: 'http://carga.test' }, ...init })

  test('with a page is told so, and the page asks again', async () => {
    const [seen, away] = await Promise.all([ask('/signin'), ask('/signin')])
    expect([seen.status, away.status]).toEqual([200, 503])
    expectWords(away.text, 'Hay mucha gente en este momento', away.headers.get('x-request-id')!)
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    expect(away.headers.get('refresh')).toBe(away.headers.get('retry-after'))
    expect(away.headers.get('cache-control')).toBe('no-store')
    expect(away.headers.get('content-security-policy')).toContain(`default-src 'none'`)
    expect((await ask('/signin')).status).toBe(200)
  })

  test('with a form is told to send it again, and nothing was done', async () => {
    const email = 'cliente@correo.mx'
    const body = new URLSearchParams({ email, password: 'una-larga-y-buena' }).toString()
    const headers = {
      ...html,
      origin: 'http://carga.test',
      'content-type': 'application/x-www-form-urlencoded',
    }
    const [, away] = await Promise.all([ask('/signin'), ask('/signup', { method: 'POST', headers, body })])
    expect([away.status, away.headers.get('refresh')]).toEqual([503, null])
    expect(away.text).toContain('lo que escribiste sigue ahí')
    expect((await world.db.$client.query('select from users where email = $1', [email])).rowCount).toBe(0)
  })

  test('with a program reads the words in JSON', async () => {
    const [, away] = await Promise.all([ask('/signin'), world.data('/signin')])
    expect([away.status, away.headers.get('x-turned-away')]).toEqual([503, '1'])
    expect(JSON.parse(away.text)).toMatchObject({ ok: false, code: 'unavailable' })
  })

  test.each(['/healthz', '/readyz', '/live', '/favicon.svg'])('never asks for %s', async (path) => {
    const [, other] = await Promise.all([ask('/signin'), ask(path)])
    expect(other.headers.get('x-turned-away')).toBeNull()
  })
})

test('a form that was turned away unread leaves its connection in order', async () => {
  const app = new Hono<HttpEnv>()
  const { promise: wait, resolve: open } = Promise.withResolvers<void>()
  app.use(shedLoad(createLoadShedder({ peakLimit: 1, sustainedLimit: 1 })))
  app.all('*', async (c) => {
    await wait
    return c.text('done')
  })
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const send = (method: string, body = '') =>
    new Promise<number>((resolve, reject) => {
      const asked = request(
        { port, method, headers: { 'content-length': body.length } },
        (answer: IncomingMessage) => {
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
        },
      )
      asked.once('error', reject).end(body)
    })
  const first = send('GET')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await Promise.all([1, 2, 3].map(() => send('POST', 'x'.repeat(900_000))))).toEqual([503, 503, 503])
  open()
  expect([await first, await send('GET')]).toEqual([200, 200])
  server.closeAllConnections()
  server.close()
})

describe('a screen', () => {
  /** A browser's fetch that gets these answers one after the other. */
  const answering = (...marks: boolean[]) => {
    const asked: string[] = []
    const target = {
      fetch: async (input: RequestInfo | URL) => {
        asked.push(String(input instanceof Request ? input.url : input))
        const away = marks.shift() ?? false
        return new Response('', { status: away ? 503 : 200, headers: away ? { 'x-turned-away': '1' } : {} })
      },
    }
    retryWhenOverloaded(target, async () => undefined)
    return { target, asked }
  }

  test('asks again by itself what there was no room for', async () => {
    const { asked, target } = answering(true, true, false)
    expect((await target.fetch('http://carga.test/admin.data')).status).toBe(200)
    expect(asked).toHaveLength(3)
  })

  test('gives up in the end, and leaves other questions alone', async () => {
    const data = answering(true, true, true, true, true)
    expect((await data.target.fetch('/admin.data?page=2')).status).toBe(503)
    expect(data.asked).toHaveLength(4)
    const other = answering(true)
    expect((await other.target.fetch('/healthz')).status).toBe(503)
    expect(other.asked).toHaveLength(1)
  })
})

test('a crowd that may stay is no larger than one that may come', () => {
  expect(() => parseEnv({ REQUESTS_AT_ONCE: '10', REQUESTS_STANDING: '11' })).toThrow('REQUESTS_STANDING')
})
