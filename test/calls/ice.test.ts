import { parseEnv } from '../../src/app/env.ts'
import { iceServersFor } from '../../src/calls/socket.ts'

const secret = 'north-of-the-river'
const urls = 'turn:turn.ejemplo.mx:3478?transport=udp, turns:turn.ejemplo.mx:443?transport=tcp'
const now = new Date('2026-11-26T18:00:00Z')

const servers = (environment: Record<string, string>) => iceServersFor(parseEnv(environment), 'cita-1', now)

test('has no servers and no credentials without settings', () => {
  expect(servers({})).toEqual({ servers: [], relayOnly: false, expiresAt: null })
})

test('signs credentials of a relay that expire', () => {
  const stun = 'stun:stun.ejemplo.mx stun:[2001:db8::1]:3478'
  expect(servers({ STUN_URLS: stun, TURN_URLS: urls, TURN_SECRET: secret, CALL_RELAY_ONLY: 'true' })).toEqual(
    {
      servers: [
        { urls: ['stun:stun.ejemplo.mx', 'stun:[2001:db8::1]:3478'] },
        {
          urls: urls.split(', '),
          username: '1795723200:cita-1',
          // printf '1795723200:cita-1' | openssl dgst -sha1 -hmac 'north-of-the-river' -binary | base64
          credential: 'wMkP+l89ec/4RNaUEEmXnmYmbgs=',
        },
      ],
      relayOnly: true,
      expiresAt: '2026-11-26T20:00:00.000Z',
    },
  )
  const short = servers({ TURN_URLS: urls, TURN_SECRET: secret, TURN_TTL_MINUTES: '10' })
  expect(short.expiresAt).toBe('2026-11-26T18:10:00.000Z')
})

test.for<[string, Record<string, string>]>([
  ['STUN_URLS', { STUN_URLS: 'https://stun.ejemplo.mx' }],
  ['STUN_URLS', { STUN_URLS: 'stun:stun.ejemplo.mx?transport=udp' }],
  ['TURN_URLS', { TURN_URLS: 'turn:uno.mx, stun:dos.mx', TURN_SECRET: secret }],
  ['TURN_URLS', { TURN_URLS: 'turn:ana:clave@uno.mx', TURN_SECRET: secret }],
  ['TURN_SECRET', { TURN_URLS: urls, TURN_SECRET: 'short' }],
  ['TURN_SECRET', { TURN_URLS: urls }],
  ['TURN_URLS', { TURN_SECRET: secret }],
  ['TURN_TTL_MINUTES', { TURN_TTL_MINUTES: '0' }],
  ['CALL_RELAY_ONLY', { CALL_RELAY_ONLY: 'true' }],
  ['CALL_RELAY_ONLY', { CALL_RELAY_ONLY: 'sí' }],
])('refuses to start with one line that names %s, without the secret: %j', ([name, environment]) => {
  const line = () => parseEnv(environment)
  expect(line).toThrow(name)
  expect(line).toThrow(/^[^\n]{20,160}$/)
  // A secret must not end up in a log.
  expect(line).not.toThrow(secret)
})
