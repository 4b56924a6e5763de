import { PLACE_KEPT_MS } from '../../../src/calls/rules/room.ts'
import { forgetJoinMark, joinMark, keepJoinMark } from '../../../src/calls/screens/rtc/join-mark.ts'

const media = { audio: false, video: true, screen: false }
const goes = () => window.dispatchEvent(new Event('pagehide'))

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('passes what a page sent to the page that follows, until forgotten', () => {
  keepJoinMark('call', () => media)
  goes()
  expect(joinMark('call')).toEqual(media)
  expect(joinMark('call')).toEqual(media)
  forgetJoinMark()
  expect(joinMark('call')).toBeNull()
})

test('leaves nothing while the page is open, which a copied tab could take', () => {
  keepJoinMark('call', () => media)
  expect(joinMark('call')).toBeNull()
})

test('leaves nothing outside a call or when stopped', () => {
  keepJoinMark('call', () => null)
  keepJoinMark('call', () => media)()
  goes()
  expect(joinMark('call')).toBeNull()
})

test('is for its own call, as long as the place is kept', () => {
  keepJoinMark('call', () => media)
  goes()
  expect(joinMark('another')).toBeNull()
  goes()
  vi.advanceTimersByTime(PLACE_KEPT_MS - 1)
  expect(joinMark('call')).toEqual(media)
  goes()
  vi.advanceTimersByTime(PLACE_KEPT_MS)
  expect(joinMark('call')).toBeNull()
})
