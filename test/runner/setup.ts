import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
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

// A password's hash takes a tenth of a second, thousands of times. The hashes of a backup and of an import are not changed.
const { scrypt } = crypto
const quick = (
  password: string,
  salt: string,
  length: number,
  asked: crypto.ScryptOptions,
  done: () => void,
) => scrypt(password, salt, length, asked.r === 16 ? { ...asked, N: 16 } : asked, done)
// Each file of a worker comes through here.
if (scrypt.name !== quick.name) crypto.scrypt = quick as typeof scrypt
syncBuiltinESMExports()
