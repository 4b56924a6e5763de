import type { Meter } from '@opentelemetry/api'
import { Hono } from 'hono'
import { respondToError } from '../../src/platform/http/error-handler.ts'
import { observeRequests, requestLog } from '../../src/platform/http/request-observer.ts'
import type { HttpEnv } from '../../src/platform/http/types.ts'
import { log, markAsShed } from '../../src/platform/telemetry/log.ts'
import { makeMeters, requestBegan, requestEnded } from '../../src/platform/telemetry/spans.ts'
import { refuse } from '../../src/shared/refusal.ts'
import { expectWords } from '../kit/reading.ts'

const app = new Hono<HttpEnv>()
  .use(async (c, next) => {
    c.set('requestId', '12345-67890')
    await next()
  })
  .get('/gone', () => refuse('unavailable'))
  .post('/gone', () => refuse('unavailable'))
  .get('/not', () => refuse('permission-denied', 'Eso no es tuyo.'))
  .onError(respondToError)

test('answers without a database when to try again, and the request id', async () => {
  const program = await app.request('/gone')
  expect([program.status, program.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await program.text()).toContain('12345-67890')
  const page = await app.request('/gone', { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('refresh')]).toEqual([503, '5'])
  expect(await page.text()).toContain('<h1>Servicio no disponible</h1>')
})

test('returns a form without scripts with its typed values, to be sent again', async () => {
  const form = new URLSearchParams({
    formKey: 'k',
    note: 'Dos\nlíneas y "comillas" <b>',
    password: 'secreta',
  })
  const headers = { accept: 'text/html', 'content-length': String(String(form).length) }
  const page = await app.request('/gone?dia=2026-11-24', { method: 'POST', headers, body: form })
  const html = await page.text()
  expect([page.status, page.headers.get('refresh')]).toEqual([503, null])
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
  expectWords(
    html,
    '<form method="post" action="/gone?dia=2026-11-24">',
    'value="Dos\nlíneas y &quot;comillas&quot; &lt;b&gt;"',
    '<input type="hidden" name="formKey" value="k">',
    'Lo que escribiste sigue aquí.',
  )
  expect(html).not.toContain('secreta')
})

test('answers any other refusal with its own words', async () => {
  const answer = await app.request('/not', { headers: { accept: 'text/html' } })
  expect([answer.status, await answer.text()]).toEqual([403, 'Eso no es tuyo.'])
})

test('logs failures as errors, shed requests not, and of built files those that are missing', async () => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => undefined)
  const info = vi.spyOn(log, 'info').mockImplementation(() => undefined)
  const seen = new Hono<HttpEnv>()
    .use(observeRequests, requestLog)
    .get('/crowded', (c) => {
      markAsShed()
      return c.text('', 503)
    })
    .get('/broken', (c) => c.text('', 503))
    .get('/assets/a.js', (c) => c.text(''))
  await seen.request('/crowded')
  expect([error.mock.calls.length, info.mock.calls.length]).toEqual([0, 1])
  await seen.request('/broken')
  expect([error.mock.calls.length, info.mock.calls.length]).toEqual([1, 1])
  for (const path of ['/assets/a.js', '/assets/none.js']) await seen.request(path)
  expect(info.mock.calls.slice(1)).toMatchObject([[{ path: '/assets/none.js', status: 404 }, 'request']])
  vi.restoreAllMocks()
})

test('counts shed requests apart', () => {
  const record = vi.fn()
  const meter = { createHistogram: () => ({ record }), createCounter: () => ({ add: () => undefined }) }
  makeMeters(meter as unknown as Meter)
  const answered = { method: 'POST', route: '/signin', status: 503, seconds: 0.01 }
  for (const wasShed of [true, false]) {
    requestBegan()
    requestEnded({ ...answered, wasShed })
  }
  expect(record.mock.calls.map(([, { status_class }]) => status_class)).toEqual(['turned_away', '5xx'])
})
