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
  test.each([200, 299])('counts %i as delivered', (status) =>
    expect(afterTry(type, 1, { status }, now)).toEqual({ state: 'delivered' }),
  )

  test.each<DeliveryOutcome>([{ status: 199 }, { status: 300 }, { status: 503 }, { fault: 'timeout' }])(
    'retries %o after a minute',
    (outcome) =>
      expect(afterTry(type, 1, outcome, now)).toEqual({
        state: 'pending',
        nextAt: new Date(now.getTime() + 60_000),
      }),
  )

  test.each<DeliveryOutcome>([{ status: 410 }, { fault: 'switched_off' }, { fault: 'sealed' }])(
    'gives up after %o',
    (outcome) => expect(afterTry(type, 1, outcome, now)).toEqual({ state: 'dead' }),
  )

  test('waits longer each time, and makes the last try about a day after the first', () => {
    const waits = Array.from({ length: mostTries - 1 }, (_, n) => {
      const after = afterTry(type, n + 1, refused, now)
      return after.state === 'pending' ? after.nextAt.getTime() - now.getTime() : 0
    })
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(Math.floor(waits.reduce((sum, wait) => sum + wait, 0) / hour)).toBe(24)
    expect(afterTry(type, mostTries, refused, now)).toEqual({ state: 'dead' })
    // After a process that ended in the middle of the last.
    expect(afterTry(type, mostTries + 1, refused, now)).toEqual({ state: 'dead' })
  })

  test('never repeats a test', () =>
    expect(afterTry('webhook.test', 1, refused, now)).toEqual({ state: 'dead' }))
})

test('stops an endpoint after three days of failures, or when it answers 410', () => {
  const dead = { state: 'dead' } as const
  const since = (hours: number) => new Date(now.getTime() - hours * hour)
  expect(stopsFor(dead, refused, since(72), now)).toBe('failing')
  expect(stopsFor(dead, refused, since(71), now)).toBeNull()
  expect(stopsFor({ state: 'pending', nextAt: now }, refused, since(100), now)).toBeNull()
  expect(stopsFor(dead, { status: 410 }, now, now)).toBe('gone')
})

describe('the address of an endpoint', () => {
  test.each([
    ['https://sistema.example/avisos?llave=1#parte', 'https://sistema.example/avisos?llave=1'],
    ['HTTPS://Sistema.Example', 'https://sistema.example/'],
    ['https://agencia-ñ.example:8443/a', 'https://xn--agencia--k3a.example:8443/a'],
  ])('reads %s as %s', (typed, url) => expect(endpointUrl(typed, false)).toEqual({ url }))

  test.each([
    ['sistema.example/avisos', /completa/],
    ['ftp://sistema.example', /completa/],
    ['', /completa/],
    ['http://sistema.example', /https/],
    ['https://ana:clave@sistema.example', /contraseña/],
  ])('refuses %s', (typed, words) =>
    expect(endpointUrl(typed, false)).toEqual({ error: expect.stringMatching(words) }),
  )

  test('accepts http where that is allowed', () =>
    expect(endpointUrl('http://127.0.0.1:9/x', true)).toEqual({ url: 'http://127.0.0.1:9/x' }))
})
