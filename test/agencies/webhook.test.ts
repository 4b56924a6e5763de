import { describe, expect, test } from 'vitest'
import {
  afterTry,
  type DeliveryOutcome,
  endpointUrl,
  mostTries,
  stopsFor,
} from '../../src/domain/agencies/integrations.ts'

const now = new Date('2026-11-24T16:00Z')
const type = 'client.stage_changed'
const hour = 3_600_000
const refused: DeliveryOutcome = { status: 500 }

describe('after a try', () => {
  test.each([200, 201, 204, 299])('%i is delivered', (status) =>
    expect(afterTry(type, 1, { status }, now)).toEqual({ state: 'delivered' }),
  )

  test.each<DeliveryOutcome>([
    { status: 199 },
    { status: 301 },
    { status: 307 },
    { status: 404 },
    { status: 429 },
    { status: 503 },
    { fault: 'timeout' } as const,
    { fault: 'private' } as const,
    { fault: 'unknown_host' } as const,
  ])('%o waits a minute for the next', (outcome) =>
    expect(afterTry(type, 1, outcome, now)).toEqual({
      state: 'pending',
      nextAt: new Date(now.getTime() + 60_000),
    }),
  )

  test.each<DeliveryOutcome>([{ status: 410 }, { fault: 'switched_off' }, { fault: 'sealed' }])(
    '%o is given up',
    (outcome) => expect(afterTry(type, 1, outcome, now)).toEqual({ state: 'dead' }),
  )

  test('each wait is longer than the one before, and the last try is about a day after the first', () => {
    const waits = Array.from({ length: mostTries - 1 }, (_, n) => {
      const after = afterTry(type, n + 1, refused, now)
      return after.state === 'pending' ? after.nextAt.getTime() - now.getTime() : 0
    })
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    const whole = waits.reduce((sum, wait) => sum + wait, 0)
    expect(whole / hour).toBeGreaterThan(24)
    expect(whole / hour).toBeLessThan(25)
    expect(afterTry(type, mostTries, refused, now)).toEqual({ state: 'dead' })
    // After a process that ended in the middle of the last.
    expect(afterTry(type, mostTries + 1, refused, now)).toEqual({ state: 'dead' })
  })

  test('a test is not repeated', () =>
    expect(afterTry('webhook.test', 1, refused, now)).toEqual({ state: 'dead' }))
})

test('an endpoint is given up after three days without a yes, with a delivery, or when it asks for it', () => {
  const dead = { state: 'dead' } as const
  const since = (hours: number) => new Date(now.getTime() - hours * hour)
  expect(stopsFor(dead, refused, since(72), now)).toBe('failing')
  expect(stopsFor(dead, refused, since(71), now)).toBeNull()
  expect(stopsFor({ state: 'pending', nextAt: now }, refused, since(100), now)).toBeNull()
  expect(stopsFor(dead, { status: 410 }, now, now)).toBe('gone')
})

describe('an address', () => {
  test.each([
    ['https://sistema.example/avisos?llave=1#parte', 'https://sistema.example/avisos?llave=1'],
    ['HTTPS://Sistema.Example', 'https://sistema.example/'],
    ['https://agencia-ñ.example:8443/a', 'https://xn--agencia--k3a.example:8443/a'],
  ])('%s', (typed, url) => expect(endpointUrl(typed, false)).toEqual({ url }))

  test.each([
    ['sistema.example/avisos', /completa/],
    ['ftp://sistema.example', /completa/],
    ['javascript:alert(1)', /completa/],
    ['file:///etc/passwd', /completa/],
    ['', /completa/],
    ['http://sistema.example', /https/],
    ['https://ana:clave@sistema.example', /contraseña/],
  ])('%s is not one', (typed, words) =>
    expect(endpointUrl(typed, false)).toEqual({ error: expect.stringMatching(words) }),
  )

  test('without https where that is allowed', () =>
    expect(endpointUrl('http://127.0.0.1:9/x', true)).toEqual({ url: 'http://127.0.0.1:9/x' }))
})
