import { expect, test } from 'vitest'
import { retryWait, sessionLimits } from '../../src/domain/accounts/sessions.ts'

const minute = 60_000

test('the constants are those of the specification (§4, §9)', () => {
  expect(sessionLimits).toMatchObject({
    popup: { width: 500, height: 600 },
    popupClosedAfter: 8_000,
    tokenSyncSeconds: 300,
    refreshBefore: 5 * minute,
    endedEarlySeconds: 30,
    retry: { first: 30_000, longest: 16 * minute },
    networkTimeout: { desk: 30_000, phone: 60_000 },
    poll: 800,
    redirectAnswer: 10 * minute,
  })
})

test('a refresh is tried again after 30 s, then twice as long each time, at most 16 min', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 50].map(retryWait)
  expect(waits).toEqual([
    30_000,
    minute,
    2 * minute,
    4 * minute,
    8 * minute,
    16 * minute,
    16 * minute,
    16 * minute,
  ])
})
