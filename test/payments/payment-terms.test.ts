import { describe, expect, test } from 'vitest'
import {
  consequenceOf,
  fullRefundUntil,
  monthsFor,
  takesCard,
  takesOxxo,
} from '../../src/domain/payments/payment.ts'

describe('five working days', () => {
  const until = (accepted: string, own: string[] = []) =>
    fullRefundUntil(new Date(`${accepted}-06:00`), own).toISOString()

  test.each([
    // A Monday: until the end of the next one.
    ['2026-11-23T10:00', [], '2026-12-01T06:00:00.000Z'],
    // Late on a Friday; Saturday and Sunday don't count.
    ['2026-11-27T23:59', [], '2026-12-05T06:00:00.000Z'],
    // 16 November 2026 is a holiday.
    ['2026-11-13T12:00', [], '2026-11-24T06:00:00.000Z'],
    ['2026-11-23T10:00', ['2026-11-25'], '2026-12-02T06:00:00.000Z'],
  ])('after %s, besides %j', (accepted, own, end) => {
    expect(until(accepted, own)).toBe(end)
  })
})

test.each<[number, number | null, number, ReturnType<typeof consequenceOf>]>([
  [100_00, 100_00, 50_00, null],
  [80_00, 100_00, 150_00, { kind: 'short', by: 20_00 }],
  [120_00, 100_00, 150_00, { kind: 'more', by: 20_00 }],
  // All that is owed and more than was asked for is no excess.
  [150_00, 100_00, 150_00, { kind: 'more', by: 50_00 }],
  [150_01, 100_00, 150_00, { kind: 'over', by: 1 }],
  [150_01, null, 150_00, { kind: 'over', by: 1 }],
  [150_00, null, 150_00, null],
])('booking %i where %j was asked for and %i is owed', (amount, asked, owed, consequence) => {
  expect(consequenceOf(amount, asked, owed)).toEqual(consequence)
})

test.each([
  [9_99, false, false, []],
  [10_00, true, true, []],
  [299_99, true, true, []],
  [300_00, true, true, [3]],
  [900_00, true, true, [3, 6, 9]],
  [10_000_00, true, true, [3, 6, 9, 12]],
  [10_000_01, true, false, [3, 6, 9, 12]],
])('%i centavos by card: %s; at an OXXO: %s; months without interest: %j', (amount, card, oxxo, months) => {
  expect([takesCard(amount), takesOxxo(amount), monthsFor(amount)]).toEqual([card, oxxo, months])
})
