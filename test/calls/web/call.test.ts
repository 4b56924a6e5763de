import type { ServerMessage } from '../../../src/calls/rules/protocol.ts'
import type { PageMessage } from '../../../src/calls/rules/schema.ts'
import { createCall } from '../../../src/calls/screens/rtc/call.ts'
import { joined, media } from './room.ts'

/** A network whose answers the test gives. */
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

test('sends camera and microphone that came on while the place was asked for', async () => {
  const call = createCall('call')
  const socket = Socket.last
  socket.onopen?.()
  call.join()
  await call.preview({ audio: true, video: true, devices: {} })
  const shows = () => socket.said.filter(({ type }) => type === 'join' || type === 'media')
  const off = { audio: false, video: false, screen: false }
  expect(shows()).toMatchObject([{ type: 'join', media: off }])
  socket.hears({ type: 'room', room: joined })
  const on = { type: 'media', media }
  expect(shows().slice(1)).toEqual([on])
  socket.hears({ type: 'room', room: joined })
  expect(shows().slice(1)).toEqual([on])
  call.close()
})
