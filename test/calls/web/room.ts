import type { PeerView, RoomView } from '../../../src/calls/rules/protocol.ts'

/** What a participant with camera and microphone sends. */
export const media = { audio: true, video: true, screen: false }
export const peer: PeerView = { sitting: 'theirs', name: 'Laura', media, lost: false, keptUntil: null }

/** The room that its customer has joined, alone. */
export const joined: RoomView = {
  side: 'customer',
  phase: 'open',
  sitting: 'mine',
  peerName: 'Laura',
  peer: null,
  analyst: 'online',
  opensAt: '2026-05-04T15:45:00Z',
  startsAt: '2026-05-04T16:00:00Z',
  minutes: 30,
  metAt: null,
  waitingSince: null,
  now: '2026-05-04T16:00:00Z',
}
