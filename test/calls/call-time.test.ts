import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Stay, togetherFor } from '../../src/domain/calls/room.ts'

const someStays = fc.array(
  fc.tuple(fc.nat(60), fc.nat(20)).map(([from, long]): Stay => ({ from, to: from + long })),
  { maxLength: 6 },
)

test('equals the count of minutes at which both sides are there', () => {
  const isThere = (side: Stay[], at: number) => side.some(({ from, to }) => from <= at && at < to)
  const counted = (ones: Stay[], others: Stay[]) =>
    Array.from({ length: 100 }, (_, at) => isThere(ones, at) && isThere(others, at)).filter(Boolean).length
  fc.assert(
    fc.property(someStays, someStays, (ones, others) => {
      expect(togetherFor(ones, others)).toBe(counted(ones, others))
    }),
  )
})
