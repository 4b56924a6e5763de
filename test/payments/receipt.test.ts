import fc from 'fast-check'
import { expect, test } from 'vitest'
import { receiptSums } from '../../src/domain/payments/payment.ts'

test.each([
  ['the usual IVA where it is for no quote', 116_00, null, 16_00],
  ['that of what was agreed', 1_080_00, { iva: 80_00, total: 1_080_00 }, 80_00],
  ['in proportion, half-up', 50, { iva: 1, total: 100 }, 1],
  ['none where there was none', 500_00, { iva: 0, total: 500_00 }, 0],
  ['the usual one where a quote comes to nothing', 116_00, { iva: 0, total: 0 }, 16_00],
  ['what is given back, with its sign', -116_00, null, -16_00],
])('a receipt says %s', (_, amount, paidFor, iva) =>
  expect(receiptSums(amount, paidFor)).toEqual({ iva, net: amount - iva }),
)

test('the parts of any payment add up to it', () => {
  const amount = fc.integer({ min: -99_999_999_99, max: 99_999_999_99 })
  const total = fc.integer({ min: 1, max: 99_999_999_99 })
  fc.assert(
    fc.property(amount, total, fc.double({ min: 0, max: 0.14, noNaN: true }), (paid, whole, part) => {
      const { iva, net } = receiptSums(paid, { iva: Math.floor(whole * part), total: whole })
      expect(net + iva).toBe(paid)
      expect(Math.abs(iva)).toBeLessThanOrEqual(Math.abs(paid))
    }),
  )
})
