import {
  centavosOf,
  discountOf,
  discountText,
  metresOf,
  metresText,
  percentOf,
  quantityOf,
  quantityText,
  unitPriceOf,
  unitPriceText,
  wholeOf,
} from '../../src/shared/money.ts'

test.each([
  ['12,345.50', 1_234_550],
  ['12345.5', 1_234_550],
  ['$ 350', 35_000],
  ['350 MXN', 35_000],
  ['1,500 pesos', 150_000],
  ['0.05', 5],
  ['12.345,50', null],
  ['1,5', null],
  ['12,34', null],
  ['1,2345', null],
  ['12.345', null],
  ['.5', null],
  ['-5', null],
  ['', null],
  ['9999999999', null],
])('"%s" is %s centavos', (typed, centavos) => expect(centavosOf(typed)).toBe(centavos))

test.each([
  ['12.5', 1250],
  ['12,5', 1250],
  ['12.5 %', 1250],
  ['30%', 3000],
  ['100', 10_000],
  ['12.345', null],
  ['1000', null],
  ['%', null],
  ['', null],
])('"%s" is %s hundredths of a percent', (typed, hundredths) => expect(percentOf(typed)).toBe(hundredths))

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
  const share = { percent: 1250, amount: null }
  for (const off of [share, { percent: null, amount: 5 }]) expect(discountOf(discountText(off))).toEqual(off)
  expect([quantityText(245), unitPriceText(68_0000), metresText(125), discountText(share)]).toEqual([
    '0.245',
    '68.00',
    '12.5',
    '12.5 %',
  ])
  expect([wholeOf('12'), wholeOf('12.5'), wholeOf('12.')]).toEqual([12, null, 12])
})
