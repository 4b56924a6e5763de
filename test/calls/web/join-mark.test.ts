import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PLACE_KEPT_MS } from '../../../src/domain/calls/room.ts'
import { forgetJoinMark, joinMark, keepJoinMark } from '../../../src/web/calls/rtc/join-mark.ts'

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

test('a page that goes leaves what it sent to the one that comes, once', () => {
  keepJoinMark('call', () => media)
  goes()
  expect(joinMark('call')).toEqual(media)
  expect(joinMark('call')).toEqual(media)
  forgetJoinMark()
  expect(joinMark('call')).toBeNull()
})

test('while it is there it leaves nothing that a copy of its tab could take', () => {
  keepJoinMark('call', () => media)
  expect(joinMark('call')).toBeNull()
})

test('nothing is left by who is out of the call, or was stopped', () => {
  keepJoinMark('call', () => null)
  keepJoinMark('call', () => media)()
  goes()
  expect(joinMark('call')).toBeNull()
})

test('a mark is for its own call, as long as the place is kept', () => {
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
