import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CallState } from '../../../src/web/calls/rtc/call-state.ts'
import { createIceRecovery } from '../../../src/web/calls/rtc/pair.ts'

const minute = 60_000
const noWayAfter = 31_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function begin() {
  const told: CallState['way'][] = []
  const restart = vi.fn()
  const way = createIceRecovery({ restart, tell: (now) => told.push(now) })
  return { ...way, restart, told, tries: () => restart.mock.calls.length }
}

test('a way that opens is left alone', () => {
  const { connection, tries, told } = begin()
  connection('connecting')
  connection('connected')
  vi.advanceTimersByTime(10 * minute)
  expect(told).toEqual(['open'])
  expect(tries()).toBe(0)
})

test('two tries without a connection, and there is said to be no way; it is looked for further on', () => {
  const { connection, told, tries } = begin()
  vi.advanceTimersByTime(noWayAfter - 1)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['no_way'])
  const before = tries()
  vi.advanceTimersByTime(2 * minute)
  expect(tries()).toBeGreaterThan(before + 2)
  connection('connected')
  expect(told.at(-1)).toBe('open')
})

test('without any candidate a try is not waited out', () => {
  const { nothingFound, told } = begin()
  nothingFound()
  vi.advanceTimersByTime(1_000)
  nothingFound()
  expect(told).toEqual(['no_way'])
})

test('a short break mends itself, a longer one is mended', () => {
  const { connection, told, tries } = begin()
  connection('connected')
  connection('disconnected')
  vi.advanceTimersByTime(2_900)
  connection('connected')
  vi.advanceTimersByTime(minute)
  expect(tries()).toBe(0)
  connection('disconnected')
  vi.advanceTimersByTime(3_000)
  expect(tries()).toBe(1)
  expect(told).toEqual(['open', 'reconnecting', 'open', 'reconnecting'])
})

test('a break that is final is mended at once, also within the time of grace', () => {
  const first = begin()
  first.connection('connected')
  first.connection('failed')
  vi.advanceTimersByTime(0)
  expect(first.tries()).toBe(1)
  const second = begin()
  second.connection('connected')
  second.connection('disconnected')
  second.connection('failed')
  vi.advanceTimersByTime(0)
  expect(second.tries()).toBe(1)
})

test('nothing is tried while there is nobody to arrange it with, and at once when there is', () => {
  const { connection, hold, told, tries } = begin()
  connection('connected')
  hold(true)
  connection('disconnected')
  connection('failed')
  vi.advanceTimersByTime(10 * minute)
  expect(tries()).toBe(0)
  expect(told).toEqual(['open', 'reconnecting'])
  hold(false)
  expect(tries()).toBe(1)
})

test('signalling that comes and goes leaves a way that is open alone', () => {
  const { connection, hold, tries } = begin()
  connection('connected')
  hold(true)
  hold(false)
  vi.advanceTimersByTime(minute)
  expect(tries()).toBe(0)
})

test('who asks for another try gets it at once, with its whole time', () => {
  const { told, tries, tryAgain } = begin()
  vi.advanceTimersByTime(noWayAfter)
  const before = tries()
  tryAgain()
  expect(tries()).toBe(before + 1)
  expect(told).toEqual(['no_way', 'connecting'])
  vi.advanceTimersByTime(noWayAfter - 1)
  expect(told).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(told.at(-1)).toBe('no_way')
})

test('closed it tries nothing any more', () => {
  const { close, told, tries } = begin()
  close()
  vi.advanceTimersByTime(10 * minute)
  expect(tries()).toBe(0)
  expect(told).toEqual([])
})
