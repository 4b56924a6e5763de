import { expect, test } from 'vitest'
import { interpretResponse } from '../../src/web/offline/outbox.ts'

const heard = (status: number, body: unknown = {}, retryAfter: string | null = null) => ({
  status,
  body,
  retryAfter,
})
const said = { code: 'failed-precondition', title: 'No se puede', description: 'La cita cambió.' }

test.each([
  ['no answer', null, { kind: 'later', after: null }],
  ['a server that starts', heard(503, null, '2'), { kind: 'later', after: 2000 }],
  ['too many at once', heard(429, said), { kind: 'later', after: null }],
  ['a bug', heard(500, said), { kind: 'later', after: null }],
  ['a page of somebody in between', heard(200, null), { kind: 'later', after: null }],
  ['a redirect of somebody in between', heard(302, null), { kind: 'later', after: null }],
  ['taken', heard(200, { stored: true }), { kind: 'taken', body: { stored: true } }],
  ['a session that ended', heard(401, said), { kind: 'signed-out' }],
  ['somebody else', heard(403, { ...said, code: 'other-person' }), { kind: 'other-person' }],
  ['the rules', heard(409, { ...said, details: 1 }), { kind: 'refused', problem: said }],
  ['the content', heard(400, said), { kind: 'refused', problem: said }],
  ['too large', heard(413, said), { kind: 'refused', problem: said }],
  [
    'an appointment that is somebody else’s now',
    heard(404, said),
    { kind: 'refused', problem: { code: 'not-found', title: 'Esta cita ya no es tuya' } },
  ],
  [
    'a refusal without words',
    heard(418, null),
    { kind: 'refused', problem: { code: '418', title: 'No se pudo enviar' } },
  ],
])('%s', (_what, answer, verdict) => {
  expect(interpretResponse(answer)).toMatchObject(verdict)
})
