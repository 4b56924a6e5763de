import {
  afterTry,
  type DeliveryOutcome,
  endpointUrl,
  mostTries,
  stopsFor,
} from '../../src/agencies/rules/integrations.ts'

const now = new Date('2026-11-24T16:00Z')
const type = 'client.stage_changed'
const hour = 3_600_000
const refused: DeliveryOutcome = { status: 500 }

test.each([200, 299])('after a try counts %i as delivered', (status) =>
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

test('waits longer after each try, and makes the last try about a day after the first', () => {
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

test('a test event is never tried again', () =>
  expect(afterTry('webhook.test', 1, refused, now)).toEqual({ state: 'dead' }))

test('stops an endpoint after three days of failures, or when it answers 410', () => {
  const dead = { state: 'dead' } as const
  const since = (hours: number) => new Date(now.getTime() - hours * hour)
  expect(stopsFor(dead, refused, since(72), now)).toBe('failing')
  expect(stopsFor(dead, refused, since(71), now)).toBeNull()
  expect(stopsFor({ state: 'pending', nextAt: now }, refused, since(100), now)).toBeNull()
  expect(stopsFor(dead, { status: 410 }, now, now)).toBe('gone')
})

test.each([
  ['https://sistema.example/avisos?llave=1#parte', 'https://sistema.example/avisos?llave=1'],
  ['HTTPS://Sistema.Example', 'https://sistema.example/'],
  ['https://agencia-ñ.example:8443/a', 'https://xn--agencia--k3a.example:8443/a'],
])('the address of an endpoint reads %s as %s', (typed, url) =>
  expect(endpointUrl(typed, false)).toEqual({ url }),
)

test.each([
  ['sistema.example/avisos', /completa/],
  ['ftp://sistema.example', /completa/],
  ['', /completa/],
  ['http://sistema.example', /https/],
  ['https://ana:clave@sistema.example', /contraseña/],
  ['https://sistema.example:22', /puerto 443/],
])('the address of an endpoint refuses %s', (typed, words) =>
  expect(endpointUrl(typed, false)).toEqual({ error: expect.stringMatching(words) }),
)

test('the address of an endpoint accepts http where that is allowed', () =>
  expect(endpointUrl('http://127.0.0.1:9/x', true)).toEqual({ url: 'http://127.0.0.1:9/x' }))
