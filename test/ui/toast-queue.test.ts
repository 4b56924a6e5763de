import { createToastQueue, toastAreaClass, toastLimits } from '../../src/ui/toast-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const one = { title: 'uno', description: 'más' }

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
  queue.raise(one)
  queue.raise({ ...one, title: 'dos', variant: 'destructive' })
  expect(queue.entries()).toMatchObject([{ title: 'dos', variant: 'destructive', open: true }])
})

test('a dismissed toast closes at once and is removed after 1,000,000 ms', () => {
  const queue = createToastQueue()
  queue.raise(one)
  queue.dismiss(queue.entries()[0]!.id)
  vi.advanceTimersByTime(999_999)
  expect(queue.entries()).toMatchObject([{ title: 'uno', open: false }])
  vi.advanceTimersByTime(1)
  expect(queue.entries()).toEqual([])
})

test('leaving a page closes its success toasts, and neither errors nor those with undo', () => {
  const queue = createToastQueue()
  const isOpen = (more: object) => {
    queue.raise({ ...one, ...more })
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

test('subscribers are notified of each change, and no timer outlives its toast', () => {
  const queue = createToastQueue()
  const reader = vi.fn()
  const leave = queue.subscribe(reader)
  queue.raise(one)
  queue.dismiss(queue.entries()[0]!.id)
  queue.dismiss(queue.entries()[0]!.id)
  expect(reader).toHaveBeenCalledTimes(2)
  queue.raise(one)
  expect(vi.getTimerCount()).toBe(0)
  leave()
  queue.raise(one)
  expect(reader).toHaveBeenCalledTimes(3)
})
