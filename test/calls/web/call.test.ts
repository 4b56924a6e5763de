import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RoomView, ServerMessage } from '../../../src/domain/calls/protocol.ts'
import type { PageMessage } from '../../../src/domain/calls/schema.ts'
import { createCall } from '../../../src/web/calls/rtc/call.ts'

/** A network whose answers the story gives. */
class Socket extends EventTarget {
  static OPEN = 1
  static last: Socket
  readyState = 1
  said: PageMessage[] = []
  onopen?: () => void
  onmessage?: (message: { data: string }) => void
  constructor() {
    super()
    Socket.last = this
  }
  send = (text: string) => this.said.push(JSON.parse(text))
  hears = (message: ServerMessage) => this.onmessage?.({ data: JSON.stringify(message) })
  close() {}
}

class Stream {
  tracks: unknown[]
  constructor(tracks: unknown[] = []) {
    this.tracks = tracks
  }
  getTracks = () => this.tracks
}

const track = (kind: string) => ({
  kind,
  enabled: true,
  readyState: 'live',
  stop() {},
  getSettings: () => ({}),
})
const devices = Object.assign(new EventTarget(), {
  getUserMedia: async ({ audio, video }: MediaStreamConstraints) =>
    new Stream([...(audio ? [track('audio')] : []), ...(video ? [track('video')] : [])]),
})

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('location', { href: 'http://carga.test/videocall' })
  vi.stubGlobal('navigator', { mediaDevices: devices })
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('MediaStream', Stream)
  vi.stubGlobal('localStorage', { getItem: () => null, setItem() {} })
})
afterEach(() => vi.unstubAllGlobals())

const moment = new Date().toISOString()
const seated = {
  side: 'customer',
  phase: 'open',
  sitting: 'mine',
  peerName: 'Andrés',
  peer: null,
  analyst: 'away',
  opensAt: moment,
  startsAt: moment,
  minutes: 30,
  metAt: null,
  waitingSince: null,
  now: moment,
} satisfies RoomView

test('camera and microphone that come on between asking for the place and having it are shown to the other side', async () => {
  const call = createCall('call')
  const socket = Socket.last
  socket.onopen?.()
  call.join()
  await call.preview({ audio: true, video: true, devices: {} })
  const shows = () => socket.said.filter(({ type }) => type === 'join' || type === 'media')
  const off = { audio: false, video: false, screen: false }
  expect(shows()).toMatchObject([{ type: 'join', media: off }])
  socket.hears({ type: 'room', room: seated })
  const on = { type: 'media', media: { audio: true, video: true, screen: false } }
  expect(shows().slice(1)).toEqual([on])
  socket.hears({ type: 'room', room: seated })
  expect(shows().slice(1)).toEqual([on])
  call.close()
})
