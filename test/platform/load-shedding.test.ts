import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { parseEnv } from '../../src/app/env.ts'
import { retryWhenOverloaded } from '../../src/kit/retry-overloaded.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { createLoadShedder, shedLoad } from '../../src/platform/http/load-shedding.ts'
import type { HttpEnv } from '../../src/platform/http/types.ts'
import { expectRowsIn, fixture, inParallel, openBare } from '../kit/open.ts'
import { expectStatus, expectWords } from '../kit/reading.ts'

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

test('a crowd is let in up to the peak limit', () => {
  const { shedder, enter } = shedderAt()
  for (let n = 0; n < limits.peakLimit; n++) {
    expect(shedder.admits(false)).toBe(true)
    enter()
  }
  expect([shedder.admits(false), shedder.admits(true)]).toEqual([false, false])
  expect(shedder.figures()).toEqual({ inside: limits.peakLimit, shed: 2 })
})

test('a process that is late refuses pages to visitors without a session first', () => {
  let late = 900
  const shedder = createLoadShedder(limits, undefined, () => late)
  expect(shedder.admits(false, true)).toBe(true)
  late = 1_100
  expect(shedder.admits(false, true)).toBe(false)
  expect([shedder.admits(false, false), shedder.admits(true, true)]).toEqual([true, true])
})

test('a crowd that stays is limited, but for changes', async () => {
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

test('a crowd of requests still arriving is not counted', () => {
  const { shedder, enter, pass } = shedderAt()
  for (let n = 0; n < limits.peakLimit * 2; n++) enter(false)
  pass(5_000)
  expect(shedder.admits(false)).toBe(true)
})

describe('whoever is turned away', () => {
  openBare({ REQUESTS_AT_ONCE: '1', REQUESTS_STANDING: '1' })
  // The first page of all has the screens read from the disk.
  beforeAll(() => fixture.visit('/signin'))
  const headers = { accept: 'text/html,*/*', origin: 'http://carga.test' }
  const ask = (path: string, init = {}) => fixture.send(path, fixture.visitor(), { headers, ...init })

  test('with a page is told so, and the page asks again', async () => {
    const [seen, away] = await Promise.all([ask('/signin'), ask('/signin')])
    expect([seen.status, away.status]).toEqual([200, 503])
    expectWords(away.text, 'Hay mucha gente en este momento', away.headers.get('x-request-id')!)
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    expect(away.headers.get('refresh')).toBe(away.headers.get('retry-after'))
    expect(away.headers.get('cache-control')).toBe('no-store')
    expect(away.headers.get('content-security-policy')).toContain(`default-src 'none'`)
    expectStatus(await ask('/signin'), 200)
  })

  test('with a form is told to send it again, and nothing was done', async () => {
    const email = 'cliente@correo.mx'
    const form = { email, password: 'una-larga-y-buena' }
    const [, away] = await Promise.all([
      ask('/signin'),
      fixture.post('/signup', form, undefined, { headers: { accept: 'text/html' } }),
    ])
    expect([away.status, away.headers.get('refresh')]).toEqual([503, null])
    expect(away.text).toContain('lo que escribiste sigue ahí')
    await expectRowsIn(users, { email }, [])
  })

  test('with a program reads the words in JSON', async () => {
    const [, away] = await Promise.all([ask('/signin'), fixture.data('/signin')])
    expect([away.status, away.headers.get('x-turned-away')]).toEqual([503, '1'])
    expect(JSON.parse(away.text)).toMatchObject({ ok: false, code: 'unavailable' })
  })

  test.each(['/healthz', '/readyz', '/live', '/favicon.svg'])('never asks for %s', async (path) => {
    const [, other] = await Promise.all([ask('/signin'), ask(path)])
    expect(other.headers.get('x-turned-away')).toBeNull()
  })
})

test('a refused form leaves its connection usable', async () => {
  const app = new Hono<HttpEnv>()
  const { promise: wait, resolve: open } = Promise.withResolvers<void>()
  app.use(async (c, next) => {
    c.set('clientAddress', '127.0.0.1')
    await next()
  })
  app.use(shedLoad(createLoadShedder({ peakLimit: 1, sustainedLimit: 1 }), () => null))
  let arrived = 0
  app.all('*', async (c) => {
    arrived++
    await wait
    return c.text('done')
  })
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const send = (method: string, body = '') =>
    new Promise<number>((resolve, reject) => {
      request({ port, method, headers: { 'content-length': body.length } }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
      })
        .once('error', reject)
        .end(body)
    })
  const first = send('GET')
  await expect.poll(() => arrived).toBe(1)
  expect(await inParallel(3, () => send('POST', 'x'.repeat(900_000)))).toEqual([503, 503, 503])
  open()
  expect([await first, await send('GET')]).toEqual([200, 200])
  server.closeAllConnections()
  server.close()
})

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

test.each([
  ['asks again for data', 'http://carga.test/admin.data', [true, true, false], 200, 3],
  ['gives up after four tries', '/admin.data?page=2', Array(5).fill(true), 503, 4],
  ['asks once for what is no data', '/healthz', [true], 503, 1],
])('a screen %s', async (_what, path, marks, status, times) => {
  const { asked, target } = answering(...marks)
  expectStatus(await target.fetch(path), status)
  expect(asked).toHaveLength(times)
})

test('the standing limit is at most the peak limit', () =>
  expect(() => parseEnv({ REQUESTS_AT_ONCE: '10', REQUESTS_STANDING: '11' })).toThrow('REQUESTS_STANDING'))
