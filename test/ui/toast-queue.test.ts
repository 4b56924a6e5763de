import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createToastQueue, toastAreaClass, toastLimits } from '../../src/web/ui/toast-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the constants are those of the specification (§4, §9)', () => {
  expect(toastLimits).toEqual({
    atOnce: 1,
    duration: 5000,
    swipeThreshold: 50,
    swipeDirection: 'right',
    hotkey: 'F8',
    removeDelay: 1_000_000,
  })
  expect(toastAreaClass.split(' ').filter((one) => one.includes('max-w-'))).toEqual(['md:max-w-[420px]'])
})

test('a new toast takes the place of the one before', () => {
  const queue = createToastQueue()
  queue.raise({ title: 'uno', description: 'más' })
  queue.raise({ title: 'dos', description: 'más', variant: 'destructive' })
  expect(queue.entries()).toMatchObject([{ title: 'dos', variant: 'destructive', open: true }])
})

test('a dismissed toast closes at once and is removed after 1,000,000 ms', () => {
  const queue = createToastQueue()
  queue.raise({ title: 'uno', description: 'más' })
  queue.dismiss(queue.entries()[0]!.id)
  vi.advanceTimersByTime(999_999)
  expect(queue.entries()).toMatchObject([{ title: 'uno', open: false }])
  vi.advanceTimersByTime(1)
  expect(queue.entries()).toEqual([])
})

test('leaving a page closes what went well there, and neither errors nor what can be undone', () => {
  const queue = createToastQueue()
  const isOpen = (more: object) => {
    queue.raise({ title: 'uno', description: 'más', ...more })
    queue.leave('/signin')
    return queue.entries()[0]?.open
  }
  expect(isOpen({ variant: 'success' })).toBe(false)
  expect(isOpen({})).toBe(false)
  expect(isOpen({ variant: 'destructive' })).toBe(true)
  expect(isOpen({ variant: 'success', undo: 'cita' })).toBe(true)
  expect(isOpen({ at: '/signin' })).toBe(true)
  expect(isOpen({ at: '/' })).toBe(false)
})

test('readers hear of each change, and no timer outlives its toast', () => {
  const queue = createToastQueue()
  const reader = vi.fn()
  const leave = queue.subscribe(reader)
  queue.raise({ title: 'uno', description: 'más' })
  queue.dismiss(queue.entries()[0]!.id)
  queue.dismiss(queue.entries()[0]!.id)
  expect(reader).toHaveBeenCalledTimes(2)
  queue.raise({ title: 'dos', description: 'más' })
  expect(vi.getTimerCount()).toBe(0)
  leave()
  queue.raise({ title: 'tres', description: 'más' })
  expect(reader).toHaveBeenCalledTimes(3)
})
