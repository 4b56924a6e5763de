import { afterEach, beforeEach, expect, vi } from 'vitest'

let complained: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  complained = vi.spyOn(console, 'error')
})
// Whatever writes an error to the console has hidden a failure.
afterEach(() => {
  expect(complained.mock.calls).toEqual([])
  complained.mockRestore()
})
