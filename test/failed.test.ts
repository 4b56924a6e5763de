import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { refuse } from '../src/domain/refusal.ts'
import { answerFailure } from '../src/server/http/failed.ts'
import type { HttpEnv } from '../src/server/http/types.ts'

const app = new Hono<HttpEnv>()
  .use(async (c, next) => {
    c.set('requestId', '12345-67890')
    await next()
  })
  .get('/gone', () => refuse('unavailable'))
  .get('/not', () => refuse('permission-denied', 'Eso no es tuyo.'))
  .onError(answerFailure)

test('whoever asks while the database is known to be gone hears when to ask again, and by what number we know it', async () => {
  const program = await app.request('/gone')
  expect([program.status, program.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await program.text()).toContain('12345-67890')
  const page = await app.request('/gone', { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('refresh')]).toEqual([503, '5'])
  expect(await page.text()).toContain('<h1>Servicio no disponible</h1>')
})

test('any other refusal is its own words', async () => {
  const answer = await app.request('/not', { headers: { accept: 'text/html' } })
  expect([answer.status, await answer.text()]).toEqual([403, 'Eso no es tuyo.'])
})
