import { expect, test } from 'vitest'
import { centavosOf, percentOf } from '../../src/domain/shared/money.ts'

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
])('"%s" is %s centavos', (typed, centavos) => {
  expect(centavosOf(typed)).toBe(centavos)
})

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
])('"%s" is %s hundredths of a percent', (typed, hundredths) => {
  expect(percentOf(typed)).toBe(hundredths)
})
