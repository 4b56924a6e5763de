import { atMostEvery } from '../../src/kit/live.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('many calls are one run at once and one at the end of the interval', () => {
  const run = vi.fn()
  const call = atMostEvery(300, run)
  for (let count = 0; count < 10; count += 1) call()
  expect(run).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(300)
  expect(run).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(3000)
  expect(run).toHaveBeenCalledTimes(2)
  call()
  expect(run).toHaveBeenCalledTimes(3)
})
