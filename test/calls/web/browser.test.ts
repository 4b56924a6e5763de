import { isChangeOfMind, mediaProblemOf, reasonOf } from '../../../src/calls/screens/room/media-problem.ts'
import { serversIn } from '../../../src/calls/screens/rtc/call.ts'
import { reconnectWait } from '../../../src/calls/screens/rtc/signalling.ts'
import { randomId } from '../../../src/ui/random-id.ts'

test.each([
  ['NotAllowedError', 'denied'],
  ['SecurityError', 'denied'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'in_use'],
  ['AbortError', 'in_use'],
  ['NotSupportedError', 'unsupported'],
  ['InvalidStateError', 'other'],
])('classifies the error %s as %s', (name, because) => {
  expect(reasonOf(new DOMException('no', name))).toBe(because)
})

test('classifies a missing API as unsupported, unknown errors as other', () => {
  expect(reasonOf(new TypeError('no mediaDevices'))).toBe('unsupported')
  expect(reasonOf(undefined)).toBe('other')
})

test('tells a cancelled choice of a screen from a refusal by the system', () => {
  expect(isChangeOfMind(new DOMException('Permission denied', 'NotAllowedError'))).toBe(true)
  expect(isChangeOfMind(new DOMException('Permission denied by system', 'NotAllowedError'))).toBe(false)
  expect(isChangeOfMind(new DOMException('busy', 'NotReadableError'))).toBe(false)
})

test.each([
  [{}, null],
  [
    { audio: 'denied', video: 'denied' },
    { of: 'both', because: 'denied' },
  ],
  [
    { audio: 'missing', video: 'in_use' },
    { of: 'microphone', because: 'missing' },
  ],
  [{ video: 'in_use' }, { of: 'camera', because: 'in_use' }],
] as const)('the problem shown of %j is %j', (reasons, problem) => {
  expect(mediaProblemOf(reasons)).toEqual(problem)
})

test('reconnects at once, then after growing waits of at most 5 s', () => {
  const waits = [0, 1, 2, 3, 4, 5, 6, 50].map(reconnectWait)
  expect(waits).toEqual([0, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000])
})

test('makes random UUIDs of version 4', () => {
  const ids = Array.from({ length: 200 }, randomId)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  for (const id of ids) expect(id.slice(14, 20)).toMatch(/^4...-[89ab]$/)
  expect(new Set(ids).size).toBe(200)
})

test.each([
  [[], { hasStun: false, hasRelay: false }],
  [[{ urls: ['stun:a:3478'] }], { hasStun: true, hasRelay: false }],
  [[{ urls: ['turn:a:3478', 'turns:a:5349'] }], { hasStun: false, hasRelay: true }],
  [[{ urls: 'stun:a' }, { urls: ['turn:a'] }], { hasStun: true, hasRelay: true }],
])('finds in the servers %j: %j', (iceServers, kinds) => {
  expect(serversIn({ iceServers })).toEqual(kinds)
})
