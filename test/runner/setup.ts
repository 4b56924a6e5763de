import { afterEach, beforeEach, expect, vi } from 'vitest'

// Read when the application is, by whichever file comes first.
process.env.LOG_LEVEL ??= 'error'

let complained: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  complained = vi.spyOn(console, 'error')
})
// Whatever writes an error to the console has hidden a failure.
afterEach(() => {
  expect(complained.mock.calls).toEqual([])
  complained.mockRestore()
})
