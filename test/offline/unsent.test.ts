import { deliverForms, isAnyWaiting, sendNow, unsentElsewhere } from '../../src/kit/form/unsent.ts'
import { isLost, noteNetwork } from '../../src/kit/network.ts'
import { overload } from '../../src/shared/overload.ts'

/** What the browser says of itself. */
const browser = { onLine: true, cookie: '', visibilityState: 'visible' }
const reload = vi.fn()
let page = new EventTarget()

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  Object.assign(browser, { onLine: true, cookie: '', visibilityState: 'visible' })
  vi.stubGlobal('navigator', {
    get onLine() {
      return browser.onLine
    },
  })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal(
    'document',
    Object.defineProperties(page, {
      cookie: { get: () => browser.cookie },
      visibilityState: { get: () => browser.visibilityState },
    }),
  )
  vi.stubGlobal('location', { reload })
  noteNetwork(true)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  reload.mockClear()
})

type Heard = Response | 'lost' | 'silent'
const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers })

/** A network that answers so, one try after the other, and remembers with which key it was asked. */
function over(...heard: Heard[]) {
  const asked: unknown[] = []
  const target = {
    async fetch(_: RequestInfo | URL, init?: RequestInit) {
      asked.push(init?.body instanceof FormData ? init.body.get('formKey') : null)
      const next = heard[asked.length - 1] ?? answer(200)
      if (next === 'silent')
        return new Promise<Response>((_, fail) =>
          init?.signal?.addEventListener('abort', () => fail(init.signal?.reason)),
        )
      if (next === 'lost') throw new TypeError('Failed to fetch')
      return next
    },
  }
  deliverForms(target)
  return { asked, target }
}

const key = '8d0cf6a4-8f4c-4b8e-9d0e-0d3c7c8e2a11'

function sendOver(target: Pick<Window, 'fetch'>, more: Record<string, string> = {}) {
  const body = new FormData()
  for (const [name, value] of Object.entries({ formKey: key, note: 'Hola', ...more })) body.set(name, value)
  const ended = new AbortController()
  const answered = target.fetch('/address.data', { method: 'POST', body, signal: ended.signal })
  const status = answered.then(
    (heard) => heard.status,
    (error: Error) => error.name,
  )
  return { ended, status }
}

/** Until what can happen without time passing has happened. */
const settled = () => vi.advanceTimersByTimeAsync(0)

test('a form waits without a network, and goes out once when it is back, with the same key', async () => {
  const { asked, target } = over('lost')
  browser.onLine = false
  const { status } = sendOver(target)
  await settled()
  expect(unsentElsewhere()).toMatchObject({ why: 'offline', state: 'waits' })
  expect([isAnyWaiting(), isLost()]).toEqual([true, true])
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(asked).toHaveLength(1)
  browser.onLine = true
  window.dispatchEvent(new Event('online'))
  expect(await status).toBe(200)
  expect(asked).toEqual([key, key])
  expect([unsentElsewhere(), isAnyWaiting(), isLost()]).toEqual([undefined, false, false])
})

test.each([
  ['a server that can’t be reached', 'lost'],
  ['a proxy without its server', answer(502)],
  ['a proxy whose server is late', answer(504)],
  ['a database that is gone', answer(503, { [overload.answered]: 'unavailable' })],
  ['a server that has no room', answer(503)],
] as const)('a form waits for %s, and is sent again later each time', async (_, heard) => {
  const { asked, target } = over(heard, 'lost')
  const { status } = sendOver(target)
  await settled()
  expect(unsentElsewhere()).toMatchObject({ why: 'unreachable', state: 'waits' })
  await vi.advanceTimersByTimeAsync(1_999)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(501)
  expect(asked).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(3_400)
  expect(asked).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1_700)
  expect(await status).toBe(200)
  expect(asked).toEqual([key, key, key])
})

test('a form waits as long as the server asks', async () => {
  const { asked, target } = over(answer(503, { 'retry-after': '9' }))
  const { status } = sendOver(target)
  await vi.advanceTimersByTimeAsync(8_900)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(await status).toBe(200)
})

test.each([
  ['a refusal', answer(400)],
  ['a fault of ours', answer(500)],
  ['a refusal of its screen, in its own words', answer(503, { [overload.answered]: 'own' })],
])('a form has %s for its answer', async (_, heard) => {
  const { asked, target } = over(heard)
  expect(await sendOver(target).status).toBe(heard.status)
  expect(asked).toHaveLength(1)
})

test('a form shows a slow answer after five seconds and counts it as lost after half a minute', async () => {
  const { asked, target } = over('silent')
  const { status } = sendOver(target)
  await vi.advanceTimersByTimeAsync(4_900)
  expect(unsentElsewhere()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(200)
  expect(unsentElsewhere()).toMatchObject({ why: 'slow', state: 'sending' })
  expect(isAnyWaiting()).toBe(false)
  await vi.advanceTimersByTimeAsync(25_000)
  expect(unsentElsewhere()).toMatchObject({ why: 'unreachable', state: 'waits' })
  await vi.advanceTimersByTimeAsync(2_500)
  expect([await status, asked.length]).toEqual([200, 2])
})

test('a form goes out by a tap', async () => {
  const { asked, target } = over('lost')
  browser.onLine = false
  const { status } = sendOver(target)
  await settled()
  sendNow(unsentElsewhere()!)
  expect([await status, asked.length]).toEqual([200, 2])
})

test('a form ends when the user goes elsewhere', async () => {
  const { asked, target } = over('lost', 'lost')
  const { ended, status } = sendOver(target)
  await settled()
  ended.abort()
  expect(await status).toBe('AbortError')
  expect(unsentElsewhere()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(1)
})

test('a form is not sent by itself from a page in the background, nor after the server has forgotten its key', async () => {
  const { asked, target } = over('lost')
  browser.visibilityState = 'hidden'
  const { status } = sendOver(target)
  await vi.advanceTimersByTimeAsync(59 * 60_000)
  expect(asked).toHaveLength(1)
  browser.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  expect(unsentElsewhere()).toMatchObject({ state: 'asks' })
  expect(asked).toHaveLength(1)
  sendNow(unsentElsewhere()!)
  expect(await status).toBe(200)
})

test('a form is not sent for another session than the one it was written in', async () => {
  const { asked, target } = over('lost')
  browser.cookie = 'carga.who=ana'
  const { ended } = sendOver(target)
  await settled()
  browser.cookie = 'carga.who=tomas'
  await vi.advanceTimersByTimeAsync(3_000)
  expect([asked.length, reload.mock.calls.length]).toEqual([1, 1])
  ended.abort()
})

test('lets other requests fail at once', async () => {
  const { target } = over('lost', 'lost', 'lost')
  const body = new FormData()
  await expect(target.fetch('/address.data')).rejects.toThrow('Failed to fetch')
  await expect(target.fetch('/address.data', { method: 'POST', body })).rejects.toThrow('Failed to fetch')
  body.set('formKey', key)
  await expect(target.fetch('/v1/session/sign-in', { method: 'POST', body })).rejects.toThrow(
    'Failed to fetch',
  )
})
