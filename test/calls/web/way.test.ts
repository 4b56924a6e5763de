import type { CallState } from '../../../src/calls/screens/rtc/call-state.ts'
import { createIceRecovery } from '../../../src/calls/screens/rtc/pair.ts'

const minute = 60_000
const noWayAfter = 31_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Watches a connection, from its opening on or from before. */
function begin(isOpen = false) {
  const shown: CallState['way'][] = []
  const restart = vi.fn()
  const way = createIceRecovery({ restart, tell: (now) => shown.push(now) })
  if (isOpen) way.connection('connected')
  return { ...way, restart, shown, tries: () => restart.mock.calls.length }
}

test('shows a connection that opens, without restarts', () => {
  const { connection, tries, shown } = begin()
  connection('connecting')
  connection('connected')
  vi.advanceTimersByTime(10 * minute)
  expect(shown).toEqual(['open'])
  expect(tries()).toBe(0)
})

test('shows no way after two tries without a connection, and keeps trying', () => {
  const { connection, shown, tries } = begin()
  vi.advanceTimersByTime(noWayAfter - 1)
  expect(shown).toEqual([])
  vi.advanceTimersByTime(1)
  expect(shown).toEqual(['no_way'])
  const before = tries()
  vi.advanceTimersByTime(2 * minute)
  expect(tries()).toBeGreaterThan(before + 2)
  connection('connected')
  expect(shown.at(-1)).toBe('open')
})

test('shows no way at once without any candidate', () => {
  const { nothingFound, shown } = begin()
  nothingFound()
  vi.advanceTimersByTime(1_000)
  nothingFound()
  expect(shown).toEqual(['no_way'])
})

test('restarts after a break of three seconds, not a shorter one', () => {
  const { connection, shown, tries } = begin(true)
  connection('disconnected')
  vi.advanceTimersByTime(2_900)
  connection('connected')
  vi.advanceTimersByTime(minute)
  expect(tries()).toBe(0)
  connection('disconnected')
  vi.advanceTimersByTime(3_000)
  expect(tries()).toBe(1)
  expect(shown).toEqual(['open', 'reconnecting', 'open', 'reconnecting'])
})

test('restarts at once after a failure, also within the time of grace', () => {
  const first = begin(true)
  first.connection('failed')
  vi.advanceTimersByTime(0)
  expect(first.tries()).toBe(1)
  const second = begin(true)
  second.connection('disconnected')
  second.connection('failed')
  vi.advanceTimersByTime(0)
  expect(second.tries()).toBe(1)
})

test('does not try while signalling is lost, and tries at once when it is back', () => {
  const { connection, hold, shown, tries } = begin(true)
  hold(true)
  connection('disconnected')
  connection('failed')
  vi.advanceTimersByTime(10 * minute)
  expect(tries()).toBe(0)
  expect(shown).toEqual(['open', 'reconnecting'])
  hold(false)
  expect(tries()).toBe(1)
})

test('leaves an open connection alone while signalling comes and goes', () => {
  const { hold, tries } = begin(true)
  hold(true)
  hold(false)
  vi.advanceTimersByTime(minute)
  expect(tries()).toBe(0)
})

test('tries again at once on request, with the whole time', () => {
  const { shown, tries, tryAgain } = begin()
  vi.advanceTimersByTime(noWayAfter)
  const before = tries()
  tryAgain()
  expect(tries()).toBe(before + 1)
  expect(shown).toEqual(['no_way', 'connecting'])
  vi.advanceTimersByTime(noWayAfter - 1)
  expect(shown).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(shown.at(-1)).toBe('no_way')
})

test('tries nothing once closed', () => {
  const { close, shown, tries } = begin()
  close()
  vi.advanceTimersByTime(10 * minute)
  expect(tries()).toBe(0)
  expect(shown).toEqual([])
})
