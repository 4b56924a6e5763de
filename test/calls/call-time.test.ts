import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Stay, togetherFor } from '../../src/domain/calls/room.ts'

const stays = (...spans: [from: number, to: number][]): Stay[] => spans.map(([from, to]) => ({ from, to }))

test.each<[string, Stay[], Stay[], number]>([
  ['one side alone', stays([0, 30]), [], 0],
  ['the later comes to the earlier', stays([0, 30]), stays([5, 40]), 25],
  ['both drop', stays([0, 10], [15, 30]), stays([0, 12], [20, 40]), 20],
  ['two pages overlap', stays([0, 20], [10, 30]), stays([0, 30]), 30],
])('counts the minutes together: %s', (_what, ones, others, together) => {
  expect(togetherFor(ones, others)).toBe(together)
  expect(togetherFor(others, ones)).toBe(together)
})

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
