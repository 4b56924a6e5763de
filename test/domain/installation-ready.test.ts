import { expect, test } from 'vitest'
import { missingForInstallation } from '../../src/domain/installation-ready.ts'

test.each([
  [false, false, false, false, ['quote', 'deposit']],
  [true, false, false, false, ['deposit']],
  [true, true, false, false, []],
  [true, true, true, false, ['permit']],
  [true, true, true, true, []],
  [false, false, true, false, ['quote', 'deposit', 'permit']],
  [true, false, false, true, ['deposit']],
])(
  'accepted %s, paid %s, permit needed %s and in %s: %j',
  (quoteAccepted, depositPaid, permitNeeded, permitReceived, missing) =>
    expect(missingForInstallation({ quoteAccepted, depositPaid, permitNeeded, permitReceived })).toEqual(
      missing,
    ),
)
