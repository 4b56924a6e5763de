import { expect, test } from 'vitest'
import {
  discountOf,
  discountText,
  metresOf,
  metresText,
  quantityOf,
  quantityText,
  unitPriceOf,
  unitPriceText,
  wholeOf,
} from '../../src/domain/shared/money.ts'

test.each([
  ['24.5', 24_500],
  [' 1,250.125 ', 1_250_125],
  ['0.001', 1],
  ['.5', null],
  ['1.2345', null],
  ['1,25', null],
  ['-1', null],
  ['', null],
])('a quantity of "%s"', (typed, thousandths) => expect(quantityOf(typed)).toBe(thousandths))

test.each([
  ['$ 9,482.7586', 9482_7586],
  ['999999.9999', 999_999_9999],
  ['68.00000', null],
  ['68 pesos', null],
])('a price of "%s"', (typed, price) => expect(unitPriceOf(typed)).toBe(price))

test.each([
  ['10 %', { percent: 1000, amount: null }],
  ['12.5%', { percent: 1250, amount: null }],
  ['$500', { percent: null, amount: 500_00 }],
  ['1,500.50', { percent: null, amount: 1500_50 }],
  ['10 % de todo', null],
  ['%', null],
])('a discount of "%s"', (typed, off) => expect(discountOf(typed)).toEqual(off))

test('what is written is read back as it was', () => {
  for (const value of [1, 10, 245, 1000, 24_500, 9_999_999])
    expect(quantityOf(quantityText(value))).toBe(value)
  for (const value of [0, 1, 36_0000, 9482_7586]) expect(unitPriceOf(unitPriceText(value))).toBe(value)
  for (const value of [0, 5, 120, 125]) expect(metresOf(metresText(value))).toBe(value)
  for (const off of [
    { percent: 1250, amount: null },
    { percent: null, amount: 5 },
  ])
    expect(discountOf(discountText(off))).toEqual(off)
  expect([
    quantityText(245),
    unitPriceText(68_0000),
    metresText(125),
    discountText({ percent: 1250, amount: null }),
  ]).toEqual(['0.245', '68.00', '12.5', '12.5 %'])
  expect([wholeOf('12'), wholeOf('12.5'), wholeOf('12.')]).toEqual([12, null, 12])
})
